import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { fieldsOf, parseOrUndefined } from '../../json/json-object.ts'
import { dataOfOwnDetail, writeReasoningDetail } from './reasoning-detail.ts'

/**
 * How reasoning goes back to an upstream of chat completions: in the field that it came in (Groq refuses
 * `reasoning_content`, DeepSeek knows nothing else), with the `reasoning_details` beside it, which OpenRouter wants back
 * unchanged and in order.
 */
export interface ChatReasoning {
  readonly field: ReasoningField
  readonly details: readonly unknown[]
}

export type ReasoningField = 'reasoning_content' | 'reasoning'

/**
 * Null where the text alone says all: most upstreams give no more, and take it back as `reasoning_content`. What another
 * gateway of this kind gave is its data and nothing else.
 */
export function writeChatOpaque({ field, details }: ChatReasoning): ProviderSignature | null {
  if (field === 'reasoning_content' && details.length === 0) return null
  const own = details.length === 1 ? dataOfOwnDetail(details[0]) : null
  return { vendor: 'chat', data: own ?? JSON.stringify({ field, details }) }
}

/** What `writeChatOpaque` wrote for reasoning of that text. The data has been with a client, so it may be anything. */
export function readChatOpaque(opaque: ProviderSignature | null, text: string): ChatReasoning {
  if (opaque === null) return { field: 'reasoning_content', details: [] }
  const { field, details } = fieldsOf(parseOrUndefined(opaque.data))
  if (Array.isArray(details)) {
    return { field: field === 'reasoning' ? 'reasoning' : 'reasoning_content', details: details as readonly unknown[] }
  }
  const place = { start: 0, length: text.length, isBehindText: false, callsBefore: 0 }
  return { field: 'reasoning_content', details: [writeReasoningDetail(opaque, place, 0)] }
}
