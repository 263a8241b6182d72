/** The agent over responses. */
import type { JsonObject } from '../json.ts'
import { listOf, objectOf, stringOf, textOf } from '../json.ts'
import { Sequence, responseFields } from '../responses-wire.ts'
import type { StreamEvent } from '../wire.ts'
import { piecesOf } from './pieces.ts'
import { judgeResponses } from './responses-rules.ts'
import { sign } from './signature.ts'
import type { AgentAnswer, AgentCall, AgentWire, OfferedTool, Situation } from './situation.ts'

export const responsesAgent: AgentWire = { judge: judgeResponses, read, writeWhole, writeStream }

function read(request: JsonObject): Situation {
  const { input } = request
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input).map(objectOf)
  const lastOther = items.findLastIndex((item) => !isResult(item))
  const results = items.slice(lastOther + 1)
  const reasoning = objectOf(request['reasoning'])
  const more = items.filter((item) => item['type'] === 'additional_tools').flatMap((item) => listOf(item['tools']))
  const offered = toolsOf([...listOf(request['tools']), ...more])
  return {
    stream: request['stream'] === true,
    includeUsage: true,
    tools: request['tool_choice'] === 'none' ? [] : offered,
    spoken: items.filter((item) => item['role'] === 'user').flatMap((item) => textsOf(item['content'])),
    toolResult: results.length === 0 ? null : results.map((item) => textOf(item['output'])).join('\n'),
    thinking: !thinks(request) ? 'none' : (reasoning['summary'] ?? null) === null ? 'hidden' : 'shown',
  }
}

/** Not where it would be lost: neither kept at the provider nor given in cipher. */
function thinks(request: JsonObject): boolean {
  const effort = objectOf(request['reasoning'])['effort'] ?? null
  return effort !== 'none' && (request['store'] !== false || asksForCipher(request) || effort !== null)
}

function asksForCipher(request: JsonObject): boolean {
  return listOf(request['include']).includes('reasoning.encrypted_content')
}

function isResult(item: JsonObject): boolean {
  return stringOf(item['type']).endsWith('_call_output')
}

function toolsOf(list: readonly unknown[], namespace: string | null = null): OfferedTool[] {
  return list.map(objectOf).flatMap((tool) => {
    const { type } = tool
    const name = stringOf(tool['name'])
    if (type === 'namespace' && namespace === null) return toolsOf(listOf(tool['tools']), name)
    if (type !== 'function' && type !== 'custom') return []
    return [{ kind: type, name, namespace, schema: objectOf(tool['parameters']) } as const]
  })
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).map((part) => stringOf(objectOf(part)['text']))
}

interface Item {
  /** As it stands in the finished answer. */
  readonly whole: JsonObject
  /** As it is first announced. */
  readonly begun: JsonObject
  addMiddle(sequence: Sequence, at: { output_index: number }): void
}

function itemsOf(answer: AgentAnswer): Item[] {
  const { thought, text, call } = answer.turn
  return [
    ...(thought === null ? [] : [reasoningItem(answer, thought)]),
    messageItem(answer, text),
    ...(call === null ? [] : [callItem(answer, call)]),
  ]
}

/** What was thought is given in cipher only to those who ask for it, and its summary likewise. */
function reasoningItem(answer: AgentAnswer, thought: string): Item {
  const cipher = asksForCipher(answer.request) ? { encrypted_content: sign('responses', thought) } : {}
  const begun = { id: `rs_${answer.id}`, type: 'reasoning', summary: [], ...cipher }
  if (answer.situation.thinking !== 'shown') return { whole: begun, begun, addMiddle: () => undefined }
  const summary = { type: 'summary_text', text: thought }
  return {
    whole: { ...begun, summary: [summary] },
    begun,
    addMiddle: (sequence, { output_index }) => {
      const at = { item_id: begun.id, output_index, summary_index: 0 }
      sequence.add('response.reasoning_summary_part.added', { ...at, part: { ...summary, text: '' } })
      for (const delta of piecesOf(thought)) sequence.add('response.reasoning_summary_text.delta', { ...at, delta })
      sequence.add('response.reasoning_summary_text.done', { ...at, text: thought })
      sequence.add('response.reasoning_summary_part.done', { ...at, part: summary })
    },
  }
}

function messageItem(answer: AgentAnswer, text: string): Item {
  const phase = answer.turn.call === null ? 'final_answer' : 'commentary'
  const item = { id: `msg_${answer.id}`, type: 'message', role: 'assistant', phase }
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  return {
    whole: { ...item, status: 'completed', content: [part] },
    begun: { ...item, status: 'in_progress', content: [] },
    addMiddle: (sequence, { output_index }) => {
      const at = { item_id: item.id, output_index, content_index: 0 }
      sequence.add('response.content_part.added', { ...at, part: { ...part, text: '' } })
      for (const delta of piecesOf(text)) sequence.add('response.output_text.delta', { ...at, delta, logprobs: [] })
      sequence.add('response.output_text.done', { ...at, text, logprobs: [] })
      sequence.add('response.content_part.done', { ...at, part })
    },
  }
}

function callItem(answer: AgentAnswer, call: AgentCall): Item {
  const isCustom = call.tool.kind === 'custom'
  const field = isCustom ? 'input' : 'arguments'
  const event = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const item = {
    id: `${isCustom ? 'ctc' : 'fc'}_${answer.id}`,
    type: isCustom ? 'custom_tool_call' : 'function_call',
    call_id: `call_${answer.id}`,
    name: call.tool.name,
    ...(call.tool.namespace === null ? {} : { namespace: call.tool.namespace }),
  }
  return {
    whole: { ...item, status: 'completed', [field]: call.input },
    begun: { ...item, status: 'in_progress', [field]: '' },
    addMiddle: (sequence, { output_index }) => {
      const at = { item_id: item.id, output_index }
      for (const delta of piecesOf(call.input)) sequence.add(`${event}.delta`, { ...at, delta })
      sequence.add(`${event}.done`, { ...at, [field]: call.input, ...(isCustom ? {} : { name: call.tool.name }) })
    },
  }
}

function writeWhole(answer: AgentAnswer): JsonObject {
  return responseFields(answer, 'completed', { output: itemsOf(answer).map(({ whole }) => whole), usage: answer.usage })
}

function writeStream(answer: AgentAnswer): StreamEvent[] {
  const sequence = new Sequence()
  for (const type of ['response.created', 'response.in_progress']) {
    sequence.add(type, { response: responseFields(answer, 'in_progress', {}) })
  }
  for (const [output_index, item] of itemsOf(answer).entries()) {
    sequence.add('response.output_item.added', { output_index, item: item.begun })
    item.addMiddle(sequence, { output_index })
    sequence.add('response.output_item.done', { output_index, item: item.whole })
  }
  sequence.add('response.completed', { response: writeWhole(answer) }, answer.usage)
  return sequence.events
}
