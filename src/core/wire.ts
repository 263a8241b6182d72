/** The wire formats the gateway speaks with clients and with upstreams. One route speaks one of them. */
export type Wire = ChatWire | PlainWire

/** Wires that reach only upstreams that speak them as they are. */
export type PlainWire =
  | 'openai-embeddings'
  | 'openai-completions'
  | 'openai-moderations'
  | 'openai-images'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'rerank'

/** Wires that ask a model for an answer: whatever a client speaks of these, it reaches an upstream that speaks another. */
export type ChatWire = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** In the order in which they are listed. */
export const CHAT_WIRES = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const satisfies readonly ChatWire[]

export function isChatWire(wire: Wire): wire is ChatWire {
  return (CHAT_WIRES as readonly Wire[]).includes(wire)
}

/** The family a wire belongs to: it decides the shape of faults and of model lists. */
export type WireFamily = 'openai' | 'anthropic' | 'gemini'

export function familyOf(wire: Wire): WireFamily {
  if (wire === 'gemini') return 'gemini'
  return wire === 'anthropic-messages' ? 'anthropic' : 'openai'
}
