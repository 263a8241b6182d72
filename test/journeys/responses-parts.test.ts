import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES } from '../support/gateway-under-test.ts'

// Compaction and token counts of the Responses API, by the official SDK.

const INPUT = 'one two three'
const asked: string[] = []
const upstream = createServer((request, response) => void answer(request).then((body) => response.end(body)))

let gateway: GatewayUnderTest
let client: OpenAI
let secret: string
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  gateway = await gatewayUnderTest()
  await modelOn('openai', 'speaks')
  await gateway.model('fake/chat', { protocols: ['openai-chat', 'anthropic'] })
  await gateway.model('fake/echo', { protocols: ['openai'] })
  secret = (await gateway.key(await gateway.account({ balance: '10' }))).secret
  client = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway.close()
  upstream.closeAllConnections()
  upstream.close()
})

test('a compaction reaches an upstream that speaks the wire untouched, and is charged by its own usage', async () => {
  const { data, response } = await client.responses.compact({ model: 'speaks', input: INPUT }).withResponse()
  expect(data).toMatchObject({ object: 'response.compaction', usage: { input_tokens: 1000, output_tokens: 100 } })
  expect(asked.at(-1)).toBe(`POST /v1/responses/compact {"model":"behind","input":"${INPUT}"}`)
  expect(response.headers.get('x-tollgate-cost')).toBe('0.003500001')
  const receipt = await fetch(`${gateway.origin}/v1/requests/${response.headers.get('x-request-id')}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(await receipt.json()).toMatchObject({ protocol: 'openai-responses', usage_source: 'reported' })
})

test('a model whose upstreams speak other wires cannot compact, and the refusal says so before anything is sent', async () => {
  const refused = await client.responses.compact({ model: 'fake/chat', input: INPUT }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 400, param: 'model' })
  expect(String(refused)).toContain('is not available at POST /v1/responses/compact')
  expect(gateway.fake.requests).toEqual([])
})

test('input tokens are counted by an upstream that can, for nothing and without a record', async () => {
  const { data, response } = await client.responses.inputTokens.count({ model: 'speaks', input: INPUT }).withResponse()
  expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 7 })
  expect(response.headers.get('x-tollgate-usage-source')).toBeNull()
  expect(asked.at(-1)).toBe(`POST /v1/responses/input_tokens {"model":"behind","input":"${INPUT}"}`)
  expect(await gateway.store.usage.record(response.headers.get('x-request-id') ?? '')).toBeNull()
})

test.for(['fake/chat', 'fake/echo'])('input tokens of %s, whose upstream cannot, are counted here', async (model) => {
  const { data, response } = await client.responses.inputTokens.count({ model, input: INPUT }).withResponse()
  expect(data.object).toBe('response.input_tokens')
  expect(data.input_tokens).toBeGreaterThan(2)
  expect(response.headers.get('x-tollgate-usage-source')).toBe('estimated')
})

async function answer(request: IncomingMessage): Promise<string> {
  asked.push(`${request.method} ${request.url} ${await text(request)}`)
  if (request.url === '/v1/responses/input_tokens') {
    return JSON.stringify({ object: 'response.input_tokens', input_tokens: 7 })
  }
  const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }
  return JSON.stringify({ id: 'resp_1', object: 'response.compaction', created_at: 1, output: [], usage })
}

async function modelOn(protocol: UpstreamProtocol, name: string): Promise<void> {
  const { port } = upstream.address() as AddressInfo
  const upstreamId = newId('ups', Date.now())
  await gateway.store.catalog.putUpstream({
    id: upstreamId,
    name: 'behind',
    protocol,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    sealedCredential: null,
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    isManaged: false,
  })
  await gateway.store.catalog.putModel({
    id: newId('mdl', Date.now()),
    name,
    prices: TEST_PRICES,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    targets: [{ upstreamId, model: 'behind', priority: 0, weight: 1 }],
    createdAt: Date.now(),
    isManaged: false,
  })
}
