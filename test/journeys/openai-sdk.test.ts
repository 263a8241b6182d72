import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

let gateway: GatewayUnderTest
let client: OpenAI
let secret: string

const CHUNKS = 'fake/fixed?chunks=8&input=30&output=12&cached=10&delay_ms=0'
const SLOW = 'fake/slow-chunks?chunks=200&delay_ms=20'
const MODELS = ['fake/echo', 'fake/no-done', CHUNKS, SLOW]

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  for (const name of MODELS) await gateway.model(name)
  const account = await gateway.account()
  secret = (await gateway.key(account)).secret
  client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
})

afterAll(() => gateway.close())

const messages = [{ role: 'user' as const, content: 'say it back' }]
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'look_up',
      parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    },
  },
]

test('a chat completion arrives whole, with its request id', async () => {
  const { data, response } = await client.chat.completions.create({ model: 'fake/echo', messages }).withResponse()
  expect(data.choices[0]?.message.content).toBe('say it back')
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(Number(response.headers.get('x-tollgate-cost'))).toBeGreaterThan(0)
})

test('a streamed chat completion arrives, without the usage chunk that was not asked for', async () => {
  const stream = await client.chat.completions.create({ model: CHUNKS, messages, stream: true })
  const chunks = await Array.fromAsync(stream)
  expect(chunks.every((chunk) => chunk.choices.length > 0)).toBe(true)
  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).not.toBe('')
})

test('a client that asks for usage gets the usage chunk', async () => {
  const stream = await client.chat.completions.create({
    model: CHUNKS,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = await Array.fromAsync(stream)
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 40, completion_tokens: 12 } })
})

test('the SDK’s own runner puts a streamed tool call together', async () => {
  const stream = client.chat.completions.stream({ model: 'fake/echo', messages, tools })
  const final = await stream.finalChatCompletion()
  const call = final.choices[0]?.message.tool_calls?.[0]
  expect(call?.type === 'function' && call.function.name).toBe('look_up')
  expect(() => JSON.parse(call?.type === 'function' ? call.function.arguments : '')).not.toThrow()
})

test('a response arrives whole and streamed, through the SDK’s strict event checks', async () => {
  const whole = await client.responses.create({ model: 'fake/echo', input: 'say it back' })
  expect(whole.output_text).toBe('say it back')
  const streamed = await client.responses.stream({ model: 'fake/echo', input: 'say it back' }).finalResponse()
  expect(streamed.output_text).toBe('say it back')
  expect(streamed.usage?.output_tokens).toBeGreaterThan(0)
})

test('embeddings arrive, in the base64 form that the SDK asks for', async () => {
  const answer = await client.embeddings.create({ model: 'fake/echo', input: 'one two three' })
  expect(answer.data[0]?.embedding.length).toBeGreaterThan(0)
  expect(answer.data[0]?.embedding.every((number) => Number.isFinite(number))).toBe(true)
})

test('the models that the key can call are listed, and one can be asked for by its name', async () => {
  const listed = await Array.fromAsync(client.models.list())
  expect(listed.map((model) => model.id).sort()).toEqual([...MODELS].sort())
  expect(await client.models.retrieve('fake/echo')).toMatchObject({
    id: 'fake/echo',
    context_length: 200_000,
    pricing: { input: '2.5', output: '10.000001' },
  })
})

test('an abort cancels the upstream at once', async () => {
  const controller = new AbortController()
  const stream = await client.chat.completions.create(
    { model: SLOW, messages, stream: true },
    { signal: controller.signal },
  )
  const iterator = stream[Symbol.asyncIterator]()
  await iterator.next()
  const aborted = gateway.fake.whenAborted((request) => request.body.includes('slow-chunks'))
  controller.abort()
  await aborted
})

test('a stream whose upstream sends no [DONE] ends all the same', async () => {
  const stream = await client.chat.completions.create({ model: 'fake/no-done', messages, stream: true })
  const chunks = await Array.fromAsync(stream)
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
})
