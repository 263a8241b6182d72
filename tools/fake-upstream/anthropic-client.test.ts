/** The official Anthropic package against the fake upstream: what it accepts from the provider it must accept from here. */
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FakeUpstream } from './fake-upstream.ts'
import { startFakeUpstream } from './fake-upstream.ts'

let upstream: FakeUpstream
let client: Anthropic

beforeAll(async () => {
  upstream = await startFakeUpstream({ requiredCredential: 'the-credential' })
  client = new Anthropic({ apiKey: 'the-credential', baseURL: upstream.url, maxRetries: 0 })
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

const spoken = 'Grüße, 你好 👋🏽 from "here"'
const messages = [{ role: 'user' as const, content: spoken }]
const tools = [
  {
    name: 'weather',
    input_schema: {
      type: 'object' as const,
      properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['c', 'f'] } },
      required: ['city', 'days', 'unit'],
    },
  },
]

test('a whole answer repeats the user and reports usage', async () => {
  const model = 'fake/echo?input=50&cached=20&cache_write=5&output=9'
  const answer = await client.messages.create({ model, max_tokens: 100, messages })
  expect(answer.content).toEqual([{ type: 'text', text: spoken }])
  expect(answer.stop_reason).toBe('end_turn')
  expect(answer.usage).toMatchObject({
    input_tokens: 50,
    cache_read_input_tokens: 20,
    cache_creation_input_tokens: 5,
    output_tokens: 9,
  })
})

test('a stream says the same as the whole answer', async () => {
  const model = 'fake/echo?input=50&cached=20&output=9&chunks=1'
  const stream = client.messages.stream({ model, max_tokens: 100, messages })
  const types: string[] = []
  stream.on('streamEvent', (event) => types.push(event.type))
  const answer = await stream.finalMessage()
  expect(answer.content).toEqual([{ type: 'text', text: spoken }])
  expect(answer.usage).toMatchObject({ input_tokens: 50, cache_read_input_tokens: 20, output_tokens: 9 })
  expect(types).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

test.for([true, false])('tools are called, and their result is answered with text (stream: %s)', async (stream) => {
  const asked = { model: 'fake/echo', max_tokens: 100, messages, tools }
  const first = stream ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
  const [call] = first.content
  if (call?.type !== 'tool_use') throw new Error('no tool call')
  expect(first.stop_reason).toBe('tool_use')
  expect(call.input).toEqual({ city: 'Zürich "Süd"', days: 7, unit: 'c' })
  expect(call.id).toMatch(/^[a-zA-Z0-9_-]+$/)
  const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'rain' }
  const { id, input, name } = call
  const second = await client.messages.create({
    ...asked,
    messages: [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id, input, name }] },
      { role: 'user', content: [result] },
    ],
  })
  expect(second.content).toEqual([{ type: 'text', text: 'The tool said: rain' }])
})

test('tokens are counted as the same body would be charged, and in no book', async () => {
  const { input_tokens } = await client.messages.countTokens({ model: 'fake/echo?input=50&cached=4', messages })
  expect(input_tokens).toBe(54)
  expect(upstream.stats()).toMatchObject({ countTokens: 1, totals: { requests: 0 } })
})

test('models are listed in the shape of the family', async () => {
  const page = await client.models.list({ limit: 1_000 })
  expect(page.data.map((model) => model.id)).toContain('fake/no-usage')
  expect(page.data[0]?.type).toBe('model')
})

test.for([
  ['overloaded', Anthropic.OverloadedError, 529, 'overloaded_error'],
  ['rate-limited', Anthropic.RateLimitError, 429, 'rate_limit_error'],
  ['context-too-long', Anthropic.BadRequestError, 400, 'invalid_request_error'],
  ['bad-request', Anthropic.BadRequestError, 400, 'invalid_request_error'],
  ['unauthorized', Anthropic.AuthenticationError, 401, 'authentication_error'],
  ['html-error', Anthropic.InternalServerError, 502, null],
  ['refuses-once', Anthropic.APIError, 503, 'overloaded_error'],
  ['no-such-sentinel', Anthropic.NotFoundError, 404, 'not_found_error'],
  ['echo?chunks=many', Anthropic.BadRequestError, 400, 'invalid_request_error'],
] as const)('fake/%s fails as the package expects', async ([name, type, status, errorType]) => {
  const call = client.messages.create({ model: `fake/${name}`, max_tokens: 100, messages })
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(type)
  expect(error).toMatchObject({ status, type: errorType })
})

test('a prompt that is too long is refused in the words that clients look for', async () => {
  const call = client.messages.create({ model: 'fake/context-too-long', max_tokens: 100, messages })
  await expect(call).rejects.toThrow(/prompt is too long: \d+ tokens > \d+ maximum/)
})

test('another credential than the required one is refused', async () => {
  const stranger = client.withOptions({ apiKey: 'another' })
  const calls = [
    () => stranger.messages.create({ model: 'fake/echo', max_tokens: 100, messages }),
    () => stranger.messages.countTokens({ model: 'fake/echo', messages }),
    () => stranger.models.list(),
  ]
  for (const call of calls) await expect(call()).rejects.toThrow(Anthropic.AuthenticationError)
})

test.for(['error-event', 'cut-mid-stream', 'end-mid-stream'])(
  'fake/%s breaks the stream after its beginning',
  async (name) => {
    const stream = client.messages.stream({ model: `fake/${name}`, max_tokens: 100, messages })
    const types: string[] = []
    stream.on('streamEvent', (event) => types.push(event.type))
    await expect(stream.finalMessage()).rejects.toThrow()
    expect(types.length).toBeGreaterThan(2)
    expect(types).not.toContain('message_stop')
  },
)

test.for(['usage-twice', 'big-chunks', 'closes-keepalive'])('the helper takes a stream of fake/%s', async (name) => {
  const answer = await client.messages.stream({ model: `fake/${name}`, max_tokens: 100, messages }).finalMessage()
  expect(answer.stop_reason).toBe('end_turn')
})
