import type { ModelFacts } from '../../../models/facts.ts'
import { append } from '../../hub/append.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { mergedTurns } from '../../hub/merged-turns.ts'
import type { ContentPart, ToolResultPart, Turn, UserTurn } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { writeAssistant, type MessagesContext } from './write-assistant.ts'
import { asText, BETWEEN_PARTS, joinTexts, writeContent } from './write-content.ts'

/**
 * The conversation as messages. Results of tools have to follow their calls at once, so system text between them
 * comes behind. `developer` is written `system`, which every provider knows and OpenAI reads as the same.
 */
export function writeMessages(turns: readonly Turn[], context: MessagesContext): readonly JsonObject[] {
  const { facts } = context
  const messages = messagesOf(turns, context)
  return begun(facts.system_messages === 'one' ? withOneSystemMessage(messages) : messages, facts)
}

/** Some providers refuse a second message of the system; what it says goes into the first. */
function withOneSystemMessage(messages: readonly JsonObject[]): readonly JsonObject[] {
  const instructions = messages.filter(({ role }) => role === 'system')
  if (instructions.length === 0 || (instructions.length === 1 && messages[0]?.['role'] === 'system')) return messages
  const content = instructions.map((message) => String(message['content'])).join(BETWEEN_PARTS)
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')]
}

/** An answer that the model is to go on with is marked, where its provider wants that. */
function begun(messages: readonly JsonObject[], { prefill }: ModelFacts): readonly JsonObject[] {
  const last = messages.at(-1)
  if (prefill !== 'prefix' && prefill !== 'partial') return messages
  if (last?.['role'] !== 'assistant' || last['tool_calls'] !== undefined) return messages
  return [...messages.slice(0, -1), { ...last, [prefill]: true }]
}

function messagesOf(turns: readonly Turn[], context: MessagesContext): readonly JsonObject[] {
  const messages: JsonObject[] = []
  let held: JsonObject[] = []
  let callsAreOpen = false
  for (const turn of mergedTurns(turns)) {
    if (turn.role !== 'assistant' && turn.role !== 'user') {
      const message = { role: context.facts.system_role, content: joinTexts(turn.parts, context.notes) }
      ;(callsAreOpen ? held : messages).push(message)
    } else if (turn.role === 'assistant') {
      append(messages, [...held, ...writeAssistant(turn, context)])
      held = []
      callsAreOpen = turn.parts.some(({ kind }) => kind === 'tool_call')
    } else {
      const { results, rest } = writeUser(turn, context.notes)
      append(messages, [...results, ...held, ...rest])
      held = []
      callsAreOpen = false
    }
  }
  return [...messages, ...held]
}

function writeUser({ parts }: UserTurn, notes: Notes): { results: JsonObject[]; rest: JsonObject[] } {
  const results: JsonObject[] = []
  const content: ContentPart[] = []
  for (const part of parts) {
    if (part.kind !== 'tool_result') continue
    const { text, behind } = writeResult(part, notes)
    results.push({ role: 'tool', tool_call_id: part.callId, content: text })
    append(content, behind)
  }
  for (const part of parts) if (part.kind !== 'tool_result') content.push(part)
  if (content.length === 0 && results.length > 0) return { results, rest: [] }
  return { results, rest: [{ role: 'user', content: writeContent(content, notes) }] }
}

/**
 * A tool's message holds text alone. What else the tool gave follows in a message of the user, behind the results of all
 * tools, and the text says so. A failed call has no field either: its text begins with `Error: `.
 */
function writeResult(part: ToolResultPart, notes: Notes): { text: string; behind: readonly ContentPart[] } {
  notes.dropCache(part)
  const { callId, isError, at } = part
  const parts = part.parts.map(asText)
  const texts = parts.filter((each) => each.kind === 'text')
  const behind = parts.filter((each) => each.kind !== 'text')
  const pointing = behind.map(({ kind }) => `[${KINDS[kind]} follows in the next message of the user.]`)
  const pointers = pointing.map((text) => ({ kind: 'text', text, at }) as const)
  const text = joinTexts([...texts, ...pointers], notes)
  const heading = `Given by the tool call ${callId}:`
  return {
    text: isError ? `Error: ${text}` : text,
    behind: behind.length === 0 ? [] : [{ kind: 'text', text: heading, at }, ...behind],
  }
}

const KINDS = { image: 'An image', file: 'A file', audio: 'Sound' } as const
