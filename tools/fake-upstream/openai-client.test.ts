/** The official OpenAI package against the fake upstream: what it accepts from the provider it must accept from here. */
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream } from './fake-upstream.ts'
import { startFakeUpstream } from './fake-upstream.ts'

let upstream: FakeUpstream
let client: OpenAI

beforeAll(async () => {
  upstream = await startFakeUpstream()
  client = new OpenAI({ apiKey: 'sk-any', baseURL: `${upstream.url}/v1`, maxRetries: 0 })
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const spoken = 'Grüße, 你好 👋🏽 from "here"'

describe('chat completions', () => {
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
  const messages = [{ role: 'user' as const, content: spoken }]

  test('a whole answer repeats the user and reports usage', async () => {
    const answer = await client.chat.completions.create({ model: 'fake/echo?input=50&cached=20&output=9', messages })
    expect(answer.choices[0]?.message.content).toBe(spoken)
    expect(answer.choices[0]?.finish_reason).toBe('stop')
    expect(answer.usage).toMatchObject({ prompt_tokens: 70, completion_tokens: 9, total_tokens: 79 })
    expect(answer.usage?.prompt_tokens_details?.cached_tokens).toBe(20)
  })

  test('a stream says the same as the whole answer, its usage in a last chunk without choices', async () => {
    const model = 'fake/echo?input=50&output=9'
    const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const answer = await stream.finalChatCompletion()
    expect(answer.choices[0]?.message.content).toBe(spoken)
    expect(answer.usage?.completion_tokens).toBe(9)
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.at(-1)?.choices).toEqual([])
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  })

  test('a stream that was not asked for usage has none', async () => {
    const stream = await client.chat.completions.create({ model: 'fake/echo', messages, stream: true })
    for await (const chunk of stream) {
      expect(chunk).not.toHaveProperty('usage')
      expect(chunk.choices).toHaveLength(1)
    }
  })

  test.for([true, false])('tools are called, and their result is answered with text (stream: %s)', async (stream) => {
    const first = stream
      ? await client.chat.completions.stream({ model: 'fake/echo', messages, tools }).finalChatCompletion()
      : await client.chat.completions.create({ model: 'fake/echo', messages, tools })
    const [choice] = first.choices
    const call = choice?.message.tool_calls?.[0]
    if (choice === undefined || call?.type !== 'function') throw new Error('no tool call')
    expect(choice.finish_reason).toBe('tool_calls')
    expect(call.function.name).toBe('weather')
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Zürich "Süd"' })
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'rain' }
    const second = await client.chat.completions.create({
      model: 'fake/echo',
      messages: [...messages, choice.message, result],
      tools,
    })
    expect(second.choices[0]?.message.content).toBe('The tool said: rain')
  })
})

describe('responses', () => {
  const tools = [{ type: 'function' as const, name: 'weather', parameters, strict: true }]

  test('a whole answer repeats the user and reports usage', async () => {
    const answer = await client.responses.create({
      model: 'fake/echo?input=50&cached=20&reasoning=3&output=9',
      input: spoken,
    })
    expect(answer.output_text).toBe(spoken)
    expect(answer.usage).toMatchObject({
      input_tokens: 70,
      input_tokens_details: { cached_tokens: 20 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 79,
    })
  })

  test('a stream has every event in order and numbered, and ends with the complete answer', async () => {
    const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: spoken }] }]
    const stream = client.responses.stream({ model: 'fake/echo?chunks=1', input })
    const types: string[] = []
    for await (const event of stream) {
      expect(event.sequence_number).toBe(types.length)
      types.push(event.type)
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect((await stream.finalResponse()).output_text).toBe(spoken)
  })

  test.for([true, false])('tools are called, and their result is answered with text (stream: %s)', async (stream) => {
    const asked = { model: 'fake/echo', input: 'How is the weather?', tools }
    const first = stream ? await client.responses.stream(asked).finalResponse() : await client.responses.create(asked)
    const [call] = first.output
    if (call?.type !== 'function_call') throw new Error('no tool call')
    expect(JSON.parse(call.arguments)).toEqual({ city: 'Zürich "Süd"' })
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'rain' }
    const { type, call_id, name, arguments: given } = call
    const second = await client.responses.create({
      ...asked,
      input: [{ role: 'user', content: 'How?' }, { type, call_id, name, arguments: given }, result],
    })
    expect(second.output_text).toBe('The tool said: rain')
  })

  test.for(['usage-twice', 'big-chunks', 'closes-keepalive', 'no-usage'])(
    'the helper takes a stream of fake/%s',
    async (name) => {
      const answer = await client.responses.stream({ model: `fake/${name}`, input: 'x' }).finalResponse()
      expect(answer.status).toBe('completed')
    },
  )
})

test('embeddings are the same as numbers and as base64, and have length 1', async () => {
  const asked = { model: 'fake/echo', input: ['one', 'two'], dimensions: 16 }
  const decoded = await client.embeddings.create(asked)
  const numbers = await client.embeddings.create({ ...asked, encoding_format: 'float' })
  expect(decoded.data).toHaveLength(2)
  expect(decoded.data[0]?.embedding).not.toEqual(decoded.data[1]?.embedding)
  for (const [index, { embedding }] of numbers.data.entries()) {
    expect([...(decoded.data[index]?.embedding ?? [])]).toEqual(embedding)
    expect(Math.hypot(...embedding)).toBeCloseTo(1)
  }
})

test('models are listed and looked up', async () => {
  const ids: string[] = []
  for await (const model of client.models.list()) ids.push(model.id)
  expect(ids).toContain('fake/cut-mid-stream')
  expect((await client.models.retrieve('fake/echo')).object).toBe('model')
  await expect(client.models.retrieve('fake/nothing')).rejects.toThrow(OpenAI.NotFoundError)
})

test.for([
  ['overloaded', OpenAI.InternalServerError, 503, null],
  ['rate-limited', OpenAI.RateLimitError, 429, 'rate_limit_exceeded'],
  ['context-too-long', OpenAI.BadRequestError, 400, 'context_length_exceeded'],
  ['bad-request', OpenAI.BadRequestError, 400, 'decimal_above_max_value'],
  ['unauthorized', OpenAI.AuthenticationError, 401, 'invalid_api_key'],
  ['html-error', OpenAI.InternalServerError, 502, undefined],
  ['refuses-once', OpenAI.InternalServerError, 503, null],
  ['no-such-sentinel', OpenAI.NotFoundError, 404, 'model_not_found'],
  ['echo?no_option=1', OpenAI.BadRequestError, 400, null],
] as const)('fake/%s fails as the package expects', async ([name, type, status, code]) => {
  const model = `fake/${name}`
  const calls = [
    () => client.chat.completions.create({ model, messages: [{ role: 'user', content: 'x' }] }),
    () => client.responses.create({ model, input: 'x' }),
    () => client.embeddings.create({ model, input: 'x' }),
  ]
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(type)
    expect(error).toMatchObject({ status, ...(code === undefined ? {} : { code }) })
  }
})

test('a rate limit comes with the time to wait and the limits', async () => {
  const call = client.responses.create({ model: 'fake/rate-limited?retry_after=3', input: 'x' })
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof OpenAI.RateLimitError)) throw new Error('no rate limit')
  expect(error.headers.get('retry-after')).toBe('3')
  expect(error.headers.get('x-ratelimit-remaining-requests')).toBe('0')
})

test('a call that is refused once is answered when it is repeated', async () => {
  const patient = client.withOptions({ maxRetries: 1 })
  const answer = await patient.responses.create({ model: 'fake/refuses-once', input: 'x' })
  expect(answer.output_text).toMatch(/^the toll/)
})

test.for(['error-event', 'cut-mid-stream'])(
  'fake/%s breaks the stream of either wire after its beginning',
  async (name) => {
    const model = `fake/${name}`
    const messages = [{ role: 'user' as const, content: 'x' }]
    const streams = [
      await client.chat.completions.create({ model, messages, stream: true }),
      await client.responses.create({ model, input: 'x', stream: true }),
    ]
    for (const stream of streams) {
      const seen: unknown[] = []
      const reading = (async () => {
        for await (const event of stream as AsyncIterable<object>) {
          seen.push(event)
          if ('type' in event && event.type === 'response.failed') throw new Error('failed')
        }
      })()
      await expect(reading).rejects.toThrow()
      expect(seen.length).toBeGreaterThan(2)
    }
  },
)
