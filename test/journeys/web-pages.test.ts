import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

// Web pages that call the gateway with an API key: what browsers ask before, and what they need in an answer.

const PAGE = 'https://chat.example.test'
const SDK_HEADERS =
  'anthropic-dangerous-direct-browser-access,anthropic-version,authorization,content-type,idempotency-key,x-api-key,x-goog-api-key,x-stainless-retry-count'

let gateway: GatewayUnderTest
let secret: string
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  await gateway.model('fake/echo')
  secret = (await gateway.key(await gateway.account())).secret
})
afterAll(() => gateway.close())

test.for([
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/messages'],
  ['POST', '/messages'],
  ['POST', '/v1beta/models/fake/echo:generateContent'],
  ['POST', '/v1/embeddings'],
  ['GET', '/v1/models'],
  ['GET', '/api.json'],
  ['DELETE', '/v1/nothing/is/here'],
] as const)('a preflight of %s %s allows any origin and the headers that were asked for', async ([method, path]) => {
  const answer = await preflight(path, { method, headers: SDK_HEADERS })
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': SDK_HEADERS,
    vary: 'access-control-request-headers',
    'x-request-id': expect.stringMatching(/^req_/),
  })
  expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
})

test('no header list is reflected that is too long, or not a list of names', async () => {
  for (const headers of ['x-a,'.repeat(2_000), 'x-a;y', 'x-a: 1']) {
    const answer = await preflight('/v1/messages', { method: 'POST', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toBeNull()
  }
})

test('every answer to a page may be read by it: whole, streamed, refused, and not found', async () => {
  const whole = await call('/v1/chat/completions', { model: 'fake/echo', messages: [{ role: 'user', content: 'hi' }] })
  expect(whole.status).toBe(200)
  const streamed = await call('/v1/messages', {
    model: 'fake/echo',
    max_tokens: 10,
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
  })
  expect(streamed.headers.get('content-type')).toContain('text/event-stream')
  const unknownModel = await call('/v1/messages', { model: 'none', max_tokens: 10, messages: [] })
  expect(unknownModel.headers.get('x-tollgate-fault')).toBe('model_unknown')
  const wrongKey = await fetch(`${gateway.origin}/v1/models`, { headers: { origin: PAGE, 'x-api-key': 'sk-wrong' } })
  expect(wrongKey.status).toBe(401)
  const notFound = await fetch(`${gateway.origin}/v1/nothing`, { headers: { origin: PAGE } })
  expect(notFound.status).toBe(404)
  for (const answer of [whole, streamed, unknownModel, wrongKey, notFound]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    await answer.text()
  }
})

test('what no page sent carries no such header', async () => {
  const answer = await fetch(`${gateway.origin}/v1/models`, { headers: { 'x-api-key': secret } })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.for(['/api', '/api/me', '/api/keys', '/api/auth/sign-in', '/api/openapi.json', '/console/', '/healthz'])(
  '%s is never opened to web pages',
  async (path) => {
    const asked = await preflight(path, { method: 'POST', headers: 'content-type' })
    const got = await fetch(gateway.origin + path, { headers: { origin: PAGE } })
    for (const answer of path.startsWith('/api') || path.startsWith('/console') ? [asked, got] : [got]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  },
)

test('TOLLGATE_CORS=0 turns it off', async () => {
  const closed = await gatewayUnderTest({ environment: { TOLLGATE_CORS: '0' } })
  const headers = { origin: PAGE, 'access-control-request-method': 'POST' }
  const asked = await fetch(`${closed.origin}/v1/messages`, { method: 'OPTIONS', headers })
  expect(asked.status).toBe(404)
  expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  await closed.close()
})

function preflight(path: string, wanted: { method: string; headers: string }): Promise<Response> {
  return fetch(gateway.origin + path, {
    method: 'OPTIONS',
    headers: {
      origin: PAGE,
      'access-control-request-method': wanted.method,
      'access-control-request-headers': wanted.headers,
    },
  })
}

function call(path: string, body: object): Promise<Response> {
  return fetch(gateway.origin + path, {
    method: 'POST',
    headers: { origin: PAGE, authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
