/** The wire formats the gateway speaks with clients and with upstreams. One route speaks one of them. */
export type Wire = 'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages'

/** The family a wire belongs to: it decides the shape of faults and of model lists. */
export type WireFamily = 'openai' | 'anthropic'

export function familyOf(wire: Wire): WireFamily {
  return wire === 'anthropic-messages' ? 'anthropic' : 'openai'
}
