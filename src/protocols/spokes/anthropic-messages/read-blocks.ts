import { FieldReader, wrongKind } from '../../hub/field-reader.ts'
import type {
  AssistantPart,
  ContentPart,
  FilePart,
  ImagePart,
  ProviderSignature,
  Source,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../hub/neutral-request.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'
import { inputText } from '../../hub/call-input.ts'
import { blocksOf, readCacheMark, textPart } from './blocks.ts'
import { append } from '../../hub/merged-turns.ts'
import { heldBytes, readDataUrl } from '../../hub/held-bytes.ts'

/** The parts of a message of the user. */
export function userParts(message: FieldReader): readonly UserPart[] {
  return blocksOf(message, 'content', (block, type): UserPart[] => {
    return type === 'tool_result' ? [toolResult(block)] : contentParts(block, type)
  })
}

/** The parts of what the model said. */
export function assistantParts(message: FieldReader): readonly AssistantPart[] {
  return blocksOf(message, 'content', assistantBlock)
}

function contentParts(block: FieldReader, type: string): ContentPart[] {
  switch (type) {
    case 'text':
      return [textPart(block)]
    case 'image':
      return [readImage(block)]
    case 'document':
      return readDocument(block)
    case 'search_result':
      return [readSearchResult(block)]
    default:
      return withoutBlock(block, type)
  }
}

function toolResult(block: FieldReader): ToolResultPart {
  return block.ended({
    kind: 'tool_result',
    callId: block.requiredString('tool_use_id'),
    parts: block.raw('content') === null ? [] : blocksOf(block, 'content', resultParts),
    isError: block.boolean('is_error') ?? false,
    at: block.at,
    ...readCacheMark(block),
  })
}

/** A tool that was searched for is among the request's tools, so that its name is all there is to say. */
function resultParts(block: FieldReader, type: string): ContentPart[] {
  if (type !== 'tool_reference') return contentParts(block, type)
  return [
    block.ended({
      kind: 'text',
      text: block.requiredString('tool_name'),
      at: block.at,
      ...readCacheMark(block),
    }),
  ]
}

function assistantBlock(block: FieldReader, type: string): AssistantPart[] {
  const { at } = block
  switch (type) {
    case 'text':
      return [textPart(block)]
    case 'thinking':
      return thinking(block)
    case 'redacted_thinking': {
      const opaque = openOpaque(block.requiredString('data'), 'anthropic', { isRedacted: true })
      return [block.ended({ kind: 'reasoning', text: '', opaque, at })]
    }
    case 'tool_use': {
      const [id, name] = [block.requiredString('id'), block.requiredString('name')]
      const input = inputText(block.raw('input'))
      const cache = readCacheMark(block)
      return [block.ended({ kind: 'tool_call', id, name, input, isCustom: false, at, ...cache })]
    }
    case 'compaction':
      return [compaction(block)]
    default:
      return withoutBlock(block, type)
  }
}

/** An empty signature is none; `answer-fields.ts` says why one may name a vendor and hold nothing. */
function thinking(block: FieldReader): AssistantPart[] {
  const text = block.string('thinking') ?? ''
  const signature = block.string('signature') ?? ''
  block.end()
  const found = signature === '' ? null : openOpaque(signature, 'anthropic')
  const opaque: ProviderSignature | null = found?.data === '' ? null : found
  return text === '' && opaque === null ? [] : [{ kind: 'reasoning', text, opaque, at: block.at }]
}

/** What stands for an earlier part of the conversation, in words. */
function compaction(block: FieldReader): AssistantPart {
  const text = block.string('content')
  if (text === null) return block.refuse('content', 'it cannot read this summary of the conversation')
  for (const name of ['encrypted_content', 'signature', 'tool_changes']) block.raw(name)
  const cache = readCacheMark(block)
  return block.ended({ kind: 'text', text, at: block.at, ...cache })
}

const STEP_OF_SERVER_TOOL = /^(?:server_tool_use|mcp_tool_use|mcp_tool_listing|fallback|\w+_tool_result)$/

/** What tools at the provider did is left out; all else that has no place elsewhere is refused. */
function withoutBlock(block: FieldReader, type: string): [] {
  if (!STEP_OF_SERVER_TOOL.test(type)) block.refuse('type', `it has no blocks of type "${type}"`)
  block.notes.drop(`${block.at}.${type}`)
  return []
}

/** A picture in base64 or behind an address. One that was uploaded before is refused: no other provider has it. */
function readImage(block: FieldReader): ImagePart {
  const source = sourceOf(block)
  const type = source.requiredString('type')
  if (type === 'file') refuseFile(source)
  if (type !== 'base64' && type !== 'url') throw wrongKind(source.path('type'), '"base64" or "url"')
  const read = readBytes(source, type, null)
  return block.ended({ kind: 'image', source: read, detail: null, at: block.at, ...readCacheMark(block) })
}

/**
 * A document, which is a file where it is one (PDF, plain text), and else the blocks it is made of. Its context is text in
 * front of it. Whether it is to be cited is left out.
 */
function readDocument(block: FieldReader): ContentPart[] {
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
function readSearchResult(block: FieldReader): TextPart {
  dropCitations(block)
  const [title, source] = [block.requiredString('title'), block.requiredString('source')]
  const texts = blocksOf(block, 'content', onlyText).map((part) => part.text)
  const text = [title, source, ...texts].filter((each) => each !== '').join('\n')
  return block.ended({ kind: 'text', text, at: block.at, ...readCacheMark(block) })
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
  return source.ended({ kind: 'data', mediaType, base64 })
}

/** `assumed`: what it is where nothing says so. */
function readBytes(source: FieldReader, type: 'base64' | 'url', assumed: string | null): Source {
  const named = type === 'base64' ? source.string('media_type') : null
  return source.ended(
    type === 'url'
      ? addressOf(source.requiredString('url'), assumed)
      : heldBytes(named ?? assumed ?? 'image/png', source.requiredString('data')),
  )
}

/** Some clients put the bytes themselves there, in a data URL. */
function addressOf(url: string, mediaType: string | null): Source {
  return readDataUrl(url) ?? { kind: 'url', url, mediaType }
}

function contentSource(source: FieldReader): ContentPart[] {
  return source.ended(
    blocksOf(source, 'content', (block, type): ContentPart[] => {
      if (type === 'image') return [readImage(block)]
      return onlyText(block, type)
    }),
  )
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
