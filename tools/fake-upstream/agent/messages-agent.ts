/** The agent over Anthropic messages. */
import type { JsonObject } from '../json.ts'
import { listOf, objectOf, stringOf, textOf } from '../json.ts'
import { inputFields, messageFields, namedEvent, usageFields } from '../messages-wire.ts'
import type { StreamEvent } from '../wire.ts'
import { judgeMessages } from './messages-rules.ts'
import { piecesOf } from './pieces.ts'
import { sign } from './signature.ts'
import type { AgentAnswer, AgentWire, OfferedTool, Situation } from './situation.ts'

export const messagesAgent: AgentWire = { judge: judgeMessages, read, writeWhole, writeStream }

function read(request: JsonObject): Situation {
  const messages = listOf(request['messages']).map(objectOf)
  const users = messages.filter((message) => message['role'] === 'user')
  const results = listOf(users.at(-1)?.['content'])
    .map(objectOf)
    .filter((block) => block['type'] === 'tool_result')
  const thinking = objectOf(request['thinking'])
  const thinks = ['enabled', 'adaptive', 'between_tools'].includes(stringOf(thinking['type']))
  return {
    stream: request['stream'] === true,
    includeUsage: true,
    tools: objectOf(request['tool_choice'])['type'] === 'none' ? [] : toolsOf(request),
    spoken: users.flatMap((message) => textsOf(message['content'])),
    toolResult: results.length === 0 ? null : results.map((block) => textOf(block['content'])).join('\n'),
    thinking: !thinks ? 'none' : thinking['display'] === 'omitted' ? 'hidden' : 'shown',
  }
}

/** Those that the client runs itself; a tool that is deferred cannot be called before it was searched for. */
function toolsOf(request: JsonObject): OfferedTool[] {
  return listOf(request['tools'])
    .map(objectOf)
    .filter((tool) => tool['input_schema'] !== undefined && tool['defer_loading'] !== true)
    .map((tool) => {
      return { kind: 'function', name: stringOf(tool['name']), namespace: null, schema: objectOf(tool['input_schema']) }
    })
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content)
    .map((block) => stringOf(objectOf(block)['text']))
    .filter((text) => text !== '')
}

function blocksOf(answer: AgentAnswer): JsonObject[] {
  const { thought, text, call } = answer.turn
  const thinking = answer.situation.thinking === 'hidden' ? '' : thought
  return [
    ...(thought === null ? [] : [{ type: 'thinking', thinking, signature: sign('messages', thought) }]),
    { type: 'text', text },
    ...(call === null
      ? []
      : [{ type: 'tool_use', id: `toolu_${answer.id}`, name: call.tool.name, input: call.arguments }]),
  ]
}

function stopReason(answer: AgentAnswer): string {
  return answer.turn.call === null ? 'end_turn' : 'tool_use'
}

function writeWhole(answer: AgentAnswer): JsonObject {
  return {
    ...messageFields(answer),
    content: blocksOf(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: usageFields(answer.usage),
  }
}

function writeStream(answer: AgentAnswer): StreamEvent[] {
  const { usage } = answer
  const known = { ...usage, output: Math.min(usage.output, 1), reasoning: 0 }
  const opened = { ...messageFields(answer), content: [], stop_reason: null, stop_sequence: null }
  const counts = { ...inputFields(usage), output_tokens: usage.output, output_tokens_details: thoughtCount(answer) }
  return [
    namedEvent({ type: 'message_start', message: { ...opened, usage: usageFields(known) } }, { reports: known }),
    ...blocksOf(answer).flatMap((block, index) => blockEvents(block, index)),
    namedEvent(
      { type: 'message_delta', delta: { stop_reason: stopReason(answer), stop_sequence: null }, usage: counts },
      { reports: usage },
    ),
    namedEvent({ type: 'message_stop' }),
  ]
}

function thoughtCount(answer: AgentAnswer): JsonObject {
  return { thinking_tokens: answer.usage.reasoning }
}

/** As the provider does it: arguments open with an empty piece, a signature comes in one, and a ping may stand anywhere. */
function blockEvents(block: JsonObject, index: number): StreamEvent[] {
  const delta = (fields: JsonObject): StreamEvent => namedEvent({ type: 'content_block_delta', index, delta: fields })
  const start = (fields: JsonObject): StreamEvent =>
    namedEvent({ type: 'content_block_start', index, content_block: fields })
  const stop = namedEvent({ type: 'content_block_stop', index })
  const ping = index === 0 ? [{ text: 'event: ping\ndata: {"type": "ping"}\n\n' }] : []
  if (block['type'] === 'thinking') {
    const thoughts = piecesOf(stringOf(block['thinking'])).map((thinking) =>
      delta({ type: 'thinking_delta', thinking }),
    )
    const signed = delta({ type: 'signature_delta', signature: block['signature'] })
    return [start({ type: 'thinking', thinking: '', signature: '' }), ...ping, ...thoughts, signed, stop]
  }
  if (block['type'] === 'text') {
    const texts = piecesOf(stringOf(block['text'])).map((text) => delta({ type: 'text_delta', text }))
    return [start({ type: 'text', text: '' }), ...ping, ...texts, stop]
  }
  const json = ['', ...piecesOf(JSON.stringify(block['input']))]
  const inputs = json.map((piece) => delta({ type: 'input_json_delta', partial_json: piece }))
  return [start({ ...block, input: {} }), ...inputs, stop]
}
