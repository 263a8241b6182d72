import { append } from '../../hub/merged-turns.ts'
import { type FieldReader, readersOf, wrongKind } from '../../hub/field-reader.ts'
import type {
  AssistantPart,
  Placed,
  ProviderSignature,
  ReasoningBlock,
  ToolCallBlock,
} from '../../hub/neutral-request.ts'
import { writeJson } from '../../json/exact-json.ts'
import { fieldsOf } from '../../json/json-object.ts'
import { readCache, readContent } from './read-content.ts'
import {
  readReasoningDetail,
  type ReasoningField,
  type ReasoningPlace,
  textOfDetails,
  writeChatOpaque,
} from './reasoning-detail.ts'

/**
 * What the model said in an earlier turn. Chat has reasoning, text and calls in three fields without an order between them:
 * reasoning goes where its place says, else in front; then the text; then the calls. `legacyId` gives a call of the old
 * form its id.
 */
export function readAssistantParts(message: FieldReader, legacyId: (name: string) => string): readonly AssistantPart[] {
  const reasoning = readPlacedReasoning(message)
  const said = readSaid(message)
  const calls = [...readCalls(message), ...readLegacyCall(message, legacyId)]
  const placed = byPlace(reasoning)
  const parts: AssistantPart[] = [...placed(false, 0), ...said, ...placed(true, 0)]
  const signed = new Set(reasoning.flatMap(({ part }) => (part.opaque?.vendor === 'google' ? [part.opaque.data] : [])))
  for (const [index, call] of calls.entries()) {
    if (index > 0) append(parts, [...placed(false, index), ...placed(true, index)])
    parts.push(...signatureOf(call, signed), call.part)
  }
  return [...parts, ...behindAll(reasoning, calls.length)]
}

/** What stands at a place. There may be as many places as calls, so none is searched for. */
function byPlace(reasoning: readonly PlacedReasoning[]): (isBehindText: boolean, calls: number) => AssistantPart[] {
  const [before, behind] = [false, true].map((isBehind) =>
    Map.groupBy(
      reasoning.filter(({ isBehindText }) => isBehindText === isBehind),
      ({ callsBefore }) => callsBefore,
    ),
  )
  return (isBehindText, calls) => ((isBehindText ? behind : before)?.get(calls) ?? []).map(({ part }) => part)
}

/** Reasoning behind the last call; behind calls that the client has left away since. */
function behindAll(reasoning: readonly PlacedReasoning[], calls: number): readonly AssistantPart[] {
  return reasoning.filter(({ callsBefore }) => callsBefore > 0 && callsBefore >= calls).map(({ part }) => part)
}

interface ReadCall {
  readonly part: Placed<ToolCallBlock>
  /** Google's thought signature, which its compatible endpoint puts beside the call. */
  readonly signature: string | null
  readonly signatureAt: string
}

/** The signature of the call, unless it stands among the reasoning as well, as in answers of ours. */
function signatureOf({ signature, signatureAt }: ReadCall, signed: ReadonlySet<string>): readonly AssistantPart[] {
  if (signature === null || signed.has(signature)) return []
  const opaque: ProviderSignature = { vendor: 'google', data: signature }
  return [{ kind: 'reasoning', text: '', opaque, at: signatureAt }]
}

function readSaid(message: FieldReader): readonly AssistantPart[] {
  if (message.raw('audio') !== null) message.refuse('audio', 'sound that was made earlier stays with its provider')
  const said = readContent(message).map((part): AssistantPart => {
    if (part.kind === 'text' || part.kind === 'refusal') return part
    return message.notes.refuse(part.at, 'what a model said earlier must be text')
  })
  const refusal = message.string('refusal')
  if (refusal === null || refusal === '') return said
  return [...said, { kind: 'refusal', text: refusal, at: message.path('refusal') }]
}

function readCalls(message: FieldReader): readonly ReadCall[] {
  const list = message.list('tool_calls') ?? []
  return readersOf(list, message.path('tool_calls'), message.notes).map((call) => {
    const id = call.requiredString('id')
    const type = call.string('type') ?? 'function'
    const isCustom = type === 'custom'
    if (!isCustom && type !== 'function') call.refuse('type', 'calls are of functions or custom tools')
    const body = call.object(isCustom ? 'custom' : 'function')
    if (body === null) throw wrongKind(call.path(isCustom ? 'custom' : 'function'), 'an object')
    const name = body.requiredString('name')
    const input = isCustom ? (body.string('input') ?? '') : readArguments(body)
    body.end()
    const cache = readCache(call)
    const extra = call.rawObject('extra_content')
    const { thought_signature: signature } = fieldsOf(extra?.['google'])
    call.end()
    return {
      part: { kind: 'tool_call', id, name, input, isCustom, at: call.at, ...(cache === null ? {} : { cache }) },
      signature: typeof signature === 'string' && signature !== '' ? signature : null,
      signatureAt: call.path('extra_content'),
    }
  })
}

/** JSON text; some clients put the object itself there. */
function readArguments(body: FieldReader): string {
  const value = body.raw('arguments') ?? ''
  return typeof value === 'string' ? value : writeJson(() => value)
}

function readLegacyCall(message: FieldReader, legacyId: (name: string) => string): readonly ReadCall[] {
  const call = message.object('function_call')
  if (call === null) return []
  const name = call.requiredString('name')
  const input = readArguments(call)
  call.end()
  const part = { kind: 'tool_call', id: legacyId(name), name, input, isCustom: false, at: call.at } as const
  return [{ part, signature: null, signatureAt: call.at }]
}

/** A block of reasoning of an earlier answer, and where it stood in it. */
interface PlacedReasoning {
  readonly isBehindText: boolean
  readonly callsBefore: number
  readonly part: ReasoningBlock & { readonly at: string }
}

/**
 * The reasoning of an assistant's message, in its order: from `reasoning_content` or `reasoning`, and `reasoning_details`.
 * Where the details are ours, each block gets back the text and the signature it had; text that none of them claims is
 * reasoning without a signature.
 */
function readPlacedReasoning(message: FieldReader): readonly PlacedReasoning[] {
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
