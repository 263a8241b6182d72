import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CloudUpstream } from '../../src/upstreams/cloud-upstream.ts'
import { signV4 } from '../../src/upstreams/credentials/sign-v4.ts'
import { bedrock } from '../../src/upstreams/dialects/bedrock/bedrock.ts'
import { HttpUpstream } from '../../src/upstreams/http-upstream.ts'
import type { UpstreamExchange, UpstreamRequest } from '../../src/upstreams/upstream-client.ts'
import { type FakeBedrock, startFakeBedrock } from '../../tools/fake-upstream/clouds/bedrock.ts'
import { type FakeUpstream, startFakeUpstream } from '../../tools/fake-upstream/fake-upstream.ts'

/** One client of an upstream of Bedrock, which signs each request, against a Bedrock that verifies the signatures. */

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', sessionToken: 'a token' }
const REGION = 'eu-west-1'
let provider: FakeUpstream
let cloud: FakeBedrock
let upstream: CloudUpstream
let keys = KEYS
let clockOffMs = 0

beforeAll(async () => {
  provider = await startFakeUpstream()
  cloud = await startFakeBedrock({ upstream: provider, region: REGION, keys: { [KEYS.accessKeyId]: KEYS } })
  const client = new HttpUpstream({ baseUrl: cloud.url, headers: {}, connectTimeoutMs: 10_000, maxConcurrency: null })
  const dialect = bedrock({ protocol: 'anthropic', baseUrl: cloud.url, region: REGION, apiVersion: null })
  upstream = new CloudUpstream(client, dialect, {
    headers: (request) =>
      signV4(request, { baseUrl: cloud.url, region: REGION, service: 'bedrock', keys, nowMs: Date.now() + clockOffMs }),
    close: () => undefined,
  })
})

afterAll(async () => {
  await upstream.close()
  await cloud.close()
  await provider.close()
})

beforeEach(() => {
  keys = KEYS
  clockOffMs = 0
})

function asking(model: string, form: 'whole' | 'stream' | 'count_tokens' = 'whole'): UpstreamRequest {
  const body = { model, max_tokens: 100, stream: form === 'stream', messages: [{ role: 'user', content: 'é "x"' }] }
  return {
    method: 'POST',
    path: '/messages',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-request-id': 'req_1' },
    body: [Buffer.from(JSON.stringify(body))],
    asks: { wire: 'anthropic-messages', model, form },
  }
}

interface Heard {
  readonly exchange: UpstreamExchange
  readonly whole: Promise<{ readonly status: number; readonly body: string }>
  bytes(): number
}

function send(request: UpstreamRequest, onData: (exchange: UpstreamExchange) => void = () => undefined): Heard {
  let status = 0
  let bytes = 0
  const pieces: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const exchange = upstream.send(request, {
    onHead: (received) => void (status = received),
    onData(chunk) {
      bytes += chunk.length
      pieces.push(chunk)
      onData(exchange)
    },
    onEnd: () => resolve({ status, body: Buffer.concat(pieces).toString() }),
    onFailure: reject,
  })
  return { exchange, whole: promise, bytes: () => bytes }
}

test.for([
  'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3',
  "an id (odd) with ' * and é",
])('%s is taken, whole and streamed', async (model) => {
  expect(await send(asking(model)).whole).toMatchObject({ status: 200, body: expect.stringContaining('"text":"é') })
  const { status, body } = await send(asking(model, 'stream')).whole
  expect([status, body.startsWith('event: message_start'), body.includes('event: message_stop')]).toEqual([
    200,
    true,
    true,
  ])
})

test('tokens are counted', async () => {
  const { body } = await send(asking('us.anthropic.claude-x', 'count_tokens')).whole
  expect(JSON.parse(body)).toEqual({ input_tokens: expect.any(Number) as number })
})

test('another secret, another token and a clock that is off by ten minutes are heard as wrong credentials', async () => {
  keys = { ...KEYS, secretAccessKey: 'another' }
  expect(await send(asking('a')).whole).toMatchObject({
    status: 401,
    body: expect.stringContaining('InvalidSignature'),
  })
  keys = { ...KEYS, sessionToken: 'another' }
  expect(await send(asking('a')).whole).toMatchObject({
    status: 401,
    body: expect.stringContaining('UnrecognizedClient'),
  })
  keys = KEYS
  clockOffMs = 600_000
  expect(await send(asking('a')).whole).toMatchObject({ status: 401, body: expect.stringContaining('not yet current') })
})

test('a client that reads slowly slows Bedrock, and gets all of it in the end', async () => {
  const model = 'fake/big-chunks?chunks=400'
  let isPaused = false
  const { exchange, whole, bytes } = send(asking(model, 'stream'), (begun) => {
    if (isPaused) return
    isPaused = true
    begun.pause()
  })
  await expect.poll(() => bytes()).toBeGreaterThan(0)
  // What fills the buffers on the way comes no further than to them.
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = before === bytes()
        before = bytes()
        return isStill
      },
      { interval: 200 },
    )
    .toBe(true)
  expect(bytes()).toBeLessThan(2_000_000)
  exchange.resume()
  const { body } = await whole
  expect(body.length).toBeGreaterThan(400 * 65_536)
  expect(body).toContain('event: message_stop')
})

test('a client that leaves ends the stream at the provider', async () => {
  const model = 'fake/slow-chunks?chunks=200&delay_ms=20'
  const aborted = provider.whenAborted((request) => request.body.includes('slow-chunks'))
  const { bytes } = send(asking(model, 'stream'), (exchange) => exchange.abort())
  await aborted
  const heard = bytes()
  expect(heard).toBeGreaterThan(0)
  expect(bytes()).toBe(heard)
})
