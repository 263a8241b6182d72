import fc from 'fast-check'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import { RequestSettings } from '../../hub/request-settings.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { openaiChatSpoke } from '../openai-chat.ts'

const CALL: ClientCall = {
  requestId: 'req_1',
  model: '模型',
  nowMs: 17_900,
  includeUsage: true,
  asked: {},
  request: { turns: [], tools: [], toolChoice: null, settings: new RequestSettings() },
}
const USAGE = { reported: { ...NO_TOKENS, input: 10, output: 7 }, estimatedOutputTokens: 6 }

/** The parts of a stream, of the data of its events. */
function read(data: readonly string[]): StreamPart[] {
  const reader = openaiChatSpoke.openReader()
  const parts = data.flatMap((each) => [...reader.read({ name: null, data: Buffer.from(each) })])
  return [...parts, ...reader.end()]
}

function readDeltas(...deltas: JsonObject[]): StreamPart[] {
  return read(deltas.map((said) => JSON.stringify({ id: 'x', choices: [{ index: 0, delta: said }] })))
}

function write(parts: readonly StreamPart[], call: ClientCall = CALL): string {
  const writer = openaiChatSpoke.openWriter(call)
  return parts.map((part) => writer.write(part)).join('') + writer.end(USAGE)
}

function dataIn(events: string): string[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) => String(data))
}

/** What each block became, in the order in which they began. */
function blocksOf(parts: readonly StreamPart[]): JsonObject[] {
  const blocks = new Map<number, Record<string, unknown>>()
  for (const part of parts) {
    if (part.kind === 'begin') blocks.set(part.block, { choice: part.choice, ...part.of, text: '' })
    else if (part.kind !== 'stop') {
      const block = blocks.get(part.block) ?? {}
      if (part.kind === 'delta') block['text'] = String(block['text']) + part.text
      if (part.kind === 'opaque') block['opaque'] = part.opaque
      if (part.kind === 'end') block['isEnded'] = true
    }
  }
  return [...blocks.values()]
}

async function readBySdk(events: string): Promise<OpenAI.ChatCompletion> {
  const answer = new Response(events, { headers: { 'content-type': 'text/event-stream' } })
  const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: async () => answer })
  return client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
}

const begin = (block: number, kind: 'text' | 'refusal' | 'reasoning', choice = 0): StreamPart => ({
  kind: 'begin',
  block,
  choice,
  of: { kind },
})
const beginCall = (block: number, id: string, isCustom = false): StreamPart => ({
  kind: 'begin',
  block,
  choice: 0,
  of: { kind: 'tool_call', id, name: 'f', isCustom },
})
const delta = (block: number, text: string): StreamPart => ({ kind: 'delta', block, text })
const end = (block: number): StreamPart => ({ kind: 'end', block })
const stopped = (reason: 'end' | 'length' | 'tool_calls', choice = 0): StreamPart => ({
  kind: 'stop',
  choice,
  stop: { reason, sequence: null },
})

test('reasoning ends when text begins, text when a call begins, and calls when the choice finishes', () => {
  const call = (index: number, fields: object): JsonObject => ({ tool_calls: [{ index, ...fields }] })
  const parts = [
    ...readDeltas(
      { role: 'assistant', content: '' },
      { reasoning_content: 'h', reasoning: 'h' },
      { reasoning_content: 'm' },
      { content: 'I ' },
      { content: 'look.' },
      call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      call(1, { id: 'b', function: { name: 'g', arguments: '{"b"' } }),
      call(0, { id: 'a', function: { name: 'f', arguments: '{}' } }),
      call(1, { function: { name: null, arguments: ':1}' } }),
    ),
  ]
  expect(parts).toEqual([
    begin(0, 'reasoning'),
    delta(0, 'h'),
    delta(0, 'm'),
    end(0),
    begin(1, 'text'),
    delta(1, 'I '),
    delta(1, 'look.'),
    end(1),
    { kind: 'begin', block: 2, choice: 0, of: { kind: 'tool_call', id: 'a', name: 'f', isCustom: false } },
    { kind: 'begin', block: 3, choice: 0, of: { kind: 'tool_call', id: 'b', name: 'g', isCustom: false } },
    delta(3, '{"b"'),
    delta(3, ':1}'),
    delta(2, '{}'),
    end(2),
    end(3),
  ])
})

test('a finish closes what is open and stops once, whatever comes behind it', () => {
  const chunk = (said: object, finish_reason: string | null): string =>
    JSON.stringify({ choices: [{ index: 0, delta: said, finish_reason }] })
  const usage = JSON.stringify({ choices: [], usage: {} })
  expect(read([chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }, 'stop'), usage, '[DONE]', '{'])).toEqual([
    begin(0, 'text'),
    delta(0, 'a'),
    end(0),
    stopped('end'),
  ])
})

test('a call without arguments has none when it finishes, and is not known to when the stream is cut', () => {
  const called = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }
  const chunk = (finish_reason: string | null): string =>
    JSON.stringify({ choices: [{ index: 0, delta: called, finish_reason }] })
  expect(blocksOf(read([chunk('tool_calls')]))).toMatchObject([{ text: '{}', isEnded: true }])
  expect(blocksOf(read([chunk(null)]))).toMatchObject([{ text: '', isEnded: true }])
})

test('pieces of OpenRouter’s details go back whole, with a signature that comes last', () => {
  const piece = (fields: object): JsonObject => ({
    reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }],
  })
  const parts = readDeltas(
    { reasoning: 'h', ...piece({ text: 'h' }) },
    { reasoning: 'm', ...piece({ text: 'm' }) },
    piece({ signature: 's' }),
    { content: 'said' },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] },
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] },
  )
  const opaque = (details: object[]): object => ({
    vendor: 'chat',
    data: JSON.stringify({ field: 'reasoning', details }),
  })
  expect(blocksOf(parts)).toMatchObject([
    {
      kind: 'reasoning',
      text: 'hm',
      opaque: opaque([{ type: 'reasoning.text', index: 0, text: 'hm', signature: 's' }]),
    },
    { kind: 'text', text: 'said' },
    { kind: 'reasoning', text: '', opaque: opaque([{ type: 'reasoning.encrypted', data: 'x', index: 1 }]) },
    { kind: 'tool_call', id: 'a' },
  ])
})

test.each([
  [
    'all at index 0 with ids of their own',
    [
      { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
      { index: 0, id: 'b', function: { name: 'g', arguments: '{}' } },
    ],
  ],
  [
    'without an index',
    [
      { id: 'a', function: { name: 'f', arguments: '{' } },
      { function: { arguments: '}' } },
      { id: 'b', function: { name: 'g', arguments: '{}' } },
    ],
  ],
  [
    'with the name behind the id',
    [
      { index: 0, id: 'a', function: {} },
      { index: 1, id: 'b', function: { arguments: '{}' } },
      { index: 0, function: { name: 'f', arguments: '{}' } },
      { index: 1, function: { name: 'g' } },
    ],
  ],
])('calls %s are kept apart', (_, entries) => {
  const blocks = blocksOf(readDeltas(...entries.map((entry) => ({ tool_calls: [entry] }))))
  expect(blocks).toMatchObject([
    { id: 'a', name: 'f', text: '{}', isEnded: true },
    { id: 'b', name: 'g', text: '{}', isEnded: true },
  ])
})

test('deltas of calls, cut and mixed at random, become the calls again', () => {
  const input = fc.dictionary(fc.string(), fc.string()).map((object) => JSON.stringify(object))
  const calls = fc.array(input, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(calls, fc.infiniteStream(fc.nat()), (inputs, chance) => {
      const rest = inputs.map((text, index) => ({
        index,
        text,
        head: { id: `c${index}`, type: 'function' },
        name: `f${index}`,
      }))
      const entries: JsonObject[] = rest.map(({ index, head, name }) => ({
        index,
        ...head,
        function: { name, arguments: '' },
      }))
      for (let open = rest; open.length > 0; open = rest.filter(({ text }) => text !== '')) {
        const one = open[(chance.next().value ?? 0) % open.length]
        if (one === undefined) return
        const cut = 1 + ((chance.next().value ?? 0) % one.text.length)
        entries.push({ index: one.index, function: { arguments: one.text.slice(0, cut) } })
        one.text = one.text.slice(cut)
      }
      const blocks = blocksOf(readDeltas(...entries.map((entry) => ({ tool_calls: [entry] }))))
      expect(blocks).toMatchObject(inputs.map((text, index) => ({ id: `c${index}`, name: `f${index}`, text })))
    }),
    { numRuns: 200 },
  )
})

test('the chunks of a stream are those of OpenAI, the usage alone in its own', () => {
  const written = dataIn(write([begin(0, 'text'), delta(0, 'Hé"'), delta(0, '!'), end(0), stopped('end')]))
  const chunk = (fields: object): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 17,
    model: '模型',
    ...fields,
  })
  const choice = (said: object, finish_reason: string | null = null): object =>
    chunk({ choices: [{ index: 0, delta: said, logprobs: null, finish_reason }] })
  expect(written.slice(0, -1).map((data) => JSON.parse(data) as unknown)).toEqual([
    choice({ role: 'assistant', content: 'Hé"' }),
    choice({ content: '!' }),
    choice({}, 'stop'),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 7,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    }),
  ])
  expect(written.at(-1)).toBe('[DONE]')
})

test('OpenAI’s SDK reads mixed calls, choices, a keep-alive in front, and an empty call', async () => {
  const writer = openaiChatSpoke.openWriter(CALL)
  const parts: StreamPart[] = [
    begin(0, 'reasoning'),
    delta(0, 'hm'),
    { kind: 'opaque', block: 0, opaque: { vendor: 'google', data: 'sig' } },
    end(0),
    beginCall(1, 'a'),
    beginCall(2, 'b'),
    delta(2, '{"b":'),
    delta(1, '{"a":1}'),
    delta(2, '2}'),
    beginCall(3, 'c'),
    end(1),
    end(2),
    end(3),
    stopped('end'),
    begin(4, 'text', 1),
    delta(4, 'other'),
    end(4),
    stopped('length', 1),
  ]
  const events = writer.keepAlive() + parts.map((part) => writer.write(part)).join('') + writer.end(USAGE)
  const { choices, usage } = await readBySdk(events)
  const call = (id: string, json: string): object => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: json },
  })
  expect(choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [call('a', '{"a":1}'), call('b', '{"b":2}'), call('c', '{}')],
      },
    },
    { finish_reason: 'length', message: { role: 'assistant', content: 'other' } },
  ])
  expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ extra_content: { google: { thought_signature: 'sig' } } })
  expect(usage?.total_tokens).toBe(17)
})

test('an end without any part is an empty answer, and an end with an open block closes it', async () => {
  const empty = await readBySdk(write([]))
  expect(empty.choices).toMatchObject([{ finish_reason: 'stop', message: { role: 'assistant', content: '' } }])
  const cut = await readBySdk(write([begin(0, 'text'), delta(0, 'half'), stopped('length')]))
  expect(cut.choices).toMatchObject([{ finish_reason: 'length', message: { content: 'half' } }])
})

test('a client of the form of 2023 gets its call as a function call', async () => {
  const asked = { functions: [{ name: 'f' }] }
  const events = write([beginCall(0, 'a'), delta(0, '{"a":1}'), end(0), stopped('tool_calls')], { ...CALL, asked })
  expect((await readBySdk(events)).choices).toMatchObject([
    { finish_reason: 'function_call', message: { function_call: { name: 'f', arguments: '{"a":1}' } } },
  ])
})

test('a fault is an error that OpenAI’s SDK throws', async () => {
  const fault = new Fault('upstream_timeout', 'The model took too long. Try again.')
  const events = openaiChatSpoke.openWriter(CALL).writeFault(fault)
  await expect(readBySdk(events)).rejects.toThrow('took too long')
})

const word = fc.string({ minLength: 1, maxLength: 5 })
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const block = fc.record({
  kind: fc.constantFrom('text' as const, 'reasoning' as const, 'tool_call' as const, 'custom' as const),
  words,
})

test('what the writer writes, the reader reads back as the same blocks', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
      // Calls stand last on this wire, and neighbours of one kind are one.
      const isCall = (kind: string): boolean => kind === 'tool_call' || kind === 'custom'
      const sorted = blocks.filter(({ kind }, index) => isCall(kind) || blocks[index - 1]?.kind !== kind)
      const shown = sorted.filter(({ kind }) => !isCall(kind))
      const heads = shown.filter(({ kind }, index) => shown[index - 1]?.kind !== kind)
      const all = [...heads, ...sorted.filter(({ kind }) => isCall(kind))]
      const parts = all.flatMap(({ kind, words: said }, index): StreamPart[] => [
        isCall(kind)
          ? beginCall(index, `c${index}`, kind === 'custom')
          : begin(index, kind === 'text' ? 'text' : 'reasoning'),
        ...said.map((each) => delta(index, each)),
        end(index),
      ])
      const back = read(dataIn(write([...parts, stopped('end')])))
      expect(blocksOf(back)).toEqual(blocksOf(parts))
      expect(back.at(-1)).toEqual(stopped(all.some(({ kind }) => isCall(kind)) ? 'tool_calls' : 'end'))
    }),
    { numRuns: 200 },
  )
})

test('any chunk is read without a throw, and every block that began ends', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), (values) => {
      const chunks = values.flatMap((value) => [
        JSON.stringify(value),
        JSON.stringify({ choices: value }),
        JSON.stringify({ choices: [{ delta: value }] }),
        JSON.stringify({ choices: [{ delta: { content: value, tool_calls: [value, { function: value }] } }] }),
      ])
      expect(blocksOf(read(chunks)).every(({ isEnded }) => isEnded === true)).toBe(true)
    }),
    { numRuns: 200 },
  )
})
