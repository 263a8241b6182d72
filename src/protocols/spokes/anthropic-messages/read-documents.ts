import { append } from '../../hub/append.ts'
import { FieldReader, wrongKind } from '../../hub/field-reader.ts'
import { heldBytes, readDataUrl } from '../../hub/held-bytes.ts'
import type { ContentPart, FilePart, ImagePart, Source, TextPart } from '../../hub/neutral-request.ts'
import { readCacheMark } from './cache-mark.ts'
import { blocksOf, textPart } from './text-blocks.ts'

/** A picture in base64 or behind an address. One that was uploaded before is refused: no other provider has it. */
export function readImage(block: FieldReader): ImagePart {
  const source = sourceOf(block)
  const type = source.requiredString('type')
  if (type === 'file') refuseFile(source)
  if (type !== 'base64' && type !== 'url') throw wrongKind(source.path('type'), '"base64" or "url"')
  const read = readBytes(source, type, null)
  const part: ImagePart = { kind: 'image', source: read, detail: null, at: block.at, ...readCacheMark(block) }
  block.end()
  return part
}

/**
 * A document, which is a file where it is one (PDF, plain text), and else the blocks it is made of. Its context is text in
 * front of it. Whether it is to be cited is left out.
 */
export function readDocument(block: FieldReader): ContentPart[] {
  const title = block.string('title')
  const context = block.string('context')
  const cache = readCacheMark(block)
  dropCitations(block)
  const source = sourceOf(block)
  const parts: ContentPart[] = []
  if (context !== null && context !== '') parts.push({ kind: 'text', text: context, at: block.path('context') })
  const type = source.requiredString('type')
  if (type === 'content') {
    if (title !== null && title !== '') parts.push({ kind: 'text', text: title, at: block.path('title') })
    append(parts, contentSource(source))
    const last = parts.pop()
    if (last !== undefined) parts.push({ ...last, ...cache })
  } else {
    const file: FilePart = { kind: 'file', source: fileSource(source, type), name: title, at: block.at, ...cache }
    parts.push(file)
  }
  block.end()
  return parts
}

/** What a search of the client's own found, as text. */
export function readSearchResult(block: FieldReader): TextPart {
  dropCitations(block)
  const [title, source] = [block.requiredString('title'), block.requiredString('source')]
  const texts = blocksOf(block, 'content', onlyText).map((part) => part.text)
  const text = [title, source, ...texts].filter((each) => each !== '').join('\n')
  const part: TextPart = { kind: 'text', text, at: block.at, ...readCacheMark(block) }
  block.end()
  return part
}

function sourceOf(block: FieldReader): FieldReader {
  return block.object('source') ?? new FieldReader(null, block.path('source'), block.notes)
}

function fileSource(source: FieldReader, type: string): Source {
  if (type === 'base64' || type === 'url') return readBytes(source, type, 'application/pdf')
  if (type === 'file') refuseFile(source)
  if (type !== 'text') throw wrongKind(source.path('type'), '"base64", "url", "text" or "content"')
  const mediaType = source.string('media_type') ?? 'text/plain'
  const base64 = Buffer.from(source.requiredString('data')).toString('base64')
  source.end()
  return { kind: 'data', mediaType, base64 }
}

/** `assumed`: what it is where nothing says so. */
function readBytes(source: FieldReader, type: 'base64' | 'url', assumed: string | null): Source {
  const named = type === 'base64' ? source.string('media_type') : null
  const read =
    type === 'url'
      ? addressOf(source.requiredString('url'), assumed)
      : heldBytes(named ?? assumed ?? 'image/png', source.requiredString('data'))
  source.end()
  return read
}

/** Some clients put the bytes themselves there, in a data URL. */
function addressOf(url: string, mediaType: string | null): Source {
  return readDataUrl(url) ?? { kind: 'url', url, mediaType }
}

function contentSource(source: FieldReader): ContentPart[] {
  const parts = blocksOf(source, 'content', (block, type): ContentPart[] => {
    if (type === 'image') return [readImage(block)]
    return onlyText(block, type)
  })
  source.end()
  return parts
}

function onlyText(block: FieldReader, type: string): TextPart[] {
  if (type !== 'text') throw wrongKind(block.path('type'), '"text"')
  return [textPart(block)]
}

function refuseFile(source: FieldReader): never {
  return source.refuse('type', 'a file that was uploaded to one provider is not at another; send its bytes')
}

function dropCitations(block: FieldReader): void {
  const citations = block.object('citations')
  if (citations?.boolean('enabled') === true) block.notes.drop(block.path('citations'))
}
