import type { AudioPart, FilePart, ImagePart, Source } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import type { JsonObject } from '../../json/json-object.ts'

interface MediaContext {
  readonly notes: Notes
  readonly names: DocumentNames
}

/** A picture, document or sound as a block. */
export function writeMedia(part: ImagePart | FilePart | AudioPart, { notes, names }: MediaContext): JsonObject {
  const { source, at } = part
  if (part.kind === 'image') {
    if (part.detail !== null && part.detail !== 'auto') notes.drop(`${at}.detail`)
    const format = formatOf(source, IMAGES) ?? notes.refuse(at, `it takes pictures as ${[...IMAGES.keys()].join(', ')}`)
    return { image: { format, source: writeSource(source, at, notes) } }
  }
  if (part.kind === 'audio') {
    const format = formatOf(source, SOUNDS) ?? notes.refuse(at, 'it takes no sound of this format')
    return { audio: { format, source: writeSource(source, at, notes) } }
  }
  const format = formatOf(source, DOCUMENTS) ?? textFormat(source)
  if (format === null) return notes.refuse(at, 'it takes documents as PDF, Word, Excel, CSV, HTML, Markdown and text')
  return { document: { format, name: names.next(part.name), source: writeSource(source, at, notes) } }
}

/** `ImageFormat`, `AudioFormat` and `DocumentFormat` of the SDK, by media types. */
const IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])
const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/aac', 'aac'],
  ['audio/mp4', 'mp4'],
  ['audio/webm', 'webm'],
])
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
])

/** The media types of formats, for the reader. */
export const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
  [...SOUNDS, ...DOCUMENTS, ...IMAGES].toReversed().map(([type, format]) => [format, type]),
)

function formatOf({ mediaType }: Source, formats: ReadonlyMap<string, string>): string | null {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return formats.get(type) ?? null
}

/** Bytes that are text in all but name. */
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|typescript|sql)\b)/i

function textFormat({ mediaType }: Source): string | null {
  return TEXT.test(mediaType ?? '') ? 'txt' : null
}

/** Bedrock fetches from S3 alone. */
function writeSource(source: Source, at: string, notes: Notes): JsonObject {
  if (source.kind === 'data') return { bytes: source.base64 }
  if (/^s3:\/\//i.test(source.url)) return { s3Location: { uri: source.url } }
  return notes.refuse(at, 'it fetches nothing from the web', 'Send its bytes.')
}

const NAME_CHARACTERS_LIMIT = 200

/**
 * Names of documents as Bedrock takes them: letters, digits, single blanks, `-`, `_`, parentheses and brackets, 200 at most
 * (API reference, `DocumentBlock`; the underscore by vercel/ai #20366 and aws-samples/generative-ai-use-cases #1671), without
 * the extension, which is the format. No two documents of a request have the same.
 */
export class DocumentNames {
  readonly #used = new Set<string>()

  next(fileName: string | null): string {
    const plain = (fileName ?? '')
      .replace(/\.[A-Za-z0-9]{1,8}$/, '')
      .replace(/[^A-Za-z0-9()[\]_-]+/g, ' ')
      .trim()
      .slice(0, NAME_CHARACTERS_LIMIT - SERIAL_CHARACTERS)
      .trimEnd()
    const base = plain === '' ? 'document' : plain
    let name = base
    for (let serial = 2; this.#used.has(name); serial++) name = `${base} ${serial}`
    this.#used.add(name)
    return name
  }
}

/** Room for a number behind a name. */
const SERIAL_CHARACTERS = 6
