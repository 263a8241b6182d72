import type { FieldReader } from '../../hub/field-reader.ts'
import type { ProviderSignature, ReasoningBlock } from '../../hub/neutral-request.ts'
import { writeChatOpaque, type ReasoningField } from './chat-opaque.ts'
import { readReasoningDetail, textOfDetails, type ReasoningPlace } from './reasoning-detail.ts'

/** A block of reasoning of an earlier answer, and where it stood in it. */
export interface PlacedReasoning {
  readonly isBehindText: boolean
  readonly callsBefore: number
  readonly part: ReasoningBlock & { readonly at: string }
}

/**
 * The reasoning of an assistant's message, in its order: from `reasoning_content` or `reasoning`, and `reasoning_details`.
 * Where the details are ours, each block gets back the text and the signature it had; text that none of them claims is
 * reasoning without a signature.
 */
export function readPlacedReasoning(message: FieldReader): readonly PlacedReasoning[] {
  const { text, field } = readText(message)
  const details = message.list('reasoning_details') ?? []
  const at = message.path(text === '' && details.length > 0 ? 'reasoning_details' : field)
  const ours: OurDetail[] = []
  const foreign: unknown[] = []
  for (const detail of details) {
    const read = readReasoningDetail(detail)
    if (read === null) foreign.push(detail)
    else ours.push(read)
  }
  if (ours.length > 0) return placedBack(text, at, ours)
  const whole = text === '' ? textOfDetails(foreign) : text
  const opaque = writeChatOpaque({ field, details: foreign })
  if (whole === '' && foreign.length === 0) return []
  return [inFront({ kind: 'reasoning', text: whole, opaque, at })]
}

interface OurDetail {
  readonly opaque: ProviderSignature
  readonly place: ReasoningPlace | null
}

/** Clients send one of the two, or both with the same text. */
function readText(message: FieldReader): { text: string; field: ReasoningField } {
  const content = message.string('reasoning_content') ?? ''
  const plain = message.string('reasoning') ?? ''
  return content === '' && plain !== ''
    ? { text: plain, field: 'reasoning' }
    : { text: content, field: 'reasoning_content' }
}

function placedBack(text: string, at: string, details: readonly OurDetail[]): readonly PlacedReasoning[] {
  const placed: PlacedReasoning[] = []
  let next = 0
  for (const { opaque, place } of details) {
    // Anthropic signs the text with it, and some clients keep but the last piece of what was streamed.
    const isCutShort = place !== null && text.length < place.start + place.length
    if (isCutShort && opaque.vendor === 'anthropic') continue
    const start = Math.max(next, place?.start ?? next)
    const end = place === null ? text.length : Math.max(start, place.start + place.length)
    const unsigned = text.slice(next, start)
    if (unsigned !== '') placed.push(inFront({ kind: 'reasoning', text: unsigned, opaque: null, at }))
    placed.push({
      isBehindText: place?.isBehindText ?? false,
      callsBefore: place?.callsBefore ?? 0,
      part: { kind: 'reasoning', text: text.slice(start, end), opaque, at },
    })
    next = end
  }
  const rest = text.slice(next)
  return rest === '' ? placed : [...placed, inFront({ kind: 'reasoning', text: rest, opaque: null, at })]
}

function inFront(part: PlacedReasoning['part']): PlacedReasoning {
  return { isBehindText: false, callsBefore: 0, part }
}
