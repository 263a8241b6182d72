import type { ModelKind } from './model-kind.ts'
import type { UnitPrices } from './units.ts'

/** The family a wire belongs to: it decides the shape of faults and of model lists. */
export type WireFamily = 'openai' | 'anthropic' | 'gemini'

/** What is known of a wire format, beside how its bytes are read and written (`protocols/<wire>.ts`). */
interface WireFacts {
  readonly family: WireFamily
  /**
   * `chat`: asks a model for an answer; whatever a client speaks of these, it reaches an upstream that speaks another.
   * `upstream`: the same, of upstreams alone; no client calls it. `plain`: reaches only upstreams that speak it as it is.
   */
  readonly kind: 'chat' | 'upstream' | 'plain'
  /** What is done there, in the words of OpenTelemetry's GenAI conventions (`gen_ai.operation.name`), or like them. */
  readonly operation: string
  /** What models do that are asked there. */
  readonly serves: ModelKind
  /** How a caller names the endpoint, in messages. */
  readonly endpoint: string
  /**
   * POST paths of the gateway, each with the path below an upstream's base URL; the main one first. Empty where the path has
   * a grammar of its own (`gateway/arrival/gemini-paths.ts`).
   */
  readonly paths: Readonly<Record<string, `/${string}`>>
  /** Paths of endpoints that generate and that no other wire has: nothing is translated to or from them. */
  readonly ownPaths?: Readonly<Record<string, `/${string}`>>
  /** Paths of endpoints that count the tokens of a request. */
  readonly countPaths?: Readonly<Record<string, `/${string}`>>
  /** Where an upstream takes a translated request, below its base URL; wires with the model in the path write it themselves. */
  readonly upstreamPath: `/${string}`
  /** Headers without which an upstream refuses every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The list of a chat wire's requests that the conversation stands in. */
  readonly conversation?: 'messages' | 'input' | 'contents'
  /** The lowest output limit that its upstreams take. */
  readonly leastOutputTokens?: number
  /** The unit that all requests of the wire have beside tokens, and the field of a model's price for it. */
  readonly unit?: { readonly kind: keyof UnitPrices; readonly field: string }
}

/**
 * The wire formats the gateway speaks with clients and with upstreams: one row each, and the only list of them. Chat wires
 * come first, in the order in which they are named to users. Paths are those of the providers' API references.
 */
export const WIRES = {
  'openai-chat': {
    family: 'openai',
    kind: 'chat',
    operation: 'chat',
    serves: 'chat',
    endpoint: 'POST /v1/chat/completions',
    paths: { '/v1/chat/completions': '/chat/completions' },
    upstreamPath: '/chat/completions',
    conversation: 'messages',
  },
  'openai-responses': {
    family: 'openai',
    kind: 'chat',
    operation: 'chat',
    serves: 'chat',
    endpoint: 'POST /v1/responses',
    paths: { '/v1/responses': '/responses' },
    ownPaths: { '/v1/responses/compact': '/responses/compact' },
    countPaths: { '/v1/responses/input_tokens': '/responses/input_tokens' },
    upstreamPath: '/responses',
    conversation: 'input',
    leastOutputTokens: 16,
  },
  'anthropic-messages': {
    family: 'anthropic',
    kind: 'chat',
    operation: 'chat',
    serves: 'chat',
    endpoint: 'POST /v1/messages',
    paths: { '/v1/messages': '/messages' },
    countPaths: { '/v1/messages/count_tokens': '/messages/count_tokens' },
    upstreamPath: '/messages',
    conversation: 'messages',
    // The newest of the two in Anthropic's documentation (API reference, versions), which its SDKs send. Answers are read by it.
    headers: { 'anthropic-version': '2023-06-01' },
  },
  gemini: {
    family: 'gemini',
    kind: 'chat',
    operation: 'generate_content',
    serves: 'chat',
    endpoint: 'POST /v1beta/models/{model}:generateContent',
    paths: {},
    upstreamPath: '/models',
    conversation: 'contents',
  },
  'bedrock-converse': {
    // No client reads this family's faults in it; errors of Bedrock reach clients in their own.
    family: 'anthropic',
    kind: 'upstream',
    operation: 'chat',
    serves: 'chat',
    endpoint: 'POST /model/{model}/converse',
    paths: {},
    upstreamPath: '/model',
    conversation: 'messages',
  },
  'openai-embeddings': {
    family: 'openai',
    kind: 'plain',
    operation: 'embeddings',
    serves: 'embedding',
    endpoint: 'POST /v1/embeddings',
    paths: { '/v1/embeddings': '/embeddings' },
    upstreamPath: '/embeddings',
  },
  'openai-completions': {
    family: 'openai',
    kind: 'plain',
    operation: 'text_completion',
    serves: 'completion',
    endpoint: 'POST /v1/completions',
    paths: { '/v1/completions': '/completions' },
    upstreamPath: '/completions',
  },
  'openai-moderations': {
    family: 'openai',
    kind: 'plain',
    operation: 'moderation',
    serves: 'moderation',
    endpoint: 'POST /v1/moderations',
    paths: { '/v1/moderations': '/moderations' },
    upstreamPath: '/moderations',
  },
  'openai-images': {
    family: 'openai',
    kind: 'plain',
    operation: 'generate_content',
    serves: 'image',
    endpoint: 'POST /v1/images/generations',
    paths: { '/v1/images/generations': '/images/generations', '/v1/images/edits': '/images/edits' },
    upstreamPath: '/images/generations',
    unit: { kind: 'image', field: 'price.per_image' },
  },
  'openai-speech': {
    family: 'openai',
    kind: 'plain',
    operation: 'generate_content',
    serves: 'audio',
    endpoint: 'POST /v1/audio/speech',
    paths: { '/v1/audio/speech': '/audio/speech' },
    upstreamPath: '/audio/speech',
    unit: { kind: 'character', field: 'price.per_million_characters' },
  },
  'openai-transcriptions': {
    family: 'openai',
    kind: 'plain',
    operation: 'transcription',
    serves: 'audio',
    endpoint: 'POST /v1/audio/transcriptions',
    paths: {
      '/v1/audio/transcriptions': '/audio/transcriptions',
      '/v1/audio/translations': '/audio/translations',
    },
    upstreamPath: '/audio/transcriptions',
    unit: { kind: 'second', field: 'price.per_second' },
  },
  rerank: {
    family: 'openai',
    kind: 'plain',
    operation: 'rerank',
    serves: 'rerank',
    endpoint: 'POST /v1/rerank',
    paths: { '/v1/rerank': '/rerank' },
    upstreamPath: '/rerank',
  },
} as const satisfies Record<string, WireFacts>

type WireRows = typeof WIRES

/** One route speaks one of them. */
export type Wire = keyof WireRows
type WireOfKind<Kind> = { [W in Wire]: WireRows[W]['kind'] extends Kind ? W : never }[Wire]
/** A wire that clients call and that asks a model for an answer. */
export type ChatWire = WireOfKind<'chat'>
/** A wire that requests are translated to: it has a spoke of the hub. */
export type HubWire = WireOfKind<'chat' | 'upstream'>
export type PlainWire = WireOfKind<'plain'>
/** A wire that clients call. */
export type ClientWire = ChatWire | PlainWire

const ALL_WIRES = Object.keys(WIRES) as readonly Wire[]

/** Every wire that clients call. */
export const WIRE_NAMES = ALL_WIRES.filter(isClientWire) as readonly ClientWire[] as readonly [
  ClientWire,
  ...ClientWire[],
]
export const CHAT_WIRES = WIRE_NAMES.filter(isChatWire) as readonly ChatWire[] as readonly [ChatWire, ...ChatWire[]]
/** The wires of the hub: those that clients call, and those of upstreams alone. */
export const HUB_WIRES = ALL_WIRES.filter(isHubWire) as readonly HubWire[] as readonly [HubWire, ...HubWire[]]
export const PLAIN_WIRES: readonly PlainWire[] = WIRE_NAMES.filter((wire): wire is PlainWire => !isChatWire(wire))

export function isChatWire(wire: Wire): wire is ChatWire {
  return WIRES[wire].kind === 'chat'
}

export function isHubWire(wire: Wire): wire is HubWire {
  return WIRES[wire].kind !== 'plain'
}

export function isClientWire(wire: Wire): wire is ClientWire {
  return WIRES[wire].kind !== 'upstream'
}

export function familyOf(wire: Wire): WireFamily {
  return WIRES[wire].family
}

/** The facts of one wire, by their common type. */
export function wireFacts(wire: Wire): WireFacts {
  return WIRES[wire]
}
