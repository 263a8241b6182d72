import type { ModelFacts } from '../../../models/facts.ts'
import { callInput } from '../../hub/call-input.ts'
import type {
  AssistantPart,
  AssistantTurn,
  CacheMark,
  ContentPart,
  TextPart,
  ToolResultPart,
  UserTurn,
} from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { writeCachePoint } from './cache-point.ts'
import { DocumentNames, writeMedia } from './write-media.ts'

interface ConverseContext {
  readonly facts: ModelFacts
  readonly notes: Notes
}

interface NamedContext extends ConverseContext {
  readonly names: DocumentNames
}

/** Turns as `arrangeTurns` gives them, as `messages`. */
export function writeMessages(turns: readonly (UserTurn | AssistantTurn)[], context: ConverseContext): JsonObject[] {
  const names = new DocumentNames()
  return turns.flatMap((turn, i): JsonObject[] => {
    const own = { ...context, names }
    const content = turn.role === 'user' ? userBlocks(turn, own) : answerBlocks(turn.parts, i === turns.length - 1, own)
    return content.length === 0 ? [] : [{ role: turn.role, content }]
  })
}

/** `system`, where there is something to say. */
export function writeSystem(parts: readonly TextPart[], context: ConverseContext): JsonObject {
  if (parts.length === 0) return {}
  return { system: parts.flatMap((part) => [{ text: part.text }, ...pointBehind(part, context)]) }
}

/** The point of a cache behind a block, where the model takes one. */
function pointBehind(
  part: { readonly at: string; readonly cache?: CacheMark },
  { facts, notes }: ConverseContext,
): readonly JsonObject[] {
  if (facts.cache_points !== 'none') return writeCachePoint(part)
  notes.dropCache(part)
  return []
}

/** A document is refused in a message without text (API reference, `ContentBlock`). */
const BESIDE_DOCUMENTS = 'The document is attached.'

/** Results come first, then what they showed that cannot stand within them, then the user's words. */
function userBlocks({ parts }: UserTurn, context: NamedContext): JsonObject[] {
  const results: JsonObject[] = []
  const shown: JsonObject[] = []
  const said: JsonObject[] = []
  for (const part of parts) {
    if (part.kind === 'tool_result') results.push(...resultBlocks(part, shown, context))
    else said.push(...contentBlocks(part, context))
  }
  const blocks = [...results, ...shown, ...said]
  const lacksText = blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block)
  return lacksText ? [...blocks, { text: BESIDE_DOCUMENTS }] : blocks
}

function contentBlocks(part: ContentPart, context: NamedContext): JsonObject[] {
  const block = part.kind === 'text' ? { text: part.text } : writeMedia(part, context)
  if (part.kind === 'audio') return [block]
  // A point directly behind a document of text is refused (pizza-bot-app/pizza-bot #6).
  if (part.kind === 'file') {
    context.notes.dropCache(part)
    return [block]
  }
  return [block, ...pointBehind(part, context)]
}

const NO_OUTPUT = '(no output)'

/** `shown`: takes pictures and files of the result that the model does not take within it. */
function resultBlocks(result: ToolResultPart, shown: JsonObject[], context: NamedContext): JsonObject[] {
  const { facts, notes } = context
  const content: JsonObject[] = []
  for (const part of result.parts) {
    if (part.kind === 'text') {
      notes.dropCache(part)
      if (/\S/.test(part.text)) content.push({ text: part.text })
    } else if (facts.media_in_results && part.kind !== 'audio') content.push(writeMedia(part, context))
    else shown.push(...contentBlocks(part, context))
  }
  // An error without content is refused (aws-samples/sample-multi-agent-orchestration-chat-on-agentcore #15).
  if (content.length === 0) content.push({ text: NO_OUTPUT })
  const toolResult = { toolUseId: result.callId, content, ...statusOf(result, context) }
  return [{ toolResult }, ...pointBehind(result, context)]
}

/** Only Claude and Nova take a status (API reference, `ToolResultBlock`); elsewhere the words of the result have to do. */
function statusOf({ isError, at }: ToolResultPart, { facts, notes }: ConverseContext): JsonObject {
  if (!isError) return {}
  const { extra_fields: maker } = facts
  if (maker === 'anthropic' || maker === 'nova') return { status: 'error' }
  notes.drop(`${at}.is_error`)
  return {}
}

/** An answer must not end in a thought. */
function answerBlocks(parts: readonly AssistantPart[], isLast: boolean, context: NamedContext): JsonObject[] {
  const end = parts.findLastIndex((part) => part.kind !== 'reasoning') + 1
  const blocks = parts.flatMap((part, i): JsonObject[] => {
    if (part.kind !== 'reasoning' || i < end) return [answerBlock(part, context), ...pointBehind(part, context)]
    context.notes.drop(`${part.at}.reasoning`)
    return []
  })
  const last = blocks.at(-1)
  const text = isLast ? last?.['text'] : undefined
  // White space at the end of an answer that is gone on with is refused by Claude.
  return typeof text === 'string' ? [...blocks.slice(0, -1), { text: text.trimEnd() }] : blocks
}

function answerBlock(part: AssistantPart, { notes }: NamedContext): JsonObject {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { text: part.text }
    case 'reasoning': {
      const data = part.opaque?.data ?? ''
      if (part.opaque?.isRedacted === true) return { reasoningContent: { redactedContent: data } }
      return { reasoningContent: { reasoningText: { text: part.text, signature: data } } }
    }
    case 'tool_call': {
      const input = callInput(part.input)
      if (input === null) notes.drop(part.at)
      return { toolUse: { toolUseId: part.id, name: part.name, input: input ?? {} } }
    }
  }
}
