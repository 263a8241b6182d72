/** Anthropic messages: `POST /v1/messages`. */
import { callOf } from './answer.ts'
import type { JsonObject } from './json.ts'
import { listOf, numberOf, objectOf, stringOf, textOf, writeWithUnknown } from './json.ts'
import type { Usage } from './usage.ts'
import { halfOfOutput } from './usage.ts'
import type { Answer, Ask, StreamEvent, ToolCall, Wire } from './wire.ts'
import { MID_STREAM_ERROR, isMiddlePiece } from './wire.ts'

export const messagesWire: Wire = {
  name: 'messages',
  readAsk,
  writeWhole,
  writeStream,
  writeErrorEvent: () =>
    event({ type: 'error', error: { type: 'overloaded_error', message: MID_STREAM_ERROR } }, { blanks: 0 }).text,
}

function readAsk(body: JsonObject): Ask {
  const messages = listOf(body['messages']).map(objectOf)
  const last = messages.findLast((message) => message['role'] === 'user')
  const blocks = listOf(last?.['content']).map(objectOf)
  const result = blocks.find((block) => block['type'] === 'tool_result')
  return {
    stream: body['stream'] === true,
    includeUsage: true,
    lastText: result === undefined ? textOf(last?.['content']) : textOf(result['content']),
    lastIsToolResult: result !== undefined,
    tool: objectOf(body['tool_choice'])['type'] === 'none' ? null : firstTool(body),
    outputLimit: numberOf(body['max_tokens']),
  }
}

/** The first tool that the client runs itself; server tools (web search and the like) have no schema. */
function firstTool(body: JsonObject): ToolCall | null {
  const tool = listOf(body['tools'])
    .map(objectOf)
    .find((one) => one['input_schema'] !== undefined)
  return tool === undefined ? null : callOf(stringOf(tool['name']), tool['input_schema'])
}

export function inputFields(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cached,
  }
}

export function usageFields(usage: Usage): JsonObject {
  return {
    ...inputFields(usage),
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'not_available',
  }
}

export function messageFields(answer: { readonly id: string; readonly model: string }): JsonObject {
  return { id: `msg_${answer.id}`, type: 'message', role: 'assistant', model: answer.model }
}

function stopReason({ tool, isCut }: Answer): string {
  if (tool !== null) return 'tool_use'
  return isCut ? 'max_tokens' : 'end_turn'
}

function writeWhole(answer: Answer): string {
  const { tool } = answer
  const block =
    tool === null
      ? { type: 'text', text: answer.pieces.join('') }
      : { type: 'tool_use', id: `toolu_${answer.id}`, name: tool.name, input: objectOf(JSON.parse(tool.argumentsJson)) }
  return writeWithUnknown({
    ...messageFields(answer),
    content: [block],
    stop_reason: stopReason(answer),
    stop_sequence: null,
    ...(answer.usage === null ? {} : { usage: usageFields(answer.usage) }),
  })
}

function writeStream(answer: Answer): StreamEvent[] {
  const { tool } = answer
  const block =
    tool === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${answer.id}`, name: tool.name, input: {} }
  const events = [
    openingEvent(answer),
    event({ type: 'content_block_start', index: 0, content_block: block }, { blanks: 6 }),
    { text: 'event: ping\ndata: {"type": "ping"}\n\n' },
  ]
  // The provider opens tool arguments with an empty piece.
  if (tool !== null) events.push(deltaEvent({ type: 'input_json_delta', partial_json: '' }, 0))
  for (const [index, text] of answer.pieces.entries()) {
    const delta = tool === null ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: text }
    events.push(deltaEvent(delta, (index * 7) % 13))
    if (answer.sentinel === 'usage-twice' && isMiddlePiece(answer, index)) events.push(growingEvent(answer))
  }
  events.push(event({ type: 'content_block_stop', index: 0 }, { blanks: 3 }), closingEvent(answer))
  events.push(event({ type: 'message_stop' }, { blanks: 9 }))
  return events
}

function deltaEvent(delta: JsonObject, blanks: number): StreamEvent {
  return event({ type: 'content_block_delta', index: 0, delta }, { blanks })
}

/** Input is counted when the answer begins; of the output only the first token is known then. */
function openingEvent(answer: Answer): StreamEvent {
  const { usage } = answer
  const known = usage && { ...usage, output: Math.min(usage.output, 1), reasoning: 0 }
  const message = {
    ...messageFields(answer),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(known === null ? {} : { usage: usageFields(known) }),
  }
  return event({ type: 'message_start', message }, { blanks: 1, reports: known })
}

function growingEvent(answer: Answer): StreamEvent {
  const known = answer.usage && halfOfOutput(answer.usage)
  return messageDelta({ stop_reason: null, stop_sequence: null }, known)
}

function closingEvent(answer: Answer): StreamEvent {
  return messageDelta({ stop_reason: stopReason(answer), stop_sequence: null }, answer.usage)
}

function messageDelta(delta: JsonObject, usage: Usage | null): StreamEvent {
  const counts = usage && {
    ...inputFields(usage),
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
  }
  return event(
    { type: 'message_delta', delta, ...(counts === null ? {} : { usage: counts }) },
    { blanks: 4, reports: usage },
  )
}

/** One event; the blanks before the closing brace stand in recorded streams of the provider too. */
function event(fields: JsonObject, extras: { readonly blanks: number; readonly reports?: Usage | null }): StreamEvent {
  const text = `event: ${stringOf(fields['type'])}\ndata: ${writeWithUnknown(fields, extras.blanks)}\n\n`
  return { text, ...(extras.reports ? { reports: extras.reports } : {}) }
}

/** One event that no blanks are needed in. */
export function namedEvent(fields: JsonObject, extras: { readonly reports?: Usage } = {}): StreamEvent {
  return event(fields, { blanks: 0, ...extras })
}
