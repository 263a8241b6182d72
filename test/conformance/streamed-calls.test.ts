import { describe, expect, test } from 'vitest'
import type { ChatWire } from '../../src/core/wire.ts'
import { CALLS_OF_STREAM, chatStream, HELLO, squeezed, streamed, translate } from './calls-by-hand.ts'

/** What upstreams of the chat wire make of streamed calls, and what each client's own SDK has in the end. */
const CLIENTS = ['openai-responses', 'anthropic-messages', 'gemini'] as const satisfies readonly ChatWire[]

const fn = (name: unknown, args: unknown): object => ({ name, arguments: args })
const called = (...calls: [name: string, input: string][]): unknown[] =>
  calls.map(([name, input]) => ({ name, input: squeezed(input) }))

const STREAMS: readonly { from: string; what: string; entries: readonly unknown[]; calls: unknown[] }[] = [
  {
    from: 'ai-dynamo/dynamo#4723',
    what: 'index 0 for all, whole calls with ids of their own',
    entries: [
      { index: 0, id: 'a', function: fn('add', '{"a":2,"b":2}') },
      { index: 0, id: 'b', function: fn('weather', '{"city":"Tokyo"}') },
    ],
    calls: called(['add', '{"a":2,"b":2}'], ['weather', '{"city":"Tokyo"}']),
  },
  {
    from: 'huggingface/smolagents#1958',
    what: 'index 0 and one id for all, the same function',
    entries: [
      { index: 0, id: 'call_0', function: fn('search', '{"query":"Emma Bull"}') },
      { index: 0, id: 'call_0', function: fn('search', '{"query":"Virginia Woolf"}') },
    ],
    calls: called(['search', '{"query":"Emma Bull"}'], ['search', '{"query":"Virginia Woolf"}']),
  },
  {
    from: 'su-kaka/gcli2api#406',
    what: 'index 0 for all, without ids',
    entries: ['北京', '上海', '广州'].map((city) => ({ index: 0, function: fn('w', JSON.stringify({ city })) })),
    calls: called(['w', '{"city":"北京"}'], ['w', '{"city":"上海"}'], ['w', '{"city":"广州"}']),
  },
  {
    from: 'mcowger/plexus#691',
    what: 'index 0 for all, arguments in pieces',
    entries: [
      { index: 0, id: 'a', function: fn('add_task', '') },
      { index: 0, function: { arguments: '{"title":' } },
      { index: 0, function: { arguments: '"one"}' } },
      { index: 0, id: 'b', function: fn('add_task', '') },
      { index: 0, function: { arguments: '{"title":"two"}' } },
    ],
    calls: called(['add_task', '{"title":"one"}'], ['add_task', '{"title":"two"}']),
  },
  {
    from: 'SamSaffron/term-llm#314',
    what: 'without an index, with ids, one delta for each',
    entries: [
      { id: 'a', function: fn('f', '{"x":1}') },
      { id: 'b', function: fn('g', '{"y":2}') },
    ],
    calls: called(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    from: 'NousResearch/hermes-agent#67777',
    what: 'without an index and with one id for two calls',
    entries: [
      { id: 'x', function: fn('read', '{"path":"A"}') },
      { id: 'x', function: fn('read', '{"path":"B"}') },
    ],
    calls: called(['read', '{"path":"A"}'], ['read', '{"path":"B"}']),
  },
  {
    from: 'AstrBotDevs/AstrBot#6661',
    what: 'without an index, id and type empty',
    entries: [
      { id: 'call_1', type: 'function', function: fn('memory_save', '') },
      { id: '', type: '', function: { arguments: '{"content":"…",' } },
      { id: '', type: '', function: { arguments: '"tags":"a"}' } },
    ],
    calls: called(['memory_save', '{"content":"…","tags":"a"}']),
  },
  {
    from: 'open-webui/computer#224',
    what: 'without an index, pieces without anything else, two calls',
    entries: [
      { id: 'function-call-1', type: 'function', function: fn('get_weather', '{"location":') },
      { function: { arguments: '"Sydney"}' } },
      { id: 'function-call-2', type: 'function', function: fn('get_weather', '{"location":"Perth"}') },
    ],
    calls: called(['get_weather', '{"location":"Sydney"}'], ['get_weather', '{"location":"Perth"}']),
  },
  {
    from: 'oracle/langchain-oracle#253',
    what: 'started with empty arguments, then pieces at index 0 for both',
    entries: [
      { index: 0, id: 'call_A', function: fn('market', '') },
      { index: 0, function: { arguments: '{"idea' } },
      { index: 0, function: { arguments: '":"x"}' } },
      { index: 0, id: 'call_B', function: fn('signal', '') },
      { index: 0, function: { arguments: '{"idea' } },
      { index: 0, function: { arguments: '":"y"}' } },
    ],
    calls: called(['market', '{"idea":"x"}'], ['signal', '{"idea":"y"}']),
  },
  {
    from: 'mozilla-ai/any-llm#1305',
    what: 'mixed by index, from 1 on',
    entries: [
      { index: 1, id: 'a', function: fn('f', '{"a"') },
      { index: 2, id: 'b', function: fn('g', '{"b"') },
      { index: 1, function: { arguments: ':1}' } },
      { index: 2, function: { arguments: ':2}' } },
    ],
    calls: called(['f', '{"a":1}'], ['g', '{"b":2}']),
  },
  {
    from: 'QwenLM/Qwen-Agent#943',
    what: 'mixed by index, the id in a later piece, null for what is not said',
    entries: [
      { index: 0, id: null, function: fn('f', null) },
      { index: 1, id: null, function: fn('g', null) },
      { index: 1, id: 'b', function: fn(null, '{"b":2}') },
      { index: 0, id: 'a', function: fn(null, '{"a":1}') },
    ],
    calls: called(['f', '{"a":1}'], ['g', '{"b":2}']),
  },
  {
    from: 'NousResearch/hermes-agent#8259',
    what: 'the name in every piece',
    entries: ['{"pa', 'th":"', 'x"}'].map((piece) => ({ index: 0, id: 'a', function: fn('read_file', piece) })),
    calls: called(['read_file', '{"path":"x"}']),
  },
  {
    from: 'aigc-apps/PAI-RAG#556',
    what: 'the name in every piece, without an index, the id in the first',
    entries: [
      { id: '1', function: fn('search', '{"query":"杭州') },
      { id: '', function: fn('search', '_天气') },
      { id: '', function: fn('search', '查询"}') },
    ],
    calls: called(['search', '{"query":"杭州_天气查询"}']),
  },
  {
    from: 'continuedev/continue#5849',
    what: 'the name in pieces',
    entries: [
      { index: 0, id: 'a', function: fn('edit_ex', '') },
      { index: 0, function: fn('isting_file', '') },
      { index: 0, function: { arguments: '{"path":"x"}' } },
    ],
    calls: called(['edit_existing_file', '{"path":"x"}']),
  },
  {
    from: 'NVIDIA-NeMo/Switchyard#785',
    what: 'the names of two calls in pieces',
    entries: [
      { index: 0, id: 'a', function: { name: 'get_' } },
      { index: 0, function: { name: 'weather', arguments: '{}' } },
      { index: 1, id: 'b', function: { name: 'get_' } },
      { index: 1, function: { name: 'time', arguments: '{"zone":"UTC"}' } },
    ],
    calls: called(['get_weather', '{}'], ['get_time', '{"zone":"UTC"}']),
  },
  {
    from: 'poolsideai/pool#9',
    what: 'another id from the second piece on',
    entries: [
      { index: 0, id: 'chatcmpl-tool-1', function: fn('bash', '') },
      { index: 0, id: 'chatcmpl-tool-2', function: { arguments: '{"command":' } },
      { index: 0, id: 'chatcmpl-tool-2', function: { arguments: '"ls"}' } },
      { index: 0, id: 'chatcmpl-tool-2', function: { arguments: '' } },
    ],
    calls: called(['bash', '{"command":"ls"}']),
  },
  {
    from: 'cubist38/mlx-openai-server#216',
    what: 'another id in every piece, the name as well, index 0',
    entries: ['{"a"', ':', '1}'].map((piece, i) => ({ index: 0, id: `id-${i}`, function: fn('f', piece) })),
    calls: called(['f', '{"a":1}']),
  },
  {
    from: 'JetBrains/koog#2052',
    what: 'the same id in every piece',
    entries: ['{"a"', ':1', '}'].map((piece, i) => ({
      index: 0,
      id: 'a',
      function: { ...(i === 0 ? { name: 'f' } : {}), arguments: piece },
    })),
    calls: called(['f', '{"a":1}']),
  },
  {
    from: 'lidge-jun/opencodex#361',
    what: 'the arguments once more when they are whole, of two calls',
    entries: [
      { index: 0, id: 'tool_1', function: fn('shell', '') },
      { index: 0, function: { arguments: '{"command":"ls"}' } },
      { index: 0, id: 'tool_1', function: fn('shell', '{"command":"ls"}') },
      { index: 1, id: 'tool_2', function: fn('read_file', '') },
      { index: 1, function: { arguments: '{"path":"x"}' } },
      { index: 1, id: 'tool_2', function: fn('read_file', '{"path":"x"}') },
    ],
    calls: called(['shell', '{"command":"ls"}'], ['read_file', '{"path":"x"}']),
  },
  {
    from: 'elizaOS/eliza#16973',
    what: 'the arguments once more, written in another way',
    entries: [
      { index: 0, id: 'a', function: fn('run', '{"command": ') },
      { index: 0, function: { arguments: '"ls", "n": 1}' } },
      { index: 0, function: { arguments: '{"command":"ls","n":1}' } },
    ],
    calls: called(['run', '{"command":"ls","n":1}']),
  },
  {
    from: 'NousResearch/hermes-agent#35718',
    what: 'all arguments so far in every piece',
    entries: ['{"', '{"pattern', '{"pattern":"a{', '{"pattern":"a{1}"}', '{"pattern":"a{1}"}'].map((piece) => {
      return { index: 0, id: 'a', function: fn('search_files', piece) }
    }),
    calls: called(['search_files', '{"pattern":"a{1}"}']),
  },
  {
    from: 'diegosouzapw/OmniRoute#3762',
    what: 'pieces that look like what came before, and are not',
    entries: ['{"cmd":"l', 'l -l', ' ', ' ', '","x":', '{"cmd":"l"}', ',"y":{"cmd":"l"}', '}'].map((piece, i) => {
      return {
        index: 0,
        ...(i === 0 ? { id: 'a' } : {}),
        function: { ...(i === 0 ? { name: 'f' } : {}), arguments: piece },
      }
    }),
    calls: called(['f', '{"cmd":"ll -l  ","x":{"cmd":"l"},"y":{"cmd":"l"}}']),
  },
  {
    from: 'ogx-ai/ogx#5462',
    what: '`{}` before the arguments',
    entries: [
      { index: 0, id: 'a', function: fn('weather', '{}') },
      { index: 0, function: { arguments: '{"location":' } },
      { index: 0, function: { arguments: '"Boston"}' } },
    ],
    calls: called(['weather', '{"location":"Boston"}']),
  },
  {
    from: 'microsoft/semantic-kernel#6106',
    what: 'a call without arguments before one that has some',
    entries: [
      { index: 0, id: 'a', function: fn('now', '') },
      { index: 1, id: 'b', function: fn('weather', '{"city":"Boston"}') },
    ],
    calls: called(['now', '{}'], ['weather', '{"city":"Boston"}']),
  },
  {
    from: 'openai/openai-agents-js#664',
    what: 'arguments that are empty',
    entries: [{ index: 0, id: 'a', function: fn('now', '') }],
    calls: called(['now', '{}']),
  },
  {
    from: 'langchain-ai/langchain#34242',
    what: 'arguments that are null, or the word',
    entries: [
      { index: 0, id: 'a', function: fn('order_status', null) },
      { index: 1, id: 'b', function: fn('order_status', 'null') },
      { index: 2, id: 'c', function: { name: 'order_status' } },
    ],
    calls: called(['order_status', '{}'], ['order_status', '{}'], ['order_status', '{}']),
  },
  {
    from: 'ggml-org/llama.cpp#20198',
    what: 'arguments as an object',
    entries: [{ index: 0, id: 'a', function: fn('f', { path: 'x', deep: [{ n: 1 }] }) }],
    calls: called(['f', '{"path":"x","deep":[{"n":1}]}']),
  },
  {
    from: 'vllm-project/vllm#18412',
    what: 'without an id',
    entries: [
      { index: 0, function: fn('f', '{"a":1}') },
      { index: 1, function: fn('f', '{"a":1}') },
    ],
    calls: called(['f', '{"a":1}'], ['f', '{"a":1}']),
  },
  {
    from: 'openai/openai-python#2806',
    what: 'an index that is a text, or null',
    entries: [
      { index: '0', id: 'a', function: fn('f', '{"a"') },
      { index: '1', id: 'b', function: fn('g', '{"b":2}') },
      { index: '0', function: { arguments: ':1}' } },
      { index: null, id: 'c', function: fn('h', '{"c":3}') },
    ],
    calls: called(['f', '{"a":1}'], ['g', '{"b":2}'], ['h', '{"c":3}']),
  },
]

describe.each(CLIENTS)('calls in a stream of chat completions, for a client of %s', (client) => {
  test.each(STREAMS)('$what ($from)', async ({ entries, calls }) => {
    const bytes = streamed(translate(client, HELLO[client], 'openai-chat'), chatStream(entries))
    const received = await CALLS_OF_STREAM[client](bytes)
    expect(received.map(({ name, input }) => ({ name, input: squeezed(input) }))).toEqual(calls)
    expect(new Set(received.map(({ id }) => id)).size).toBe(calls.length)
    for (const { id } of received) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })
})
