import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import type {
  AssistantPart,
  AssistantTurn,
  ReasoningBlock,
  Turn,
  UserPart,
  UserTurn,
} from '../../hub/neutral-request.ts'
import { inputText } from '../../hub/call-input.ts'
import { CallIds } from './call-ids.ts'
import { readMedia } from './read-media.ts'
import { readFunctionResponse } from './read-function-response.ts'
import { openSignature } from './signatures.ts'

/** The conversation. Calls have ids on this wire only since 2025; where one has none, it gets one by its place. */
export function readContents(contents: readonly FieldReader[]): readonly Turn[] {
  const ids = new CallIds()
  return contents.map((content) => {
    const role = content.string('role') ?? 'user'
    const parts = content.objects('parts') ?? []
    const turn = role === 'model' ? modelTurn(content, parts, ids) : userTurn(content, parts, { role, ids })
    content.end()
    return turn
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
  call.end()
  return { kind: 'tool_call', id, name, input, isCustom: false, at: call.at }
}

/** Steps of tools that ran at Google cannot be shown to another model as what they are. */
function endPart(part: FieldReader): void {
  for (const name of ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']) {
    if (part.raw(name) !== null) part.refuse(name, 'it has no steps of tools that ran at Google')
  }
  part.end()
}
