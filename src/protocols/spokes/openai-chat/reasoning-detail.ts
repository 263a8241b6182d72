import { fieldsOf, type JsonObject, parseOrUndefined } from '../../json/json-object.ts'
import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { openOpaque, writeOpaque } from '../../hub/opaque-reasoning.ts'

/**
 * Where a block of reasoning stood in its answer. A chat message has all reasoning in one text and before everything else,
 * while makers of signatures want each block back where it was.
 */
export interface ReasoningPlace {
  /** Where its text begins within the message's whole reasoning, in UTF-16 units. */
  readonly start: number
  readonly length: number
  readonly isBehindText: boolean
  /** Tool calls that stood before it. */
  readonly callsBefore: number
}

/**
 * ProviderSignature reasoning as an entry of `reasoning_details`, as OpenRouter's clients keep them and send them back (its guide on
 * reasoning tokens: `type`, `data`, `id`, `format`, `index`). The place is in the `id`, since clients keep no fields but these.
 */
export function writeReasoningDetail(opaque: ProviderSignature, place: ReasoningPlace, index: number): JsonObject {
  const { start, length, isBehindText, callsBefore } = place
  return {
    type: 'reasoning.encrypted',
    data: writeOpaque(opaque, 'chat'),
    id: `at-${start}-${length}-${isBehindText ? 1 : 0}-${callsBefore}`,
    format: 'unknown',
    index,
  }
}

/** What `writeReasoningDetail` wrote; null for an entry of another origin. `place` is null where a client lost the id. */
export function readReasoningDetail(
  detail: unknown,
): { readonly opaque: ProviderSignature; readonly place: ReasoningPlace | null } | null {
  const { data, id } = fieldsOf(detail)
  if (typeof data !== 'string') return null
  const opaque = openOpaque(data, 'chat')
  const place = readPlace(id)
  return opaque.vendor === 'chat' && place === null ? null : { opaque, place }
}

/** The data of an entry that another gateway of this kind wrote: all that has to go back to it. Null for other entries. */
function dataOfOwnDetail(detail: unknown): string | null {
  const { data, id } = fieldsOf(detail)
  return typeof data === 'string' && readPlace(id) !== null ? data : null
}

const PLACE = /^at-(\d{1,9})-(\d{1,9})-([01])-(\d{1,4})$/

function readPlace(id: unknown): ReasoningPlace | null {
  const found = typeof id === 'string' ? PLACE.exec(id) : null
  if (found === null) return null
  const [, start, length, behindText, callsBefore] = found
  return {
    start: Number(start),
    length: Number(length),
    isBehindText: behindText === '1',
    callsBefore: Number(callsBefore),
  }
}

/** What OpenRouter's details show of the reasoning. */
export function textOfDetails(details: readonly unknown[]): string {
  let text = ''
  for (const detail of details) {
    const { text: said, summary } = fieldsOf(detail)
    if (typeof said === 'string') text += said
    else if (typeof summary === 'string') text += summary
  }
  return text
}

/**
 * How reasoning goes back to an upstream of chat completions: in the field that it came in (Groq refuses
 * `reasoning_content`, DeepSeek knows nothing else), with the `reasoning_details` beside it, which OpenRouter wants back
 * unchanged and in order.
 */
interface ChatReasoning {
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
