/** The agent over chat completions. It shows its thoughts in `reasoning_content`, as many providers of this wire do. */
import { chatEnvelope, chatUsage } from '../chat-wire.ts'
import type { JsonObject } from '../json.ts'
import { listOf, objectOf, stringOf, textOf, writeWithUnknown } from '../json.ts'
import type { StreamEvent } from '../wire.ts'
import { judgeChat } from './chat-rules.ts'
import { piecesOf } from './pieces.ts'
import type { AgentAnswer, AgentWire, OfferedTool, Situation } from './situation.ts'

export const chatAgent: AgentWire = { judge: judgeChat, read, writeWhole, writeStream }

function read(request: JsonObject): Situation {
  const messages = listOf(request['messages']).map(objectOf)
  const lastOther = messages.findLastIndex((message) => message['role'] !== 'tool')
  const results = messages.slice(lastOther + 1)
  const choice = request['tool_choice']
  return {
    stream: request['stream'] === true,
    includeUsage: objectOf(request['stream_options'])['include_usage'] === true,
    tools: choice === 'none' ? [] : toolsOf(request),
    spoken: messages.filter((message) => message['role'] === 'user').flatMap((message) => textsOf(message['content'])),
    toolResult: results.length === 0 ? null : results.map((message) => textOf(message['content'])).join('\n'),
    thinking: request['reasoning_effort'] === 'none' ? 'none' : 'shown',
  }
}

function toolsOf(request: JsonObject): OfferedTool[] {
  return listOf(request['tools'])
    .map(objectOf)
    .filter((tool) => tool['type'] === 'function')
    .map((tool) => {
      const { name, parameters } = objectOf(tool['function'])
      return { kind: 'function', name: stringOf(name), namespace: null, schema: objectOf(parameters) }
    })
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).map((part) => stringOf(objectOf(part)['text']))
}

function callFields(answer: AgentAnswer, argumentsJson: string): JsonObject[] {
  const { call } = answer.turn
  if (call === null) return []
  return [{ id: `call_${answer.id}`, type: 'function', function: { name: call.tool.name, arguments: argumentsJson } }]
}

function finish(answer: AgentAnswer): string {
  return answer.turn.call === null ? 'stop' : 'tool_calls'
}

function writeWhole(answer: AgentAnswer): JsonObject {
  const { thought, text, call } = answer.turn
  const said = { role: 'assistant', content: text, refusal: null, annotations: [] }
  const message = {
    ...said,
    ...(thought === null ? {} : { reasoning_content: thought }),
    ...(call === null ? {} : { tool_calls: callFields(answer, call.input) }),
  }
  return {
    ...chatEnvelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish(answer) }],
    usage: chatUsage(answer.usage),
  }
}

function writeStream(answer: AgentAnswer): StreamEvent[] {
  const { thought, text, call } = answer.turn
  const deltas: JsonObject[] = [{ role: 'assistant', content: '', refusal: null }]
  for (const piece of piecesOf(thought ?? '')) deltas.push({ reasoning_content: piece })
  for (const piece of piecesOf(text)) deltas.push({ content: piece })
  if (call !== null) deltas.push({ tool_calls: callFields(answer, '').map((one) => ({ index: 0, ...one })) })
  for (const piece of piecesOf(call?.input ?? '')) {
    deltas.push({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
  }
  const { includeUsage } = answer.situation
  const events = deltas.map((delta) => chunk(answer, [{ index: 0, delta, logprobs: null, finish_reason: null }]))
  events.push(chunk(answer, [{ index: 0, delta: {}, logprobs: null, finish_reason: finish(answer) }]))
  if (includeUsage) events.push({ ...chunk(answer, [], chatUsage(answer.usage)), reports: answer.usage })
  return [...events, { text: 'data: [DONE]\n\n' }]
}

function chunk(answer: AgentAnswer, choices: readonly JsonObject[], usage: JsonObject | null = null): StreamEvent {
  const counts = answer.situation.includeUsage ? { usage } : {}
  const fields = { ...chatEnvelope(answer, 'chat.completion.chunk'), choices, ...counts }
  return { text: `data: ${writeWithUnknown(fields)}\n\n` }
}
