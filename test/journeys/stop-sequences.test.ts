import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

/** Stop sequences that the upstream does not take, as the official SDKs read their end. */

const ON_OPENAI = 'fake/echo?tag=openai'
const ON_ANTHROPIC = 'fake/echo?tag=anthropic'
const LONG = 'fake/slow-chunks?chunks=200&delay_ms=20'

let gateway: GatewayUnderTest
let secret: string
let anthropic: Anthropic
let openai: OpenAI

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  await gateway.model(ON_OPENAI, { protocols: ['openai'] })
  await gateway.model(LONG, { protocols: ['openai'] })
  await gateway.model(ON_ANTHROPIC, { protocols: ['anthropic'] })
  secret = (await gateway.key(await gateway.account())).secret
  anthropic = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
  openai = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
})

afterAll(() => gateway.close())

const messages = [{ role: 'user' as const, content: 'one two\nthree four' }]
const isStreamed = test.for([[false], [true]] as const)

isStreamed('messages of Anthropic’s SDK stop where an OpenAI upstream goes on, streamed %s', async ([stream]) => {
  const params = { model: ON_OPENAI, max_tokens: 100, messages, stop_sequences: ['four', 'three'] }
  const answer = stream
    ? await anthropic.messages.stream(params).finalMessage()
    : await anthropic.messages.create(params)
  expect(answer).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'three' })
  expect(answer.content).toEqual([expect.objectContaining({ type: 'text', text: 'one two\n' })])
  expect(answer.usage.output_tokens).toBeGreaterThan(0)
})

isStreamed('chat completions stop at a line break on an Anthropic upstream, streamed %s', async ([stream]) => {
  const params = { model: ON_ANTHROPIC, messages, stop: '\n' }
  const answer = stream
    ? await openai.chat.completions.stream(params).finalChatCompletion()
    : await openai.chat.completions.create(params)
  expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one two' } })
})

test('a long stream ends at the sequence, and only what came until then is paid for', async () => {
  const params = { model: LONG, max_tokens: 5_000, messages, stop_sequences: [' '] }
  const { data: stream, response } = await anthropic.messages.create({ ...params, stream: true }).withResponse()
  const events = await Array.fromAsync(stream)
  expect(events.at(-1)).toMatchObject({ type: 'message_stop' })
  expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
    delta: { stop_reason: 'stop_sequence', stop_sequence: ' ' },
  })
  const url = `${gateway.origin}/v1/requests/${response.headers.get('request-id')}`
  const receipt = (await (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).json()) as {
    outcome: string
    usage_source: string
    tokens: { output: number }
  }
  expect(receipt).toMatchObject({ outcome: 'completed', usage_source: 'estimated' })
  expect(receipt.tokens.output).toBeLessThan(50)
})
