/** OpenAI's responses at the provider. */
import { type JsonFields, stringOf } from '../../../src/upstreams/demo/json.ts'
import { namedEvent } from '../../../src/upstreams/demo/wire-answer.ts'
import { type Generation, outputOf, wordsOf } from './generation.ts'
import {
  askedOf,
  CREATED_AT,
  numberIn,
  openAiTier,
  pieces,
  type ProviderWireFormat,
  type Step,
} from './provider-wire.ts'

export const responsesFormat: ProviderWireFormat = {
  read: ({ body }) =>
    askedOf('responses', body, {
      outputLimit: numberIn(body, 'max_output_tokens'),
      tier: openAiTier(stringOf(body['model']), body['service_tier']),
    }),
  whole: (generation, isReported) => responseOf(generation, { isDone: true, isReported }),
  stream,
}

function* stream(generation: Generation, isReported: boolean): Iterable<Step> {
  const { hidden, visible, extra } = generation
  let sequence = 0
  const event = (type: string, more: JsonFields): string => namedEvent({ type, sequence_number: sequence++, ...more })
  const begun = responseOf(generation, { isDone: false, isReported: false })
  yield {
    text: event('response.created', { response: begun }) + event('response.in_progress', { response: begun }),
    hidden,
  }
  const items = toolItems(generation)
  for (const [index, item] of items.entries()) {
    yield { text: event('response.output_item.done', { output_index: index, item }) }
  }
  const place = { item_id: 'msg_1', output_index: items.length, content_index: 0 }
  const part = (text: string): JsonFields => ({ type: 'output_text', annotations: [], logprobs: [], text })
  const message = (status: string, content: readonly JsonFields[]): JsonFields => ({
    id: 'msg_1',
    type: 'message',
    status,
    role: 'assistant',
    content,
  })
  yield {
    text:
      event('response.output_item.added', { output_index: items.length, item: message('in_progress', []) }) +
      event('response.content_part.added', { ...place, part: part('') }),
  }
  for (const words of pieces(visible)) {
    yield {
      text: event('response.output_text.delta', { ...place, delta: wordsOf(words), logprobs: [] }),
      visible: words,
    }
  }
  if (extra !== null) yield { text: ': extra\n\n', extra: extra.tokens }
  const text = wordsOf(visible)
  yield {
    text:
      event('response.output_text.done', { ...place, text, logprobs: [] }) +
      event('response.content_part.done', { ...place, part: part(text) }) +
      event('response.output_item.done', {
        output_index: items.length,
        item: message('completed', [part(text)]),
      }),
  }
  const type = generation.isCut ? 'response.incomplete' : 'response.completed'
  yield { text: event(type, { response: responseOf(generation, { isDone: true, isReported }) }), isReport: true }
}

/** One item for each call of a tool that the provider ran. */
function toolItems({ input: { calls } }: Generation): JsonFields[] {
  const items = (type: string, count: number, more: JsonFields = {}): JsonFields[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${type}_${index}`, type, status: 'completed', ...more }))
  return [
    ...items('web_search_call', calls.webSearch, { action: { type: 'search', query: 'news' } }),
    ...items('file_search_call', calls.fileSearch, { queries: ['notes'], results: null }),
    ...items('code_interpreter_call', calls.codeInterpreter, { code: '1 + 1', container_id: 'cntr_1', outputs: null }),
    ...items('image_generation_call', calls.imageGeneration, { result: 'iVBORw0KGgo=' }),
    ...items('x_search_call', calls.xSearch, { action: { type: 'search', query: 'news' } }),
    ...items('mcp_call', calls.others, { name: 'read', server_label: 'docs', arguments: '{}', output: '' }),
  ]
}

function responseOf(
  generation: Generation,
  { isDone, isReported }: { isDone: boolean; isReported: boolean },
): JsonFields {
  const { asked, visible, isCut } = generation
  const status = isDone ? (isCut ? 'incomplete' : 'completed') : 'in_progress'
  const content = [{ type: 'output_text', annotations: [], logprobs: [], text: wordsOf(visible) }]
  const message = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: CREATED_AT,
    status,
    background: false,
    error: null,
    incomplete_details: isDone && isCut ? { reason: 'max_output_tokens' } : null,
    model: asked.model,
    output: isDone ? [...toolItems(generation), message] : [],
    service_tier: isDone ? asked.tier : (asked.body['service_tier'] ?? 'auto'),
    tools: asked.body['tools'] ?? [],
    usage: isDone && isReported ? usageOf(generation) : null,
  }
}

function usageOf(generation: Generation): JsonFields {
  const { input, hidden } = generation
  const output = outputOf(generation)
  return {
    input_tokens: input.tokens,
    input_tokens_details: { cached_tokens: input.cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: hidden },
    total_tokens: input.tokens + output,
  }
}
