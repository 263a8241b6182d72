import { callInput } from '../../hub/call-input.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type {
  AssistantPart,
  AssistantTurn,
  ContentPart,
  FilePart,
  ImagePart,
  Source,
  TextPart,
  ToolResultPart,
  UserPart,
  UserTurn,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { writeCacheMark } from './blocks.ts'

type Turns = readonly (UserTurn | AssistantTurn)[]

/** Turns as `arrangeTurns` gives them. `thinks`: whether thinking is asked for. */
export function writeMessages(turns: Turns, { thinks, notes }: { thinks: boolean; notes: Notes }): JsonObject[] {
  const messages: JsonObject[] = []
  turns.forEach((turn, i) => {
    const isLast = i === turns.length - 1
    const content =
      turn.role === 'user'
        ? turn.parts.map((part) => writeUserBlock(part, notes))
        : answerBlocks(turn.parts, { isBegun: isLast, keepsThinking: thinks || !isLast, notes })
    if (content.length > 0) messages.push({ role: turn.role, content })
  })
  return messages
}

/** `system`, where there is something to say. */
export function writeSystem(parts: readonly TextPart[]): JsonObject {
  return parts.length === 0 ? {} : { system: parts.map(writeTextBlock) }
}

/** `isBegun`: the model is to go on with it. */
interface AnswerOptions {
  readonly isBegun: boolean
  readonly keepsThinking: boolean
  readonly notes: Notes
}

/** An answer must not end in a thought, nor hold one when it is to be gone on with without thinking. */
function answerBlocks(parts: readonly AssistantPart[], { isBegun, keepsThinking, notes }: AnswerOptions): JsonObject[] {
  const end = parts.findLastIndex((part) => part.kind !== 'reasoning') + 1
  const blocks: JsonObject[] = []
  parts.forEach((part, i) => {
    if (part.kind === 'reasoning' && (i >= end || !keepsThinking)) {
      notes.drop(`${part.at}.reasoning`)
    } else blocks.push(answerBlock(part, notes))
  })
  const last = blocks.at(-1)
  if (isBegun && typeof last?.['text'] === 'string') blocks.push({ ...blocks.pop(), text: last['text'].trimEnd() })
  return blocks
}

function answerBlock(part: AssistantPart, notes: Notes): JsonObject {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text, ...writeCacheMark(part) }
    case 'reasoning':
      if (part.opaque?.isRedacted === true) return { type: 'redacted_thinking', data: part.opaque.data }
      return { type: 'thinking', thinking: part.text, signature: part.opaque?.data ?? '' }
    case 'tool_call': {
      const input = callInput(part.input)
      if (input === null) notes.drop(part.at)
      return { type: 'tool_use', id: part.id, name: part.name, input: input ?? {}, ...writeCacheMark(part) }
    }
  }
}

/** One part of the model's input. Sound is refused: this wire has none. */
function writeUserBlock(part: UserPart, notes: Notes): JsonObject {
  return part.kind === 'tool_result' ? writeResult(part, notes) : writeContent(part, notes)
}

function writeTextBlock(part: TextPart): JsonObject {
  return { type: 'text', text: part.text, ...writeCacheMark(part) }
}

function writeContent(part: ContentPart, notes: Notes): JsonObject {
  switch (part.kind) {
    case 'text':
      return writeTextBlock(part)
    case 'image':
      return writeImage(part, notes)
    case 'file':
      return writeDocument(part, notes)
    case 'audio':
      return notes.refuse(part.at, 'it takes no sound')
  }
}

/** A single text goes as a string, as which it may be white space. */
function writeResult(part: ToolResultPart, notes: Notes): JsonObject {
  const only = part.parts.length === 1 ? part.parts[0] : undefined
  const isText = only?.kind === 'text' && only.cache === undefined
  const parts = part.parts.filter((each) => each.kind !== 'text' || /\S/.test(each.text))
  const content = isText ? only.text : parts.map((each) => writeContent(each, notes))
  return {
    type: 'tool_result',
    tool_use_id: part.callId,
    ...(content.length === 0 ? {} : { content }),
    ...(part.isError ? { is_error: true } : {}),
    ...writeCacheMark(part),
  }
}

function writeImage(part: ImagePart, notes: Notes): JsonObject {
  if (part.detail !== null && part.detail !== 'auto') notes.drop(`${part.at}.detail`)
  return { type: 'image', source: writeSource(part.source), ...writeCacheMark(part) }
}

/** Bytes that are text in all but name. */
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|typescript|sql)\b)/i

function writeDocument(part: FilePart, notes: Notes): JsonObject {
  const title = part.name === null || part.name === '' ? {} : { title: part.name }
  return { type: 'document', source: documentSource(part, notes), ...title, ...writeCacheMark(part) }
}

function documentSource({ source, at }: FilePart, notes: Notes): JsonObject {
  const type = (source.mediaType ?? 'application/pdf').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/pdf') return writeSource(source)
  if (source.kind === 'data' && TEXT.test(type)) {
    return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.base64, 'base64').toString() }
  }
  return notes.refuse(at, 'the documents it takes are PDF, by their bytes or address, and text by its bytes')
}

function writeSource(source: Source): JsonObject {
  if (source.kind === 'url') return { type: 'url', url: source.url }
  return { type: 'base64', media_type: source.mediaType, data: source.base64 }
}
