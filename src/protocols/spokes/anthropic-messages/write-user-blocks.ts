import type { JsonObject } from '../../json/json-object.ts'
import type {
  ContentPart,
  FilePart,
  ImagePart,
  Source,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { writeCacheMark } from './cache-mark.ts'

/** One part of the model's input. Sound is refused: this wire has none. */
export function writeUserBlock(part: UserPart, notes: Notes): JsonObject {
  return part.kind === 'tool_result' ? writeResult(part, notes) : writeContent(part, notes)
}

export function writeTextBlock(part: TextPart): JsonObject {
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
