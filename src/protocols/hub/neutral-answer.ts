import type { StopReason } from '../reading/stop-words.ts'
import type { AnswerBlock, ProviderSignature, TokenLogprob } from './neutral-request.ts'

/** A model's whole answer. */
export interface NeutralAnswer {
  /** One, unless the request asked for more. */
  readonly choices: readonly NeutralChoice[]
}

export interface NeutralChoice {
  readonly blocks: readonly AnswerBlock[]
  readonly stop: Stop
}

/** Why a model stopped. `sequence` is the stop sequence that it met, where the wire tells. */
export interface Stop {
  readonly reason: StopReason
  readonly sequence: string | null
}

/** Whether an answer that stopped for this reason was not cut, so that its calls are whole. */
export function isUncut({ reason }: Stop): boolean {
  return reason !== 'length' && reason !== 'filtered'
}

/**
 * One step of a streamed answer. Blocks are numbered by the reader, each number once in a stream, in the order in which they
 * begin; what belongs to several may be mixed, as parallel tool calls are on some wires. A reader closes every block it
 * began before its `stop`, except where the stream breaks; a block that is open at the end was cut.
 */
export type StreamPart =
  | { readonly kind: 'begin'; readonly block: number; readonly choice: number; readonly of: BeginOf }
  /** More of the block's text, or of a tool call's input. Never empty. */
  | { readonly kind: 'delta'; readonly block: number; readonly text: string }
  | { readonly kind: 'logprobs'; readonly block: number; readonly logprobs: readonly TokenLogprob[] }
  /** A provider's signature, at most once in a block of reasoning, whole. */
  | { readonly kind: 'opaque'; readonly block: number; readonly opaque: ProviderSignature }
  | { readonly kind: 'end'; readonly block: number }
  | { readonly kind: 'stop'; readonly choice: number; readonly stop: Stop }

export type BeginOf =
  | { readonly kind: 'text' | 'refusal' | 'reasoning' }
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly isCustom: boolean }
