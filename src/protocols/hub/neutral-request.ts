import type { JsonObject } from '../json/json-object.ts'
import type { RequestSettings } from './request-settings.ts'

/**
 * A request for a model's answer, as all chat wires mean it: what a spoke reads from its wire, and what another writes to
 * its own. `at` is where something stands in the client's body (`messages[2].content[0]`), for messages to the caller.
 */
export interface NeutralRequest {
  /** Turns in the client's order. Neighbours may have the same role; see `mergedTurns`. */
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice | null
  readonly settings: RequestSettings
}

export type Turn = SystemTurn | UserTurn | AssistantTurn

/** The instructions for the conversation, not a user's words. `developer` is OpenAI's newer name for it, where both are known. */
export interface SystemTurn {
  readonly role: 'system' | 'developer'
  readonly parts: readonly TextPart[]
  readonly at: string
}

/** Input of the model: from the user, and from the tools that it called. */
export interface UserTurn {
  readonly role: 'user'
  readonly parts: readonly UserPart[]
  readonly at: string
}

export interface AssistantTurn {
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  readonly at: string
}

export type UserPart = ContentPart | ToolResultPart
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart
export type AssistantPart = Placed<AnswerBlock>

export type Placed<Block> = Block & { readonly at: string; readonly cache?: CacheMark }

/** The prompt is to be cached up to here, for `5m` or `1h`; null: for as long as the provider does by itself. */
export interface CacheMark {
  readonly ttl: '5m' | '1h' | null
}

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly at: string
  readonly cache?: CacheMark
}

/** Bytes that the request holds itself, in standard base64, or that the provider is to fetch. */
export type Source =
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType: string | null }

export interface ImagePart {
  readonly kind: 'image'
  readonly source: Source
  readonly detail: string | null
  readonly at: string
  readonly cache?: CacheMark
}

/** A document: `application/pdf`, `text/plain` and the like. */
export interface FilePart {
  readonly kind: 'file'
  readonly source: Source
  readonly name: string | null
  readonly at: string
  readonly cache?: CacheMark
}

export interface AudioPart {
  readonly kind: 'audio'
  /** Sound of the media type `audio/wav` or `audio/mpeg`, or another that the client named. */
  readonly source: Source
  readonly at: string
}

export interface ToolResultPart {
  readonly kind: 'tool_result'
  /** The id of the call it answers. */
  readonly callId: string
  readonly parts: readonly ContentPart[]
  readonly isError: boolean
  readonly at: string
  readonly cache?: CacheMark
}

/** One piece of what a model answers, whole. */
export type AnswerBlock = TextBlock | RefusalBlock | ReasoningBlock | ToolCallBlock

export interface TextBlock {
  readonly kind: 'text'
  readonly text: string
  readonly logprobs?: readonly TokenLogprob[]
}

/** The model declined, in words of its own. */
export interface RefusalBlock {
  readonly kind: 'refusal'
  readonly text: string
}

export interface ReasoningBlock {
  readonly kind: 'reasoning'
  /** What is shown of it: all, or a summary, or nothing. */
  readonly text: string
  /** What its vendor needs back to go on from it; null: nothing was given. */
  readonly opaque: ProviderSignature | null
}

/**
 * Reasoning that only its vendor can read, byte for byte as it came: a signature of Anthropic, an `encrypted_content` of
 * OpenAI, a thought signature of Google (which belongs to the block behind it). See `opaque-reasoning.ts`.
 */
export interface ProviderSignature {
  readonly vendor: Vendor
  readonly data: string
  /** The id of the item it came in, where its vendor has one. */
  readonly id?: string
  /** Nothing is shown of it, and its vendor has a form of its own for that (Anthropic's `redacted_thinking`). */
  readonly isRedacted?: true
  /** The tag of the realm that made it, where only that can read it (`routing/provider-org.ts`); left out: any, or not known. */
  readonly realm?: string
}

/** `bedrock`: any maker whose model Converse asks, since its answers do not say which. */
export type Vendor = 'anthropic' | 'openai' | 'google' | 'bedrock' | 'chat'

export interface ToolCallBlock {
  readonly kind: 'tool_call'
  readonly id: string
  /** A `Tool.name` of the request, or what the model made up. */
  readonly name: string
  /** JSON text of an object; for a custom tool the text that it is given. As the model wrote it: it may be cut short. */
  readonly input: string
  readonly isCustom: boolean
}

/** Natural logarithms of probabilities. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  /** UTF-8; null where the wire does not say. */
  readonly bytes: readonly number[] | null
  readonly top: readonly {
    readonly token: string
    readonly logprob: number
    readonly bytes: readonly number[] | null
  }[]
}

export type Tool = FunctionTool | CustomTool | ProviderTool

export interface FunctionTool {
  readonly kind: 'function'
  /** Unique among the request's tools. */
  readonly name: string
  readonly description: string | null
  /** JSON Schema of its arguments; null: it takes none. */
  readonly schema: JsonObject | null
  /** Whether the model must keep to the schema; null: not said. */
  readonly isStrict: boolean | null
  /** Codex groups tools; the wire's own name of this one is without it. */
  readonly inNamespace?: { readonly namespace: string; readonly name: string }
  readonly at: string
  readonly cache?: CacheMark
}

/** A tool that takes text and no JSON, of OpenAI's wires; others get it as a function, see `adapted-tools.ts`. */
export interface CustomTool {
  readonly kind: 'custom'
  readonly name: string
  readonly description: string | null
  readonly grammar: { readonly syntax: string; readonly definition: string } | null
  readonly inNamespace?: { readonly namespace: string; readonly name: string }
  readonly at: string
}

/** A tool that the provider itself runs, such as a web search: no other provider can. See `adapted-tools.ts`. */
export interface ProviderTool {
  readonly kind: 'hosted'
  /** The type as the client named it. */
  readonly name: string
  readonly at: string
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required'; readonly at: string }
  | { readonly kind: 'one'; readonly name: string; readonly at: string }
  /** Only these, and one of them where it is required. */
  | { readonly kind: 'some'; readonly names: readonly string[]; readonly isRequired: boolean; readonly at: string }
