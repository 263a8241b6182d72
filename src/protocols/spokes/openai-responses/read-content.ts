import { missing, type FieldReader } from '../../hub/field-reader.ts'
import type { AssistantPart, ContentPart, Source, TextPart } from '../../hub/neutral-request.ts'
import { heldBytes, readDataUrl } from '../../hub/held-bytes.ts'
import { sourceOf } from './data-url.ts'

/** The `content` of a message, or the `output` of a tool: a text, or a list of typed parts. */
export function readContent(item: FieldReader, field: string): readonly ContentPart[] {
  const value = item.raw(field)
  if (value === null) throw missing(item.path(field), 'a string or a list')
  if (typeof value === 'string') return [{ kind: 'text', text: value, at: item.path(field) }]
  return (item.objects(field) ?? []).map(readPart)
}

/** The `content` of a message that can hold nothing but text. */
export function readTextContent(item: FieldReader): readonly TextPart[] {
  return readContent(item, 'content').map((part) => {
    if (part.kind === 'text') return part
    return item.notes.refuse(part.at, 'its instructions are text')
  })
}

/** The `content` of a message that the model wrote. */
export function readAnswerContent(item: FieldReader): readonly AssistantPart[] {
  const value = item.raw('content')
  if (value === null) return []
  if (typeof value === 'string') return [{ kind: 'text', text: value, at: item.path('content') }]
  return (item.objects('content') ?? []).map((part) => {
    if (part.string('type') !== 'refusal') return readText(part)
    const text = part.requiredString('refusal')
    return part.ended({ kind: 'refusal', text, at: part.at })
  })
}

function readPart(part: FieldReader): ContentPart {
  const type = part.requiredString('type')
  if (type === 'input_image') return readImage(part)
  if (type === 'input_file') return readFile(part)
  if (type === 'input_audio') return readAudio(part)
  return readText(part)
}

function readText(part: FieldReader): TextPart {
  const type = part.requiredString('type')
  if (!TEXTS.has(type)) part.refuse('type', `it has no content of the type "${type}"`)
  const text = part.requiredString('text')
  // An empty list says nothing; sources of a text that was an answer are a hint.
  for (const field of ['annotations', 'logprobs']) {
    if ((part.list(field) ?? []).length > 0) part.notes.unknown(part.path(field))
  }
  return part.ended({ kind: 'text', text, at: part.at })
}

const TEXTS = new Set(['input_text', 'output_text', 'text'])

function readImage(part: FieldReader): ContentPart {
  refuseStored(part)
  const url = part.string('image_url')
  if (url === null) throw missing(part.path('image_url'), 'an address or a data URL')
  const detail = part.string('detail')
  part.end()
  return {
    kind: 'image',
    source: sourceOf(url),
    detail: detail === 'auto' ? null : detail,
    at: part.at,
  }
}

function readFile(part: FieldReader): ContentPart {
  refuseStored(part)
  const [data, url, name] = [part.string('file_data'), part.string('file_url'), part.string('filename')]
  part.end()
  if (data !== null) return { kind: 'file', source: readFileData(data, name), name, at: part.at }
  if (url === null) throw missing(part.path('file_data'), 'a data URL')
  return { kind: 'file', source: { kind: 'url', url, mediaType: null }, name, at: part.at }
}

/** A data URL, or base64 alone, which OpenAI takes as well; its name tells then what it is. */
function readFileData(data: string, name: string | null): Source {
  return readDataUrl(data) ?? heldBytes(/\.txt$/i.test(name ?? '') ? 'text/plain' : 'application/pdf', data)
}

/** OpenAI's form, and the one of Codex, which has a data URL. */
function readAudio(part: FieldReader): ContentPart {
  const url = part.string('audio_url')
  const inner = url === null ? part.object('input_audio') : null
  part.end()
  if (url !== null) return { kind: 'audio', source: sourceOf(url), at: part.at }
  if (inner === null) throw missing(part.path('input_audio'), 'an object')
  const [data, format] = [inner.requiredString('data'), inner.requiredString('format')]
  inner.end()
  return { kind: 'audio', source: heldBytes(`audio/${format === 'mp3' ? 'mpeg' : format}`, data), at: part.at }
}

function refuseStored(part: FieldReader): void {
  if (part.raw('file_id') !== null) part.refuse('file_id', 'files that are stored at a provider are known there only')
}
