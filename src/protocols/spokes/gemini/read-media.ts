import type { FieldReader } from '../../hub/field-reader.ts'
import { heldBytes, named } from '../../hub/held-bytes.ts'
import type { AudioPart, FilePart, ImagePart, Source } from '../../hub/neutral-request.ts'

/** What a part or a function's result has in bytes or behind an address; null where it has neither. */
export function readMedia(part: FieldReader): ImagePart | FilePart | AudioPart | null {
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
