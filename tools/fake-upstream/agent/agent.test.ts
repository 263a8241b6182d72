/** `fake/agent`: a tool round trip on each protocol, and what each provider would refuse of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream } from '../fake-upstream.ts'
import { startFakeUpstream } from '../fake-upstream.ts'
import { type JsonFields, listOf, objectOf } from '../../../src/upstreams/demo/json.ts'

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterAll(() => upstream.close())

interface Answered {
  readonly status: number
  readonly body: JsonFields
}

async function ask(path: string, body: object): Promise<Answered> {
  const response = await fetch(`${upstream.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: objectOf(await response.json()) }
}

const model = 'fake/agent'
const prompt = 'Read notes/list.txt, please.'
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const answer = 'The tool said: heron'

type Messages = { role: string; content: JsonFields[] }[]

/** One wire: the second request of a round trip, made of the first answer. */
interface Trip {
  readonly path: string
  readonly first: JsonFields
  /** The name and the arguments that were called. */
  called(first: JsonFields): unknown
  second(first: JsonFields): JsonFields
  text(second: JsonFields): unknown
  /** Spoils the signature in a second request; null where the wire has none. */
  readonly spoil: ((second: JsonFields) => JsonFields) | null
  readonly refusal: RegExp
}

const messagesFirst = {
  model,
  max_tokens: 2_000,
  thinking: { type: 'enabled', budget_tokens: 1_024 },
  messages: [{ role: 'user', content: prompt }],
  tools: [{ name: 'Read', input_schema: schema }],
}

const TRIPS: Record<string, Trip> = {
  messages: {
    path: '/v1/messages',
    first: messagesFirst,
    called: (first) => {
      const { name, input } = objectOf(listOf(first['content'])[2])
      return [name, input]
    },
    second: (first) => {
      const content = listOf(first['content']).map(objectOf)
      const result = { type: 'tool_result', tool_use_id: content[2]?.['id'], content: 'heron' }
      const turns = [
        { role: 'assistant', content },
        { role: 'user', content: [result] },
      ]
      return { ...messagesFirst, messages: [...messagesFirst.messages, ...turns] }
    },
    text: (second) => objectOf(listOf(second['content'])[1])['text'],
    spoil: (second) => changed(second, (text) => text.replace(/"signature":"(....)/, '"signature":"$1A')),
    refusal: /Invalid `signature` in `thinking` block/,
  },
  responses: {
    path: '/v1/responses',
    first: {
      model,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      input: [{ role: 'user', content: prompt }],
      tools: [{ type: 'function', name: 'read_file', parameters: schema, strict: false }],
    },
    called: (first) => {
      const { name, arguments: json } = objectOf(listOf(first['output'])[2])
      return [name, JSON.parse(String(json))]
    },
    second: (first) => {
      const output = listOf(first['output']).map(objectOf)
      const result = { type: 'function_call_output', call_id: output[2]?.['call_id'], output: 'heron' }
      return { ...TRIPS['responses']?.first, input: [{ role: 'user', content: prompt }, ...output, result] }
    },
    text: (second) => objectOf(listOf(objectOf(listOf(second['output'])[1])['content'])[0])['text'],
    spoil: (second) =>
      changed(second, (text) => text.replace(/"encrypted_content":"(....)/, '"encrypted_content":"$1A')),
    refusal: /could not be verified/,
  },
  chat: {
    path: '/v1/chat/completions',
    first: {
      model,
      messages: [{ role: 'user', content: prompt }],
      tools: [{ type: 'function', function: { name: 'bash', parameters: { properties: { command: {} } } } }],
    },
    called: (first) => {
      const { name, arguments: json } = objectOf(objectOf(listOf(chatMessage(first)['tool_calls'])[0])['function'])
      return [name, JSON.parse(String(json))]
    },
    second: (first) => {
      const message = chatMessage(first)
      const call = objectOf(listOf(message['tool_calls'])[0])
      const turns = [message, { role: 'tool', tool_call_id: call['id'], content: 'heron' }]
      return { ...TRIPS['chat']?.first, messages: [{ role: 'user', content: prompt }, ...turns] }
    },
    text: (second) => chatMessage(second)['content'],
    spoil: null,
    refusal: /never/,
  },
  gemini: {
    path: '/v1beta/models/fake%2Fagent:generateContent',
    first: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: schema }] }],
    },
    called: (first) => {
      const { name, args } = objectOf(geminiParts(first)[1]?.['functionCall'])
      return [name, args]
    },
    second: (first) => {
      const parts = geminiParts(first)
      const { id, name } = objectOf(parts[1]?.['functionCall'])
      const result = { functionResponse: { id, name, response: { output: 'heron' } } }
      const turns = [
        { role: 'model', parts },
        { role: 'user', parts: [result] },
      ]
      return { ...TRIPS['gemini']?.first, contents: [{ role: 'user', parts: [{ text: prompt }] }, ...turns] }
    },
    text: (second) => geminiParts(second)[0]?.['text'],
    spoil: (second) => changed(second, (text) => text.replace(/"thoughtSignature":"(....)/, '"thoughtSignature":"$1A')),
    refusal: /Corrupted thought signature/,
  },
}

function changed(body: JsonFields, change: (text: string) => string): JsonFields {
  return objectOf(JSON.parse(change(JSON.stringify(body))))
}

function chatMessage(body: JsonFields): JsonFields {
  return objectOf(objectOf(listOf(body['choices'])[0])['message'])
}

function geminiParts(body: JsonFields): JsonFields[] {
  return listOf(objectOf(objectOf(listOf(body['candidates'])[0])['content'])['parts']).map(objectOf)
}

describe.for(Object.entries(TRIPS))('on %s', ([, trip]) => {
  test('the first tool that reads is called on the file that was named, and its result is quoted', async () => {
    const first = await ask(trip.path, trip.first)
    expect(first.status, JSON.stringify(first.body)).toBe(200)
    const [, values] = trip.called(first.body) as [string, JsonFields]
    expect(Object.values(values).join(' ')).toContain('notes/list.txt')
    const second = await ask(trip.path, trip.second(first.body))
    expect(second.status, JSON.stringify(second.body)).toBe(200)
    expect(trip.text(second.body)).toBe(answer)
  })

  test('a signature that comes back changed is refused', async () => {
    const first = await ask(trip.path, trip.first)
    if (trip.spoil === null) return expect(JSON.stringify(first.body)).not.toContain('ignature')
    const got = await ask(trip.path, trip.spoil(trip.second(first.body)))
    expect(got.status).toBe(400)
    expect(JSON.stringify(got.body)).toMatch(trip.refusal)
  })

  test('a user who wants no tools gets text', async () => {
    const plain = changed(trip.first, (text) => text.replace(prompt, 'Say hello without tools.'))
    const got = await ask(trip.path, plain)
    expect(JSON.stringify(got.body)).toContain('this is a plain answer')
  })

  test('an unknown field is refused by its name', async () => {
    const got = await ask(trip.path, { ...trip.first, frobnicate: 1 })
    expect(got.status).toBe(400)
    expect(JSON.stringify(got.body)).toContain('frobnicate')
  })
})

const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{}' } }
const geminiFirst = TRIPS['gemini']?.first
const use = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }
const hello = { role: 'user', content: 'hi' }

test.for<readonly [string, string, object, RegExp]>([
  ['no max_tokens', 'messages', { max_tokens: undefined }, /max_tokens: Field required/],
  [
    'a tool use without its result',
    'messages',
    { messages: [hello, { role: 'assistant', content: [use] }, hello] },
    /without `tool_result` blocks/,
  ],
  [
    'an id of other characters',
    'messages',
    { messages: [hello, { role: 'assistant', content: [{ ...use, id: 'a.b' }] }, hello] },
    /should match pattern/,
  ],
  [
    'an empty text',
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    /must be non-empty/,
  ],
  ['a budget that leaves no room', 'messages', { max_tokens: 1_024 }, /must be greater than/],
  [
    'a strange field of a block',
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'a', id: 'b' }] }] },
    /messages\.0\.content\.0\.id: Extra inputs/,
  ],
  [
    'a call without its result',
    'chat',
    { messages: [hello, { role: 'assistant', tool_calls: [call] }, hello] },
    /did not have response messages: call_1/,
  ],
  [
    'a result without its call',
    'chat',
    { messages: [hello, { role: 'tool', tool_call_id: 'x', content: '' }] },
    /must be a response to/,
  ],
  [
    'a long id of a call',
    'chat',
    {
      messages: [
        hello,
        { role: 'assistant', tool_calls: [{ ...call, id: 'c'.repeat(41) }] },
        { role: 'tool', tool_call_id: 'c'.repeat(41), content: '' },
      ],
    },
    /maximum length 40/,
  ],
  [
    'stream options without a stream',
    'chat',
    { stream_options: { include_usage: true } },
    /only allowed when 'stream'/,
  ],
  [
    'a foreign item id',
    'responses',
    { input: [{ type: 'function_call', id: 'toolu_1', call_id: 'c', name: 'n', arguments: '{}' }] },
    /begins with 'fc'/,
  ],
  [
    'an output without its call',
    'responses',
    { input: [{ type: 'function_call_output', call_id: 'c', output: '' }] },
    /No tool call found/,
  ],
  [
    'a tool in the form of chat',
    'responses',
    { tools: [{ type: 'function', function: { name: 'n' } }] },
    /tools\[0\]\.name/,
  ],
  [
    'JSON Schema in place of its own',
    'gemini',
    { tools: [{ functionDeclarations: [{ name: 'n', parameters: { additionalProperties: false } }] }] },
    /Unknown name \\"additionalProperties\\"/,
  ],
  [
    'a call without signature',
    'gemini',
    {
      contents: [
        ...listOf(geminiFirst?.['contents']),
        { role: 'model', parts: [{ functionCall: { name: 'n', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'n', response: {} } }] },
      ],
    },
    /missing a thought_signature/,
  ],
  [
    'a response without its call',
    'gemini',
    { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'n', response: {} } }] }] },
    /immediately after a function call turn/,
  ],
  ['another role', 'gemini', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, /valid role: user, model/],
])('%s is refused on %s', async ([, wire, change, words]) => {
  const trip = TRIPS[wire]
  const got = await ask(trip?.path ?? '', { ...trip?.first, ...change })
  expect(got.status).toBe(400)
  expect(JSON.stringify(got.body)).toMatch(words)
})

test('sampling parameters went with the version of October 2026', async () => {
  const body = JSON.stringify({ ...messagesFirst, temperature: 1 })
  const statuses = ['2023-06-01', '2026-10-21'].map(async (version) => {
    const headers = { 'anthropic-version': version }
    return (await fetch(`${upstream.url}/v1/messages`, { method: 'POST', headers, body })).status
  })
  expect(await Promise.all(statuses)).toEqual([200, 400])
})

test('the signature of a thought is checked against the thought', async () => {
  const trip = TRIPS['messages']
  const first = await ask(trip?.path ?? '', messagesFirst)
  const second = trip?.second(first.body) as { messages: Messages }
  const thought = second.messages[1]?.content[0]
  const got = await ask(
    trip?.path ?? '',
    changed(second, (text) => text.replace(String(thought?.['thinking']), 'other')),
  )
  expect(got.status).toBe(400)
})
