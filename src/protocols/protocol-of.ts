import type { HubWire, PlainWire, Wire } from '../core/wire.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiImages } from './openai-images.ts'
import { openaiModerations } from './openai-moderations.ts'
import { openaiResponses } from './openai-responses.ts'
import { openaiSpeech } from './openai-speech.ts'
import { openaiTranscriptions } from './openai-transcriptions.ts'
import type { Protocol, StreamingProtocol } from './protocol.ts'
import { rerank } from './rerank.ts'

/** Every wire's protocol. The list is closed by its type, and the conformance suite runs over it. */
export const PROTOCOLS: Protocols = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-embeddings': openaiEmbeddings,
  'openai-completions': openaiCompletions,
  'openai-moderations': openaiModerations,
  'openai-images': openaiImages,
  'openai-speech': openaiSpeech,
  'openai-transcriptions': openaiTranscriptions,
  rerank,
  'anthropic-messages': anthropicMessages,
  gemini,
  'bedrock-converse': bedrockConverse,
}

type Protocols = Readonly<Record<HubWire, StreamingProtocol> & Record<PlainWire, Protocol>>

export function protocolOf<W extends Wire>(wire: W): Protocols[W] {
  return PROTOCOLS[wire]
}
