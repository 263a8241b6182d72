import type { JsonObject } from '../../json/json-object.ts'
import type { AudioPart, ContentPart, FilePart, ImagePart, Source, TextPart } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'

/** Stands between texts that were parts of their own: many providers take text only as one string. */
export const BETWEEN_PARTS = '\n\n'

/** The content of a user's message: one text where it is all text, else a list of parts. */
export function writeContent(parts: readonly ContentPart[], notes: Notes): string | readonly JsonObject[] {
  const readable = parts.map(asText)
  if (readable.every((part) => part.kind === 'text')) return joinTexts(readable, notes)
  return readable.map((part) => writePart(part, notes))
}

/** Texts as one. Marks for the cache are left out: this wire has none. */
export function joinTexts(parts: readonly TextPart[], notes: Notes): string {
  for (const part of parts) notes.dropCache(part)
  return parts.map(({ text }) => text).join(BETWEEN_PARTS)
}

/** A document of plain text is text; others stay as they are. */
export function asText(part: ContentPart): ContentPart {
  if (part.kind !== 'file' || part.source.kind !== 'data' || !part.source.mediaType.startsWith('text/')) return part
  const { name, at, source, cache } = part
  const text = Buffer.from(source.base64, 'base64').toString()
  const titled = name === null ? text : `${name}:${BETWEEN_PARTS}${text}`
  return { kind: 'text', text: titled, at, ...(cache === undefined ? {} : { cache }) }
}

function writePart(part: ContentPart, notes: Notes): JsonObject {
  notes.dropCache(part)
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return writeImage(part)
    case 'file':
      return writeFile(part, notes)
    case 'audio':
      return writeAudio(part, notes)
  }
}

function writeImage({ source, detail }: ImagePart): JsonObject {
  const url = source.kind === 'url' ? source.url : dataUrl(source)
  return { type: 'image_url', image_url: { url, ...(detail === null ? {} : { detail }) } }
}

/** OpenAI takes a file with its name and as a data URL, never by a link. */
function writeFile({ source, name, at }: FilePart, notes: Notes): JsonObject {
  if (source.kind === 'url') return notes.refuse(at, 'it takes files as data, not by a link')
  const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document')
  return { type: 'file', file: { filename, file_data: dataUrl(source) } }
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

function writeAudio({ source, at }: AudioPart, notes: Notes): JsonObject {
  if (source.kind === 'url') return notes.refuse(at, 'it takes sound as data, not by a link')
  const format = AUDIO_FORMATS[source.mediaType]
  if (format === undefined) return notes.refuse(at, 'it takes sound as WAV or MP3')
  return { type: 'input_audio', input_audio: { data: source.base64, format } }
}

function dataUrl({ mediaType, base64 }: Extract<Source, { kind: 'data' }>): string {
  return `data:${mediaType};base64,${base64}`
}
