import type { Wire } from '../core/wire.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Protocol } from './protocol.ts'

/** Every wire's protocol. The list is closed by its type, and the conformance suite runs over it. */
export const PROTOCOLS: Readonly<Record<Wire, Protocol>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-embeddings': openaiEmbeddings,
  'anthropic-messages': anthropicMessages,
}

export function protocolOf(wire: Wire): Protocol {
  return PROTOCOLS[wire]
}
