import { FieldReader, missing, wrongKind } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, SystemTurn, TextPart, Turn } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { assistantParts, userParts } from './read-blocks.ts'
import { readSettings } from './read-settings.ts'
import { OfferedTools, readToolChoice } from './read-tools.ts'
import { blocksOf, textPart } from './blocks.ts'

/** See Spoke. Which model is asked and whether it streams is the gateway's. */
export function readRequest(json: JsonObject, notes: Notes): NeutralRequest {
  const body = new FieldReader(json, '', notes)
  body.raw('model')
  body.raw('stream')
  const tools = new OfferedTools(body)
  const system = readSystem(body)
  const turns = readMessages(body, tools)
  const settings = readSettings(body)
  const toolChoice = readToolChoice(body, tools, settings)
  return body.ended({ turns: [...system, ...turns], tools: tools.list, toolChoice, settings })
}

/** Claude Code begins its system prompt with a line for Anthropic's accounts, which changes between its versions. */
const BILLING_LINE = 'x-anthropic-billing-header:'

function readSystem(body: FieldReader): SystemTurn[] {
  if (body.raw('system') === null) return []
  const parts = blocksOf(body, 'system', (block, type): TextPart[] => {
    if (type !== 'text') throw wrongKind(block.path('type'), '"text"')
    const part = textPart(block)
    if (!part.text.startsWith(BILLING_LINE)) return [part]
    body.notes.drop('system[].x-anthropic-billing-header')
    return []
  })
  return parts.length === 0 ? [] : [{ role: 'system', parts, at: 'system' }]
}

function readMessages(body: FieldReader, tools: OfferedTools): Turn[] {
  const messages = body.objects('messages')
  if (messages === null) throw missing('messages', 'a list of messages')
  const lastUser = messages.findLastIndex((message) => message.raw('role') === 'user')
  const turns: Turn[] = []
  messages.forEach((message, i) => {
    const turn = readMessage(message, tools, i < lastUser)
    if (turn !== null) turns.push(turn)
  })
  return turns
}

/** Null for a message that is no longer shown. `isPassed`: a message of the user follows. */
function readMessage(message: FieldReader, tools: OfferedTools, isPassed: boolean): Turn | null {
  const role = message.requiredString('role')
  const { at } = message
  if (role === 'system') return readSystemMessage(message, tools, isPassed)
  if (role !== 'user' && role !== 'assistant') throw wrongKind(message.path('role'), '"user", "assistant" or "system"')
  return message.ended(
    role === 'user' ? { role, parts: userParts(message), at } : { role, parts: assistantParts(message), at },
  )
}

/** Reads a system message, which may change the tools as well, from here on. */
function readSystemMessage(message: FieldReader, tools: OfferedTools, isPassed: boolean): SystemTurn | null {
  const isOver = message.string('clear_at') === 'next_user_message' && isPassed
  const read = (block: FieldReader, type: string): TextPart[] => {
    if (type === 'text') return [textPart(block)]
    tools.change(block, type)
    return []
  }
  const parts = message.raw('content') === null ? [] : blocksOf(message, 'content', read)
  message.end()
  if (isOver) message.notes.drop(message.path('clear_at'))
  return isOver || parts.length === 0 ? null : { role: 'system', parts, at: message.at }
}
