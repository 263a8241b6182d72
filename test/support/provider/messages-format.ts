/** Anthropic's messages at the provider. */
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { namedEvent } from '../../../src/upstreams/demo/wire-answer.ts'
import { type Generation, outputOf, wordsOf } from './generation.ts'
import { askedOf, numberIn, pieces, type ProviderWireFormat, type Step } from './provider-wire.ts'

export const messagesFormat: ProviderWireFormat = {
  read: ({ body }) =>
    askedOf('messages', body, {
      outputLimit: numberIn(body, 'max_tokens'),
      // `auto`, which is what holds unless said, takes the capacity that an organisation has committed to.
      tier: body['service_tier'] !== 'standard_only' && isEager(body) ? 'priority' : 'standard',
      speed: body['speed'] === 'fast' ? 'fast' : null,
      region: stringOf(body['inference_geo']) || null,
      cacheTtl: cacheTtlOf(body),
    }),
  whole: (generation, isReported) => ({
    ...messageOf(generation),
    content: [...toolBlocks(generation), { type: 'text', text: wordsOf(generation.visible) }],
    stop_reason: generation.isCut ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    ...(isReported ? { usage: usageOf(generation, outputOf(generation)) } : {}),
  }),
  stream,
}

function isEager(body: JsonFields): boolean {
  return stringOf(body['model']).includes('eager')
}

/** The time of the last mark that is found: on the body itself, on tools, the system prompt or content. */
function cacheTtlOf(body: JsonFields): '5m' | '1h' | null {
  const places = [body['system'], body['tools'], ...listOf(body['messages']).map((one) => objectOf(one)['content'])]
  const marks = [body, ...places.flatMap(listOf).map(objectOf)].map((place) => objectOf(place['cache_control']))
  const mark = marks.findLast((one) => one['type'] === 'ephemeral')
  if (mark === undefined) return null
  return mark['ttl'] === '1h' ? '1h' : '5m'
}

function* stream(generation: Generation, isReported: boolean): Iterable<Step> {
  const { hidden, visible, extra } = generation
  const start = { ...messageOf(generation), content: [], stop_reason: null, stop_sequence: null }
  const early = isReported ? { usage: usageOf(generation, 1) } : {}
  yield { text: namedEvent({ type: 'message_start', message: { ...start, ...early } }), hidden }
  const blocks = toolBlocks(generation)
  for (const [index, block] of blocks.entries()) {
    yield {
      text:
        namedEvent({ type: 'content_block_start', index, content_block: block }) +
        namedEvent({ type: 'content_block_stop', index }),
    }
  }
  const index = blocks.length
  yield { text: namedEvent({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }) }
  for (const words of pieces(visible)) {
    const delta = { type: 'text_delta', text: wordsOf(words) }
    yield { text: namedEvent({ type: 'content_block_delta', index, delta }), visible: words }
  }
  if (extra !== null) yield { text: namedEvent({ type: 'ping' }), extra: extra.tokens }
  yield { text: namedEvent({ type: 'content_block_stop', index }) }
  const delta = { stop_reason: generation.isCut ? 'max_tokens' : 'end_turn', stop_sequence: null }
  const usage = isReported ? { usage: usageOf(generation, outputOf(generation)) } : {}
  yield { text: namedEvent({ type: 'message_delta', delta, ...usage }), isReport: true }
  yield { text: namedEvent({ type: 'message_stop' }) }
}

function messageOf({ asked }: Generation): JsonFields {
  return { id: 'msg_1', type: 'message', role: 'assistant', model: asked.model }
}

function toolBlocks({ input: { calls } }: Generation): JsonFields[] {
  const blocks = (name: string, count: number, input: JsonFields): JsonFields[] =>
    Array.from({ length: count }, (_, index) => [
      { type: 'server_tool_use', id: `srvtoolu_${name}_${index}`, name, input },
      { type: `${name}_tool_result`, tool_use_id: `srvtoolu_${name}_${index}`, content: [] },
    ]).flat()
  return [
    ...blocks('web_search', calls.webSearch, { query: 'news' }),
    ...blocks('web_fetch', calls.webFetch, { url: 'https://x.test' }),
    ...blocks('bash_code_execution', calls.codeInterpreter, { command: 'ls' }),
  ]
}

function usageOf({ asked, input }: Generation, output: number): JsonFields {
  const fresh = input.tokens - input.cached
  const of = (ttl: '5m' | '1h' | null): number => (asked.cacheTtl === ttl ? fresh : 0)
  return {
    input_tokens: of(null),
    cache_creation_input_tokens: of('5m') + of('1h'),
    cache_read_input_tokens: input.cached,
    cache_creation: { ephemeral_5m_input_tokens: of('5m'), ephemeral_1h_input_tokens: of('1h') },
    output_tokens: output,
    server_tool_use: { web_search_requests: input.calls.webSearch, web_fetch_requests: input.calls.webFetch },
    service_tier: asked.tier,
    ...(asked.speed === null ? {} : { speed: asked.speed }),
    ...(asked.region === null ? {} : { inference_geo: asked.region }),
  }
}
