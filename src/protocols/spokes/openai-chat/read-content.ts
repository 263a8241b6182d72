import { FieldReader, readersOf, wrongKind } from '../../hub/field-reader.ts'
import { heldBytes, readDataUrl } from '../../hub/held-bytes.ts'
import type { CacheMark, ContentPart, RefusalBlock, Source } from '../../hub/neutral-request.ts'

type ChatContentPart = ContentPart | (RefusalBlock & { readonly at: string })

/**
 * The content of one message: text, or a list of parts. Empty text is left out, as most other wires refuse it. Throws the
 * fault `request_invalid` for parts that no other wire carries (video, files that were uploaded before).
 */
export function readContent(message: FieldReader): readonly ChatContentPart[] {
  const content = message.raw('content')
  if (content === null || content === '') return []
  const at = message.path('content')
  if (typeof content === 'string') return [{ kind: 'text', text: content, at }]
  if (!Array.isArray(content)) throw wrongKind(at, 'a text or a list of parts')
  return readersOf(content, at, message.notes).flatMap((part) => {
    const read = readPart(part)
    return part.ended(read === null ? [] : [read])
  })
}

/** Content of which only text, images, files and sound are allowed. */
export function readContentParts(message: FieldReader): readonly ContentPart[] {
  return readContent(message).map((part) => {
    if (part.kind === 'refusal') return message.notes.refuse(part.at, 'only what a model said can be a refusal')
    return part
  })
}

/** `cache_control` is Anthropic's, which OpenRouter and LiteLLM take too; `prompt_cache_breakpoint` is OpenAI's. */
export function readCache(fields: FieldReader): CacheMark | null {
  const control = fields.object('cache_control')
  const breakpoint = fields.object('prompt_cache_breakpoint')
  breakpoint?.raw('mode')
  breakpoint?.end()
  if (control === null) return breakpoint === null ? null : { ttl: null }
  control.raw('type')
  const ttl = control.string('ttl')
  return control.ended({ ttl: ttl === '5m' || ttl === '1h' ? ttl : null })
}

function readPart(part: FieldReader): ChatContentPart | null {
  const { at } = part
  const type = part.requiredString('type')
  const mark = readCache(part)
  const cache = mark === null ? {} : { cache: mark }
  switch (type) {
    case 'text': {
      const text = part.requiredString('text')
      return text === '' ? null : { kind: 'text', text, at, ...cache }
    }
    case 'image_url':
      return { kind: 'image', ...readImage(part), at, ...cache }
    case 'file':
      return { kind: 'file', ...readFile(part), at, ...cache }
    case 'input_audio':
      return { kind: 'audio', source: readAudio(part), at }
    case 'refusal':
      return { kind: 'refusal', text: part.requiredString('refusal'), at }
    default:
      return part.refuse('type', `it has no content of the type ${JSON.stringify(type.slice(0, 40))}`)
  }
}

/** `image_url` is an object at OpenAI, and may be the URL itself at Mistral. */
function readImage(part: FieldReader): { source: Source; detail: string | null } {
  const value = part.raw('image_url')
  if (typeof value === 'string') return { source: sourceOf(part, 'image_url', value), detail: null }
  const image = new FieldReader(value, part.path('image_url'), part.notes)
  const detail = image.string('detail')
  return image.ended({
    source: sourceOf(image, 'url', image.requiredString('url')),
    detail: detail === 'auto' ? null : detail,
  })
}

function readFile(part: FieldReader): { source: Source; name: string | null } {
  const file = new FieldReader(part.raw('file'), part.path('file'), part.notes)
  const name = file.string('filename')
  const format = file.string('format')
  if (file.string('file_id') !== null) file.refuse('file_id', 'an uploaded file stays with its provider')
  const data = file.requiredString('file_data')
  file.end()
  const isUrl = readDataUrl(data) !== null || /^https?:/.test(data)
  return { source: isUrl ? sourceOf(file, 'file_data', data) : heldBytes(format ?? typeByName(name), data), name }
}

function typeByName(name: string | null): string {
  const ending = name?.split('.').at(-1)?.toLowerCase() ?? ''
  return ending === 'txt' || ending === 'md' ? 'text/plain' : 'application/pdf'
}

/** The data is base64 at OpenAI; others take a data URL or a link. */
function readAudio(part: FieldReader): Source {
  const audio = new FieldReader(part.raw('input_audio'), part.path('input_audio'), part.notes)
  const data = audio.requiredString('data')
  const format = audio.string('format') ?? 'wav'
  audio.end()
  const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${format}`
  if (/^https?:/.test(data)) return { kind: 'url', url: data, mediaType }
  return heldBytes(mediaType, data)
}

/** A data URL or a link, at `field`. */
function sourceOf(fields: FieldReader, field: string, url: string): Source {
  if (/^https?:/i.test(url)) return { kind: 'url', url, mediaType: null }
  const held = readDataUrl(url)
  if (held === null) throw wrongKind(fields.path(field), 'a data: URL or an http(s) URL')
  return held
}
