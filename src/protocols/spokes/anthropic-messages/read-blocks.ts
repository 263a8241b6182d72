import type { FieldReader } from '../../hub/field-reader.ts'
import type {
  AssistantPart,
  ContentPart,
  ProviderSignature,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../hub/neutral-request.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'
import { inputText } from '../../hub/call-input.ts'
import { readCacheMark } from './cache-mark.ts'
import { readDocument, readImage, readSearchResult } from './read-documents.ts'
import { blocksOf, textPart } from './text-blocks.ts'

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
  const part: ToolResultPart = {
    kind: 'tool_result',
    callId: block.requiredString('tool_use_id'),
    parts: block.raw('content') === null ? [] : blocksOf(block, 'content', resultParts),
    isError: block.boolean('is_error') ?? false,
    at: block.at,
    ...readCacheMark(block),
  }
  block.end()
  return part
}

/** A tool that was searched for is among the request's tools, so that its name is all there is to say. */
function resultParts(block: FieldReader, type: string): ContentPart[] {
  if (type !== 'tool_reference') return contentParts(block, type)
  const part: TextPart = {
    kind: 'text',
    text: block.requiredString('tool_name'),
    at: block.at,
    ...readCacheMark(block),
  }
  block.end()
  return [part]
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
      block.end()
      return [{ kind: 'reasoning', text: '', opaque, at }]
    }
    case 'tool_use': {
      const [id, name] = [block.requiredString('id'), block.requiredString('name')]
      const input = inputText(block.raw('input'))
      const cache = readCacheMark(block)
      block.end()
      return [{ kind: 'tool_call', id, name, input, isCustom: false, at, ...cache }]
    }
    case 'compaction':
      return [compaction(block)]
    default:
      return withoutBlock(block, type)
  }
}

/** An empty signature is none; `part-writer.ts` says why one may name a vendor and hold nothing. */
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
  block.end()
  return { kind: 'text', text, at: block.at, ...cache }
}

const STEP_OF_SERVER_TOOL = /^(?:server_tool_use|mcp_tool_use|mcp_tool_listing|fallback|\w+_tool_result)$/

/** What tools at the provider did is left out; all else that has no place elsewhere is refused. */
function withoutBlock(block: FieldReader, type: string): [] {
  if (!STEP_OF_SERVER_TOOL.test(type)) block.refuse('type', `it has no blocks of type "${type}"`)
  block.notes.drop(`${block.at}.${type}`)
  return []
}
