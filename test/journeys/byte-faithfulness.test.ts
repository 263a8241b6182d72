import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { TEST_PRICES, type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite } from '../support/run/suite.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

/** What the upstream got, and what it answers, in pieces. */
const upstream = {
  got: Buffer.alloc(0),
  /** The path with its query. */
  path: '',
  contentType: 'application/json',
  pieces: [] as readonly Buffer[],
}

const echo: Script = async (request, response) => {
  upstream.got = await buffer(request)
  upstream.path = request.url ?? ''
  response.writeHead(200, { 'content-type': upstream.contentType })
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  for (const piece of upstream.pieces) {
    response.write(piece)
    // Each piece in a packet of its own, as far as that can be had.
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

let gateway: GatewayUnderTest
let secret: string
let server: ScriptedUpstream

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  server = await scriptedUpstream(echo)
  const ids = { openai: newId('ups', 1), anthropic: newId('ups', 2), gemini: newId('ups', 3) }
  for (const protocol of ['openai', 'anthropic', 'gemini'] as const) {
    await gateway.store.catalog.putUpstream({
      id: ids[protocol],
      name: `echoing ${protocol}`,
      protocol,
      baseUrl: server.url,
      credentials: [],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
    })
  }
  await gateway.store.catalog.putModel({
    id: newId('mdl', 1),
    name: 'public/name',
    prices: TEST_PRICES,
    contextTokens: null,
    maxOutputTokens: null,
    targets: Object.values(ids).map((upstreamId) => ({ upstreamId, model: 'upstream-name', priority: 0, weight: 1 })),
    createdAt: 0,
    isManaged: false,
  })
  secret = (await gateway.key(await gateway.account())).secret
  await vi.waitUntil(async () => (await call('/v1/models', null)).includes('public/name'), { timeout: PATIENCE_MS })
})

afterAll(async () => {
  server.close()
  await gateway.close()
})

async function call(path: string, body: Buffer | null): Promise<Buffer> {
  const answer = await fetch(gateway.origin + path, {
    method: body === null ? 'GET' : 'POST',
    headers: { 'x-api-key': secret },
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  })
  return Buffer.from(await answer.arrayBuffer())
}

const oddities = `"unknown_field" : {"big":12345678901234567890,"number":1.50,"escaped":"caf\\u00e9 \\/ \\ud83d\\ude00","model":"public/name"}`

/** Where the request's own model name stands. */
const HERE = '@model@'

test.for<readonly [string, string, string]>([
  [
    '/v1/chat/completions',
    '"public/name"',
    `{ "model":${HERE} ,"messages":[{"role":"user","content":"é😀"}],${oddities}}`,
  ],
  [
    '/v1/chat/completions',
    '"public/name"',
    `{${oddities},"stream":true,"stream_options":{"include_usage":true,"x":1},"model" : ${HERE}}`,
  ],
  [
    '/v1/responses',
    '"public\\/n\\u0061me"',
    `{"input":"hi","model":${HERE},${oddities},"previous_response_id":"resp_1"}\n`,
  ],
  [
    '/v1/messages',
    '"public/name"',
    `{"max_tokens":5,"messages":[],"model":${HERE},"system":[{"type":"text","cache_control":{}}],${oddities}}`,
  ],
  ['/v1beta/models/public/name:generateContent', '', `{"contents":[{"parts":[{"text":"é😀"}]}] ,${oddities}}`],
])('a request to %s reaches the upstream byte for byte, but for the model name %s', async ([path, written, body]) => {
  upstream.contentType = 'application/json'
  upstream.pieces = [Buffer.from('{"usage":null}')]
  await call(path, Buffer.from(body.replace(HERE, written)))
  expect(upstream.got.toString()).toBe(body.replace(HERE, '"upstream-name"'))
})

test('on Google’s wire the model’s name in the path is the one that is changed', async () => {
  upstream.contentType = 'application/json'
  upstream.pieces = [Buffer.from('{"candidates":[{"content":{"parts":[{"text":"é"}]},"finishReason":"STOP"}]}')]
  await call('/v1beta/models/public%2Fname:generateContent', Buffer.from('{"contents":[]}'))
  expect(upstream.path).toBe('/v1beta/models/upstream-name:generateContent')
  await call('/v1/models/public/name:streamGenerateContent?alt=sse', Buffer.from('{"contents":[]}'))
  expect(upstream.path).toBe('/v1beta/models/upstream-name:streamGenerateContent?alt=sse')
})

test('an answer comes back byte for byte', async () => {
  const body = Buffer.from(
    `{"id" : "x", ${oddities}, "choices" : [ {"message":{"content":"é"}} ], "usage":{"prompt_tokens":1,"completion_tokens":1},"model":"dated-name" }  \n`,
  )
  upstream.contentType = 'application/json'
  upstream.pieces = [body.subarray(0, 10), body.subarray(10)]
  expect(await call('/v1/chat/completions', Buffer.from('{"model":"public/name","messages":[]}'))).toEqual(body)
})

/** How many bytes further on a stream is cut the next time. An odd number meets every part of a letter of four. */
const STEP = inSuite({ long: 1, short: 5 })

const streams = {
  '/v1/chat/completions':
    `: comment\n\ndata: {"choices":[{"index":0,"delta":{"role":"assistant","content":"é"},"finish_reason":null}],${oddities}}\r\n\r\n` +
    `data:{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n` +
    `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\ndata: [DONE]\n\n`,
  '/v1/messages':
    `event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}   }\n\n` +
    `event: ping\ndata: {"type":"ping"}\n\n` +
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"é😀"},${oddities}}\n\n` +
    `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}\n\n` +
    `event: message_stop\ndata: {"type":"message_stop"}\n\n`,
  '/v1beta/models/public/name:streamGenerateContent?alt=sse':
    `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"é😀"}]},"index":0}],${oddities}}\r\n\r\n` +
    `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"."}]},"finishReason":"STOP","index":0}],` +
    `"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4,"totalTokenCount":13}}\r\n\r\n`,
} as const

test.for(Object.entries(streams))(
  'a stream of %s is the same wherever it is cut',
  { timeout: 300_000 },
  async ([path, text]) => {
    const bytes = Buffer.from(text)
    const request = Buffer.from(
      path === '/v1/messages'
        ? '{"model":"public/name","stream":true,"max_tokens":9,"messages":[]}'
        : '{"model":"public/name","stream":true,"stream_options":{"include_usage":true},"messages":[],"input":"","contents":[]}',
    )
    upstream.contentType = 'text/event-stream'
    const account = await gateway.account()
    secret = (await gateway.key(account)).secret
    let calls = 0
    for (let cut = 1; cut < bytes.length; cut += STEP) {
      upstream.pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      expect((await call(path, request)).toString(), `cut at ${cut}`).toBe(text)
      calls += 1
    }
    // 9 × 2.5 + 4 × 10.000001 = 62.500004 millionths of a USD, rounded up to a nano-USD.
    const spent = 10_000_000_000n - (await gateway.store.ledger.balance(account.id))
    expect(spent).toBe(BigInt(calls) * 62_501n)
  },
)

test('a body of several megabytes arrives whole, in front of and behind the model name', async () => {
  const text = 'é'.repeat(3_000_000)
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
  upstream.contentType = 'application/json'
  upstream.pieces = [Buffer.from('{"usage":null}')]
  const body = `{"messages":[{"role":"user","content":"${text}"}],"model":${HERE},"tools":["${text}"]}`
  await call('/v1/chat/completions', Buffer.from(body.replace(HERE, '"public/name"')))
  expect(upstream.got.equals(Buffer.from(body.replace(HERE, '"upstream-name"')))).toBe(true)
})
