import { describe, expect, test } from 'vitest'
import { CALLS_OF_STREAM, HELLO, squeezed, streamed, translate } from './calls-by-hand.ts'

/** What upstreams of responses and of Gemini’s protocol make of streamed calls, as each client’s own SDK has them in the end. */
const called = (...calls: [name: string, input: string][]): unknown[] =>
  calls.map(([name, input]) => ({ name, input: squeezed(input) }))

const item = (place: object, fields: object, args: unknown = ''): object => ({
  ...place,
  item: { type: 'function_call', status: 'completed', arguments: args, ...fields },
})
const ADDED = 'response.output_item.added'
const DELTA = 'response.function_call_arguments.delta'
const DONE = 'response.output_item.done'

/** Items of upstreams that speak responses. */
const RESPONSES: readonly {
  from: string
  what: string
  events: readonly (readonly [string, object])[]
  calls: unknown[]
}[] = [
  {
    from: 'openai/openai-agents-python#3161',
    what: 'one output_index for all, one after the other',
    events: [
      [ADDED, item({ output_index: 0 }, { id: 'fc_1', call_id: 'a', name: 'f' })],
      [DELTA, { output_index: 0, item_id: 'fc_1', delta: '{"x":1}' }],
      [DONE, item({ output_index: 0 }, { id: 'fc_1', call_id: 'a', name: 'f' }, '{"x":1}')],
      [ADDED, item({ output_index: 0 }, { id: 'fc_2', call_id: 'b', name: 'g' })],
      [DELTA, { output_index: 0, item_id: 'fc_2', delta: '{"y":2}' }],
      [DONE, item({ output_index: 0 }, { id: 'fc_2', call_id: 'b', name: 'g' }, '{"y":2}')],
    ],
    calls: called(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    from: 'BerriAI/litellm#21331',
    what: 'one output_index for all, mixed',
    events: [
      [ADDED, item({ output_index: 0 }, { id: 'fc_1', call_id: 'a', name: 'f' })],
      [ADDED, item({ output_index: 0 }, { id: 'fc_2', call_id: 'b', name: 'g' })],
      [DELTA, { output_index: 0, item_id: 'fc_1', delta: '{"x"' }],
      [DELTA, { output_index: 0, item_id: 'fc_2', delta: '{"y":2}' }],
      [DELTA, { output_index: 0, item_id: 'fc_1', delta: ':1}' }],
      [DONE, item({ output_index: 0 }, { id: 'fc_1', call_id: 'a', name: 'f' }, '{"x":1}')],
      [DONE, item({ output_index: 0 }, { id: 'fc_2', call_id: 'b', name: 'g' }, '{"y":2}')],
    ],
    calls: called(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    from: 'mcowger/plexus#694',
    what: 'without an output_index',
    events: [
      [ADDED, item({}, { id: 'fc_1', call_id: 'a', name: 'f' })],
      [ADDED, item({}, { id: 'fc_2', call_id: 'b', name: 'g' })],
      [DELTA, { item_id: 'fc_2', delta: '{"y":2}' }],
      [DELTA, { item_id: 'fc_1', delta: '{"x":1}' }],
      [DONE, item({}, { id: 'fc_1', call_id: 'a', name: 'f' }, '{"x":1}')],
      [DONE, item({}, { id: 'fc_2', call_id: 'b', name: 'g' }, '{"y":2}')],
    ],
    calls: called(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    from: 'sipeed/picoclaw#1292',
    what: 'arguments as an object',
    events: [[DONE, item({ output_index: 0 }, { id: 'fc_1', call_id: 'a', name: 'f' }, { x: [1] })]],
    calls: called(['f', '{"x":[1]}']),
  },
  {
    from: 'google/adk-python#951',
    what: 'without any id',
    events: [
      [DONE, item({ output_index: 0 }, { name: 'f' }, '{"x":1}')],
      [DONE, item({ output_index: 1 }, { name: 'f' }, '{"x":1}')],
    ],
    calls: called(['f', '{"x":1}'], ['f', '{"x":1}']),
  },
]

describe.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
  'calls in a stream of responses, for a client of %s',
  (client) => {
    test.each(RESPONSES)('$what ($from)', async ({ events, calls }) => {
      const end = {
        response: { id: 'r', status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1 } },
      }
      const written = [...events, ['response.completed', end] as const].map(([type, fields]) => {
        return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
      })
      const received = await CALLS_OF_STREAM[client](
        streamed(translate(client, HELLO[client], 'openai-responses'), written),
      )
      expect(received.map(({ name, input }) => ({ name, input: squeezed(input) }))).toEqual(calls)
      expect(new Set(received.map(({ id }) => id)).size).toBe(calls.length)
    })
  },
)

describe.each(['openai-chat', 'anthropic-messages', 'openai-responses'] as const)(
  'calls in a stream of Gemini’s, for a client of %s',
  (client) => {
    test.each([
      {
        from: 'cline/cline#9768',
        what: 'one in each chunk',
        sent: [
          ['', 'A'],
          ['', 'B'],
        ],
      },
      {
        from: 'suntianc/dsh-antigravity-auth#33',
        what: 'one id for two',
        sent: [
          ['call_1', 'A'],
          ['call_1', 'B'],
        ],
      },
      {
        from: 'NousResearch/hermes-agent#111686',
        what: 'one that is sent again',
        sent: [
          ['c1', 'A'],
          ['c2', 'B'],
          ['c1', 'A'],
        ],
      },
    ])('$what ($from)', async ({ sent }) => {
      const cities = ['A', 'B']
      const chunks = sent.map(([id, city]) => ({
        functionCall: { ...(id === '' ? {} : { id }), name: 'f', args: { city } },
      }))
      const events = [...chunks, { text: '' }].map((part, i) => {
        const finish = i === sent.length ? { finishReason: 'STOP' } : {}
        const usage = { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 } }
        return `data: ${JSON.stringify({ candidates: [{ index: 0, content: { parts: [part] }, ...finish }], ...usage })}\n\n`
      })
      const received = await CALLS_OF_STREAM[client](streamed(translate(client, HELLO[client], 'gemini'), events))
      expect(received.map(({ input }) => input)).toEqual(cities.map((city) => JSON.stringify({ city })))
      expect(new Set(received.map(({ id }) => id)).size).toBe(cities.length)
    })
  },
)
