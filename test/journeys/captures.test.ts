import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { CapturedRequestView, CaptureRead } from '../../src/contract/captures.ts'
import { CAPTURE_BODY_BYTES, CAPTURE_REQUESTS, CAPTURES_AT_ONCE } from '../../src/core/limits.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// What the requests of one key send and get is kept for an admin, while a capture of the key runs.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const MODEL = 'fake/echo?output=5'
/** The credential that `gatewayUnderTest` gives every upstream. */
const CREDENTIAL = 'upstream-credential-for-tests'
const CANARY = 'canary-of-a-header-2f9c61'

let gateway: GatewayUnderTest
let account: Account
let secret: string
let keyId: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  await gateway.model(MODEL)
  account = await gateway.account({ balance: '100' })
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await turn(true)
  const made = await gateway.key(account)
  secret = made.secret
  keyId = made.key.id
})

/** Ends what runs: of all keys, no more than some may. */
afterEach(() => turn(false))

async function api(method: string, path: string, body?: object) {
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, text, body: JSON.parse(text === '' ? 'null' : text) }
}

async function turn(isOn: boolean): Promise<void> {
  expect((await api('PATCH', '/api/settings', { capture_requests: isOn })).status).toBe(200)
}

const begin = () => api('POST', `/api/keys/${keyId}/capture`)

async function kept(id = keyId): Promise<CaptureRead> {
  return (await api('GET', `/api/keys/${id}/capture`)).body as CaptureRead
}

/** Resolves with the newest captured request, once there are so many. */
async function newest(count: number): Promise<CapturedRequestView> {
  await expect.poll(async () => (await kept()).data.length, { timeout: PATIENCE_MS }).toBe(count)
  const id = (await kept()).data.at(-1)?.request_id ?? ''
  return (await api('GET', `/api/keys/${keyId}/capture/${id}`)).body as CapturedRequestView
}

const WIRES = {
  '/v1/chat/completions': { authorization: () => `Bearer ${secret}` },
  '/v1/messages': { 'x-api-key': () => secret, 'anthropic-version': () => '2023-06-01' },
} as const
type Path = keyof typeof WIRES

/** Resolves to the whole answer, as the client gets it. */
async function call(path: Path, fields: object = {}): Promise<{ status: number; text: string }> {
  const headers = Object.fromEntries(Object.entries(WIRES[path]).map(([name, value]) => [name, value()]))
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: CANARY, 'x-unknown': CANARY, ...headers },
    body: JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hi 你好' }], ...fields }),
  })
  return { status: response.status, text: await response.text() }
}

test.each([
  ['/v1/chat/completions', false],
  ['/v1/chat/completions', true],
  ['/v1/messages', false],
  ['/v1/messages', true],
] as const)('%s with stream %s is kept as it was sent and as it was answered', async (path, stream) => {
  expect((await begin()).status).toBe(201)
  const answer = await call(path, { stream })
  expect(answer.status).toBe(200)
  const found = await newest(1)
  expect(found).toMatchObject({ method: 'POST', path, model: MODEL, status: 200 })
  expect(JSON.parse(found.request.body.text)).toMatchObject({ messages: [{ content: 'Hi 你好' }], stream })
  expect(found.response).toMatchObject({ status: 200, body: { encoding: 'utf8', text: answer.text, is_cut: false } })
  expect(found.response_bytes).toBe(Buffer.byteLength(answer.text))
  expect(found.attempts).toMatchObject([{ model: MODEL, response: { status: 200 } }])
  expect(found.attempts[0]?.request.body.text).toContain('Hi 你好')
  expect(found.attempts[0]?.response?.body.text).not.toBe('')
})

test('no credential is kept, of the caller or of an upstream, wherever it stands', async () => {
  await begin()
  await call('/v1/chat/completions', {
    messages: [{ role: 'user', content: `my key is ${secret}, and ${CREDENTIAL}` }],
  })
  const text = JSON.stringify(await newest(1))
  for (const canary of [secret, CREDENTIAL, CANARY, 'authorization', 'cookie', 'x-api-key']) {
    expect(text).not.toContain(canary)
  }
  expect(text).toContain('my key is [removed], and [removed]')
})

test('what is refused is kept as well, and says why', async () => {
  await begin()
  const { text } = await call('/v1/chat/completions', { model: 'none' })
  const found = await newest(1)
  expect(found).toMatchObject({ status: 404, model: 'none', attempts: [], response: { body: { text } } })
})

test('a long body is kept to its bound, with a mark', async () => {
  await begin()
  const content = 'x'.repeat(CAPTURE_BODY_BYTES + 10_000)
  await call('/v1/chat/completions', { messages: [{ role: 'user', content }] })
  const { request: sent, request_bytes: bytes } = await newest(1)
  expect(sent.body.is_cut).toBe(true)
  expect(sent.body.text).toHaveLength(CAPTURE_BODY_BYTES)
  expect(bytes).toBeGreaterThan(CAPTURE_BODY_BYTES + 10_000)
})

test('the 20th request ends it: the key, its owner and the audit know, and no other request is kept', async () => {
  await begin()
  const owner = () => api('GET', `/api/keys/${keyId}`)
  expect((await owner()).body.captured_until).not.toBeNull()
  await Promise.all(Array.from({ length: CAPTURE_REQUESTS + 5 }, () => call('/v1/chat/completions')))
  const capture = async () => (await kept()).capture
  await expect
    .poll(capture, { timeout: PATIENCE_MS })
    .toMatchObject({ is_running: false, requests: CAPTURE_REQUESTS, ended_because: 'count', missed: 0 })
  await expect.poll(async () => (await owner()).body.captured_until, { timeout: PATIENCE_MS }).toBeNull()
  await call('/v1/chat/completions')
  expect((await kept()).data).toHaveLength(CAPTURE_REQUESTS)
  const { body: audit } = await api('GET', `/api/audit?subject=${keyId}`)
  expect(audit.data.map((entry: { action: string }) => entry.action)).toEqual(['key.capture_end', 'key.capture'])
})

test('requests of other keys, and from before it began and behind its end, are not kept', async () => {
  const other = await gateway.key(account)
  await call('/v1/chat/completions')
  await begin()
  const [own, ownId] = [secret, keyId]
  secret = other.secret
  await call('/v1/chat/completions')
  secret = own
  await call('/v1/messages')
  await newest(1)
  expect((await api('DELETE', `/api/keys/${ownId}/capture`)).status).toBe(204)
  await call('/v1/messages')
  expect((await kept()).data).toHaveLength(1)
  expect(await kept(other.key.id)).toMatchObject({ capture: null, data: [] })
})

test('a request whose body is on its way when the capture begins is not kept', async () => {
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'slow' }] })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', expect: '100-continue' }
  const slow = request(`${gateway.origin}/v1/chat/completions`, { method: 'POST', headers })
  const answered = once(slow, 'response')
  slow.flushHeaders()
  // The gateway has the head.
  await once(slow, 'continue')
  slow.write(body.slice(0, 10))
  expect((await begin()).status).toBe(201)
  slow.end(body.slice(10))
  const [answer] = (await answered) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(200)
  await once(answer, 'close')
  await call('/v1/messages')
  const paths = async () => (await kept()).data.map(({ path }) => path)
  await expect.poll(paths, { timeout: PATIENCE_MS }).toContain('/v1/messages')
  expect(await paths()).toEqual(['/v1/messages'])
})

test('each look at a request is in the audit, with who looked from where', async () => {
  await begin()
  await call('/v1/chat/completions')
  const { request_id: id } = await newest(1)
  const { body } = await api('GET', `/api/audit?subject=${keyId}&action=key.capture_read`)
  expect(body.data).toMatchObject([
    { actor: 'admin_token', address: '127.0.0.1', account_id: account.id, changes: { request: { after: id } } },
  ])
})

test('nothing begins while the setting is off, and turning it off ends what runs and deletes what was kept', async () => {
  await begin()
  await call('/v1/chat/completions')
  const { request_id: id } = await newest(1)
  await turn(false)
  expect((await api('GET', `/api/keys/${keyId}`)).body.captured_until).toBeNull()
  expect(await begin()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await kept()).toEqual({ enabled: false, capture: null, data: [] })
  await call('/v1/chat/completions')
  await turn(true)
  expect(await kept()).toEqual({ enabled: true, capture: null, data: [] })
  expect((await api('GET', `/api/keys/${keyId}/capture/${id}`)).status).toBe(404)
})

test('a key has one capture at a time, and all keys together have a bound', async () => {
  expect((await begin()).status).toBe(201)
  expect((await begin()).body.detail).toContain('End it before')
  const keys = await Promise.all(Array.from({ length: CAPTURES_AT_ONCE }, () => gateway.key(account)))
  const answers = await Promise.all(keys.map(({ key }) => api('POST', `/api/keys/${key.id}/capture`)))
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(1)
})

test('what could not be kept is counted, and no request fails by it', async () => {
  await begin()
  const { captures } = gateway.store
  const { id = '' } = (await kept()).capture ?? {}
  await captures.noteMissed(id, 2)
  expect((await kept()).capture).toMatchObject({ missed: 2, is_running: true })
})
