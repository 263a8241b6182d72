import type { ModelFacts } from '../../../models/facts.ts'
import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantTurn,
  AudioPart,
  FilePart,
  ImagePart,
  Source,
  ToolCallBlock,
  ToolResultPart,
  UserPart,
  UserTurn,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { NO_SIGNATURE } from './signatures.ts'

interface ContentsContext {
  readonly facts: ModelFacts
  readonly notes: Notes
}

/** The conversation as `contents`. */
export function writeContents(turns: readonly (UserTurn | AssistantTurn)[], context: ContentsContext): JsonObject[] {
  const names = new CallNames()
  const turnBegins = turns.findLastIndex(saysSomethingNew)
  return turns.flatMap((turn, i): JsonObject[] => {
    if (turn.role === 'assistant') names.add(turn)
    const parts =
      turn.role === 'user'
        ? turn.parts.flatMap((part) => userParts(part, names, context))
        : modelParts(turn, { ...context, needsSignature: context.facts.signed_calls === 'required' && i > turnBegins })
    return parts.length === 0 ? [] : [{ role: turn.role === 'user' ? 'user' : 'model', parts }]
  })
}

/** Whether a new turn begins there, and no step of one that goes on: Google looks for signatures behind it. */
function saysSomethingNew(turn: UserTurn | AssistantTurn): boolean {
  return turn.role === 'user' && turn.parts.every((part) => part.kind !== 'tool_result')
}

/** Results have to name their function. Calls may have the same id, which then have their results in their order. */
class CallNames {
  readonly #waiting = new Map<string, string[]>()

  add({ parts }: AssistantTurn): void {
    const own = new Map<string, string[]>()
    for (const part of parts) {
      if (part.kind !== 'tool_call') continue
      const names = own.get(part.id)
      if (names === undefined) own.set(part.id, [part.name])
      else names.push(part.name)
    }
    for (const [id, names] of own) this.#waiting.set(id, names)
  }

  /** The name of the call that the next result with this id is for; null: it is not in the conversation. */
  next(id: string): string | null {
    const names = this.#waiting.get(id)
    return (names !== undefined && names.length > 1 ? names.shift() : names?.[0]) ?? null
  }
}

function userParts(part: UserPart, names: CallNames, context: ContentsContext): JsonObject[] {
  const { notes } = context
  notes.dropCache(part)
  if (part.kind === 'text') return part.text === '' ? [] : [{ text: part.text }]
  if (part.kind !== 'tool_result') return [writeMedia(part, notes)]
  return resultParts(part, names.next(part.callId) ?? UNKNOWN_FUNCTION, context)
}

/** The name for a result whose call is not in the conversation any more. */
const UNKNOWN_FUNCTION = 'unknown_function'

/** Pictures are within the result where the model takes them there, else behind it. */
function resultParts(result: ToolResultPart, name: string, { facts, notes }: ContentsContext): JsonObject[] {
  const texts: string[] = []
  const media: JsonObject[] = []
  for (const part of result.parts) {
    if (part.kind === 'text') texts.push(part.text)
    else media.push(writeMedia(part, notes))
  }
  const text = texts.join('\n')
  const response = result.isError ? { error: text } : { output: text }
  const within = facts.media_in_results && media.length > 0 ? { parts: media } : {}
  const answer = { functionResponse: { id: result.callId, name, response, ...within } }
  return facts.media_in_results ? [answer] : [answer, ...media]
}

/**
 * A signature stands on the part behind the reasoning that it came with, or on an empty one at the end, as Google sends it.
 * Thoughts themselves are not sent back; reasoning of other makers is left out. In the turn that goes on, the first call of
 * a step is refused without a signature, and one that Google knows stands for it.
 */
function modelParts(
  turn: AssistantTurn,
  { notes, needsSignature }: ContentsContext & { needsSignature: boolean },
): JsonObject[] {
  const parts: JsonObject[] = []
  let signature: string | null = null
  let hasCalls = false
  for (const part of turn.parts) {
    notes.dropCache(part)
    if (part.kind === 'reasoning') {
      const isOwn = part.opaque?.vendor === 'google'
      if (!isOwn) notes.drop(`${part.at}.reasoning`)
      if (isOwn && signature !== null) parts.push({ text: '', thoughtSignature: signature })
      if (isOwn) signature = part.opaque?.data ?? null
      continue
    }
    if (part.kind !== 'tool_call' && part.text === '') continue
    const isFirstCall = part.kind === 'tool_call' && !hasCalls
    hasCalls ||= part.kind === 'tool_call'
    if (isFirstCall && needsSignature) signature ??= NO_SIGNATURE
    const signed = signature === null ? {} : { thoughtSignature: signature }
    parts.push({ ...(part.kind === 'tool_call' ? callPart(part) : { text: part.text }), ...signed })
    signature = null
  }
  if (signature !== null) parts.push({ text: '', thoughtSignature: signature })
  return parts
}

/** Arguments that are not an object, as when a model was cut short, are sent as text. */
function callPart({ id, name, input }: ToolCallBlock): JsonObject {
  return { functionCall: { id, name, args: callInput(input) ?? { input } } }
}

/** A picture, file or sound as a part. Google fetches what stands behind a public address by itself. */
function writeMedia(part: ImagePart | FilePart | AudioPart, notes: Notes): JsonObject {
  const { source, at } = part
  notes.dropCache(part)
  if (part.kind === 'image' && part.detail !== null && part.detail !== 'auto') notes.drop(`${at}.detail`)
  // Google's own API refuses names of files, which Vertex takes.
  if (part.kind === 'file' && part.name !== null) notes.drop(`${at}.filename`)
  if (source.kind === 'data') return { inlineData: { mimeType: typeOf(source.mediaType), data: source.base64 } }
  if (!/^https?:\/\//i.test(source.url)) notes.refuse(at, 'it takes addresses with http or https only')
  return { fileData: { mimeType: source.mediaType ?? guessed(source, part.kind), fileUri: source.url } }
}

/** The name of a type at Google, where it has another. */
function typeOf(mediaType: string): string {
  return mediaType === 'audio/mpeg' ? 'audio/mp3' : mediaType
}

const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  wav: 'audio/wav',
  mp3: 'audio/mp3',
}

/** Google wants a type; an address without a telling end is taken for the most common of its kind. */
function guessed(source: Extract<Source, { kind: 'url' }>, kind: 'image' | 'file' | 'audio'): string {
  const ending = /\.(\w{2,5})(?:[?#]|$)/.exec(source.url)?.[1]?.toLowerCase() ?? ''
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending] ?? ''
  if (kind === 'image') return 'image/jpeg'
  return kind === 'file' ? 'application/pdf' : 'audio/wav'
}
