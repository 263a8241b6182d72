/** OpenAI responses: `POST /v1/responses`. */
import { callOf } from './answer.ts'
import type { JsonObject } from './json.ts'
import { listOf, numberOf, objectOf, stringOf, textOf, writeWithUnknown } from './json.ts'
import type { Usage } from './usage.ts'
import { halfOfOutput, promptTokens } from './usage.ts'
import type { Answer, Ask, StreamEvent, ToolCall, Wire } from './wire.ts'
import { CREATED_AT_SECONDS, MID_STREAM_ERROR } from './wire.ts'

export const responsesWire: Wire = { name: 'responses', readAsk, writeWhole, writeStream, writeErrorEvent }

function readAsk(body: JsonObject): Ask {
  const input = body['input']
  const items = listOf(input).map(objectOf)
  const spoken = items.findLast((item) => item['role'] === 'user' || isResult(item))
  return {
    stream: body['stream'] === true,
    includeUsage: true,
    lastText: typeof input === 'string' ? input : textOf(isResult(spoken) ? spoken?.['output'] : spoken?.['content']),
    lastIsToolResult: isResult(items.at(-1)),
    tool: body['tool_choice'] === 'none' ? null : firstTool(body),
    outputLimit: numberOf(body['max_output_tokens']),
  }
}

function isResult(item: JsonObject | undefined): boolean {
  return stringOf(item?.['type']).endsWith('_call_output')
}

function firstTool(body: JsonObject): ToolCall | null {
  const tool = listOf(body['tools'])
    .map(objectOf)
    .find((one) => one['type'] === 'function')
  return tool === undefined ? null : callOf(stringOf(tool['name']), tool['parameters'])
}

function usageFields(usage: Usage): JsonObject {
  const prompt = promptTokens(usage)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: prompt + usage.output,
  }
}

type State = 'in_progress' | 'completed' | 'incomplete' | 'failed'

function endOf({ isCut }: Answer): State {
  return isCut ? 'incomplete' : 'completed'
}

interface ResponseParts {
  readonly output?: readonly JsonObject[]
  readonly usage?: Usage | null
  readonly error?: JsonObject
}

/** All fields that the provider sends; what the call sets is repeated from it. */
export function responseFields(
  answer: Pick<Answer, 'id' | 'model' | 'request'>,
  status: State,
  parts: ResponseParts,
): JsonObject {
  const { request } = answer
  const asked = (name: string, otherwise: unknown): unknown => request[name] ?? otherwise
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: CREATED_AT_SECONDS,
    status,
    background: false,
    completed_at: status === 'completed' ? CREATED_AT_SECONDS + 1 : null,
    error: parts.error ?? null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: asked('instructions', null),
    max_output_tokens: asked('max_output_tokens', null),
    max_tool_calls: asked('max_tool_calls', null),
    model: answer.model,
    output: parts.output ?? [],
    parallel_tool_calls: asked('parallel_tool_calls', true),
    presence_penalty: asked('presence_penalty', 0),
    frequency_penalty: asked('frequency_penalty', 0),
    previous_response_id: asked('previous_response_id', null),
    prompt_cache_key: asked('prompt_cache_key', null),
    reasoning: asked('reasoning', { effort: null, summary: null }),
    safety_identifier: asked('safety_identifier', null),
    service_tier: 'default',
    store: asked('store', true),
    temperature: asked('temperature', 1),
    text: asked('text', { format: { type: 'text' }, verbosity: 'medium' }),
    tool_choice: asked('tool_choice', 'auto'),
    tools: listOf(request['tools']).map((tool) => ({ strict: null, ...objectOf(tool) })),
    top_logprobs: asked('top_logprobs', 0),
    top_p: asked('top_p', 1),
    truncation: asked('truncation', 'disabled'),
    usage: parts.usage ? usageFields(parts.usage) : null,
    user: asked('user', null),
    metadata: asked('metadata', {}),
  }
}

function writeWhole(answer: Answer): string {
  return writeWithUnknown(
    responseFields(answer, endOf(answer), { output: [finishedItem(answer)], usage: answer.usage }),
  )
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

function messageItem(answer: Answer, content: readonly JsonObject[], status: State): JsonObject {
  return { id: `msg_${answer.id}`, type: 'message', status, content, role: 'assistant' }
}

function callItem(answer: Answer, tool: ToolCall, call: { argumentsJson: string; status: State }): JsonObject {
  const { argumentsJson, status } = call
  const ids = { id: `fc_${answer.id}`, call_id: `call_${answer.id}` }
  return { ...ids, type: 'function_call', status, arguments: argumentsJson, name: tool.name }
}

function finishedItem(answer: Answer): JsonObject {
  const { tool } = answer
  if (tool === null) return messageItem(answer, [textPart(answer.pieces.join(''))], endOf(answer))
  return callItem(answer, tool, { argumentsJson: tool.argumentsJson, status: 'completed' })
}

/** Collects events and numbers them. */
export class Sequence {
  readonly events: StreamEvent[] = []

  add(type: string, fields: JsonObject, reports?: Usage | null): void {
    const written = writeWithUnknown({ type, sequence_number: this.events.length, ...fields })
    this.events.push({ text: `event: ${type}\ndata: ${written}\n\n`, ...(reports ? { reports } : {}) })
  }
}

function writeStream(answer: Answer): StreamEvent[] {
  const { tool, usage } = answer
  const sequence = new Sequence()
  // A count that grows: only these two events have room for it without breaking the order that clients insist on.
  const grows = answer.sentinel === 'usage-twice' && usage !== null
  for (const type of ['response.created', 'response.in_progress']) {
    const known = grows ? halfOfOutput(usage) : null
    sequence.add(type, { response: responseFields(answer, 'in_progress', { usage: known }) }, known)
  }
  if (tool === null) addMessage(sequence, answer)
  else addCall(sequence, answer, tool)
  const item = finishedItem(answer)
  sequence.add('response.output_item.done', { output_index: 0, item })
  const state = endOf(answer)
  sequence.add(`response.${state}`, { response: responseFields(answer, state, { output: [item], usage }) }, usage)
  return sequence.events
}

function addMessage(sequence: Sequence, answer: Answer): void {
  const place = { item_id: `msg_${answer.id}`, output_index: 0, content_index: 0 }
  const whole = answer.pieces.join('')
  sequence.add('response.output_item.added', { output_index: 0, item: messageItem(answer, [], 'in_progress') })
  sequence.add('response.content_part.added', { ...place, part: textPart('') })
  for (const [index, delta] of answer.pieces.entries()) {
    const obfuscation = 'x'.repeat((index * 5) % 11)
    sequence.add('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation })
  }
  sequence.add('response.output_text.done', { ...place, text: whole, logprobs: [] })
  sequence.add('response.content_part.done', { ...place, part: textPart(whole) })
}

function addCall(sequence: Sequence, answer: Answer, tool: ToolCall): void {
  const place = { item_id: `fc_${answer.id}`, output_index: 0 }
  const item = callItem(answer, tool, { argumentsJson: '', status: 'in_progress' })
  sequence.add('response.output_item.added', { output_index: 0, item })
  for (const delta of answer.pieces) {
    sequence.add('response.function_call_arguments.delta', { ...place, delta })
  }
  const done = { ...place, arguments: tool.argumentsJson, name: tool.name }
  sequence.add('response.function_call_arguments.done', done)
}

function writeErrorEvent(answer: Answer, place: { readonly index: number; readonly bare: boolean }): string {
  const problem = { code: 'server_error', message: MID_STREAM_ERROR }
  const fields = place.bare
    ? { type: 'error', sequence_number: place.index, ...problem, param: null }
    : {
        type: 'response.failed',
        sequence_number: place.index,
        response: responseFields(answer, 'failed', { error: problem }),
      }
  return `event: ${fields.type}\ndata: ${writeWithUnknown(fields)}\n\n`
}
