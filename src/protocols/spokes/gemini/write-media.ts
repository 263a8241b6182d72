import type { JsonObject } from '../../json/json-object.ts'
import type { AudioPart, FilePart, ImagePart, Source } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'

/** A picture, file or sound as a part. Google fetches what stands behind a public address by itself. */
export function writeMedia(part: ImagePart | FilePart | AudioPart, notes: Notes): JsonObject {
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
