import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import type {
  AssistantPart,
  AssistantTurn,
  AudioPart,
  ContentPart,
  FilePart,
  ImagePart,
  ReasoningBlock,
  Source,
  ToolResultPart,
  Turn,
  UserPart,
  UserTurn,
} from '../../hub/neutral-request.ts'
import { inputText } from '../../hub/call-input.ts'
import { CallsByName } from '../../hub/calls-by-name.ts'
import { openSignature } from './signatures.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { writeJson } from '../../json/exact-json.ts'
import { heldBytes, named } from '../../hub/held-bytes.ts'

/** The conversation. Calls have ids on this wire only since 2025; where one has none, it gets one by its place. */
export function readContents(contents: readonly FieldReader[]): readonly Turn[] {
  const ids = new CallIds()
  return contents.map((content) => {
    const role = content.string('role') ?? 'user'
    const parts = content.objects('parts') ?? []
    return content.ended(role === 'model' ? modelTurn(content, parts, ids) : userTurn(content, parts, { role, ids }))
  })
}

function userTurn(content: FieldReader, parts: readonly FieldReader[], of: { role: string; ids: CallIds }): UserTurn {
  if (of.role !== 'user' && of.role !== 'function') throw wrongKind(content.path('role'), '"user" or "model"')
  return { role: 'user', parts: parts.flatMap((part) => userParts(part, of.ids)), at: content.at }
}

function userParts(part: FieldReader, ids: CallIds): UserPart[] {
  if (part.raw('thoughtSignature') !== null) part.notes.drop(part.path('thoughtSignature'))
  part.boolean('thought')
  const text = part.string('text')
  const response = part.object('functionResponse')
  const media = readMedia(part)
  endPart(part)
  if (response !== null) return [readFunctionResponse(response, ids)]
  if (media !== null) return [media]
  return text === null || text === '' ? [] : [{ kind: 'text', text, at: part.at }]
}

function modelTurn(content: FieldReader, parts: readonly FieldReader[], ids: CallIds): AssistantTurn {
  const read: AssistantPart[] = []
  ids.beginAnswer()
  for (const part of parts) readModelPart(part, read, ids)
  return { role: 'assistant', parts: read, at: content.at }
}

/** A signature belongs to the part that it stands on, and is reasoning in front of it; a thought before that is its text. */
function readModelPart(part: FieldReader, read: AssistantPart[], ids: CallIds): void {
  const { at } = part
  const signature = part.string('thoughtSignature')
  const isThought = part.boolean('thought') === true
  const text = part.string('text') ?? ''
  const call = part.object('functionCall')
  if (part.raw('inlineData') !== null) part.refuse('inlineData', 'it has no pictures or sound that a model made')
  if (part.raw('fileData') !== null) part.refuse('fileData', 'it has no files that a model made')
  endPart(part)
  if (isThought && text !== '') read.push({ kind: 'reasoning', text, opaque: null, at })
  const signed = signature === null ? null : openSignature(signature)
  if (signed !== null) addSigned(read, signed, at)
  if (isThought) return
  if (text !== '') read.push({ kind: 'text', text, at })
  if (call !== null) read.push(readCall(call, ids))
}

function addSigned(read: AssistantPart[], signed: ReasoningBlock, at: string): void {
  const before = read.at(-1)
  const isItsText = before?.kind === 'reasoning' && before.opaque === null
  if (isItsText) read.pop()
  const text = signed.text !== '' || !isItsText ? signed.text : before.text
  read.push({ ...signed, text, at: isItsText ? before.at : at })
}

function readCall(call: FieldReader, ids: CallIds): AssistantPart {
  const name = call.requiredString('name')
  const input = inputText(call.rawObject('args'))
  const id = ids.ofCall(call.string('id'), { name, at: call.at })
  if (call.boolean('willContinue') === true) call.refuse('willContinue', 'it has no calls in pieces')
  return call.ended({ kind: 'tool_call', id, name, input, isCustom: false, at: call.at })
}

/** Steps of tools that ran at Google cannot be shown to another model as what they are. */
function endPart(part: FieldReader): void {
  for (const name of ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']) {
    if (part.raw(name) !== null) part.refuse(name, 'it has no steps of tools that ran at Google')
  }
  part.end()
}

/**
 * The result of a call: an object with `output`, or `error`, or of any other form, which goes as the JSON that it is. Files
 * that belong to it stand beside it.
 */
function readFunctionResponse(response: FieldReader, ids: CallIds): ToolResultPart {
  const { at } = response
  const name = response.requiredString('name')
  const callId = ids.ofResult(response.string('id'), { name, at })
  const { text, isError } = readResult(response.rawObject('response') ?? {})
  const parts: ContentPart[] = text === '' ? [] : [{ kind: 'text', text, at: response.path('response') }]
  for (const part of response.objects('parts') ?? []) {
    const media = readMedia(part)
    part.end()
    if (media !== null) parts.push(media)
  }
  if (response.boolean('willContinue') === true) response.refuse('willContinue', 'it has no results in pieces')
  return response.ended({ kind: 'tool_result', callId, parts, isError, at })
}

function readResult(result: JsonObject): { readonly text: string; readonly isError: boolean } {
  const names = Object.keys(result)
  if (names.length === 0) return { text: '', isError: false }
  const [only] = names
  if (names.length === 1 && (only === 'output' || only === 'error')) {
    return { text: textOf(result[only]), isError: only === 'error' }
  }
  const isError = (result['error'] ?? null) !== null && result['output'] === undefined
  return { text: writeJson(() => result), isError }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(() => value)
}

/** What a part or a function's result has in bytes or behind an address; null where it has neither. */
function readMedia(part: FieldReader): ImagePart | FilePart | AudioPart | null {
  const detail = detailOf(part.object('mediaResolution'))
  const inline = part.object('inlineData')
  const file = inline === null ? part.object('fileData') : null
  const holder = inline ?? file
  if (holder === null) return null
  const name = holder.string('displayName')
  const mediaType = holder.string('mimeType')
  const source = inline === null ? addressOf(holder, mediaType) : heldBytes(mediaType, holder.requiredString('data'))
  holder.end()
  const kind = (source.mediaType ?? typeOfAddress(source)).split('/')[0]
  const { at } = part
  if (kind === 'video') part.refuse(inline === null ? 'fileData' : 'inlineData', 'it has no videos')
  if (kind === 'image') return { kind: 'image', source, detail, at }
  return kind === 'audio' ? { kind: 'audio', source, at } : { kind: 'file', source, name, at }
}

function addressOf(file: FieldReader, mediaType: string | null): Source {
  const url = file.requiredString('fileUri')
  if (!/^https?:\/\//i.test(url) || GOOGLES.test(url)) {
    file.refuse('fileUri', 'files that were uploaded to Google are not there; send the bytes as inlineData')
  }
  return { kind: 'url', url, mediaType: mediaType === null ? null : named(mediaType) }
}

/** Uploads, and films that Google looks at by itself. */
const GOOGLES = /^https?:\/\/(?:generativelanguage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\//i

/** The type by the ending of an address that comes without one. */
function typeOfAddress(source: Source): string {
  const ending = source.kind === 'url' ? /\.(\w+)(?:[?#]|$)/.exec(source.url)?.[1]?.toLowerCase() : undefined
  if (ending !== undefined && ['png', 'jpg', 'jpeg', 'gif', 'webp', 'heic'].includes(ending)) return 'image/*'
  return 'application/octet-stream'
}

function detailOf(resolution: FieldReader | null): string | null {
  const level = resolution?.string('level')?.replace('MEDIA_RESOLUTION_', '').toLowerCase() ?? null
  resolution?.end()
  if (level === 'low' || level === 'high') return level
  return level === 'ultra_high' ? 'high' : null
}

interface NamedCall {
  readonly name: string
  /** Where it stands in the client's body. */
  readonly at: string
}

/**
 * Finds the call of a conversation that a result is for. Where calls have no ids they are matched by their names and their order, as
 * Google does. Ids that are made up come from the place of the call, so that the same conversation gets the same ids with
 * each request and an upstream's prompt cache holds.
 */
class CallIds {
  /** Calls of the latest answer that have no result yet, by id and by name, the earlier ones first. */
  #byId = new CallsByName(isOpen)
  #byName = new CallsByName(isOpen)

  /** Results are for calls of the answer before them. */
  beginAnswer(): void {
    this.#byId = new CallsByName(isOpen)
    this.#byName = new CallsByName(isOpen)
  }

  ofCall(given: string | null, call: NamedCall): string {
    const id = given === null || given === '' ? idByPlace(call) : given
    const open = { id, isOpen: true }
    this.#byId.add(id, open)
    this.#byName.add(call.name, open)
    return id
  }

  ofResult(given: string | null, result: NamedCall): string {
    const isNamed = given !== null && given !== ''
    const call = isNamed ? this.#byId.firstOpen(given) : this.#byName.firstOpen(result.name)
    if (call !== undefined) call.isOpen = false
    return call?.id ?? (isNamed ? given : idByPlace(result))
  }
}

interface OpenCall {
  readonly id: string
  isOpen: boolean
}

function isOpen(call: OpenCall): boolean {
  return call.isOpen
}

/** `contents[3].parts[1].functionCall` is `call_3_1`. */
function idByPlace({ at }: NamedCall): string {
  return `call_${at.match(/\d+/g)?.join('_') ?? '0'}`
}
