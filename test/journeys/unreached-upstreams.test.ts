import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newAccessToken } from '../../src/access/access-token.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { newId } from '../../src/core/ids.ts'
import { sealer } from '../../src/core/secret-box.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

// Why an upstream gave no answer is shown to admins, and to no caller.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const SECRET_HOST = 'inner.example.test'

let gateway: GatewayUnderTest
let secret: string
let accountToken: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  const account = await gateway.account({ balance: '100' })
  secret = (await gateway.key(account)).secret
  accountToken = newAccessToken((count) => crypto.getRandomValues(new Uint8Array(count)))
  const token = { id: newId('pat', Date.now()), accountId: account.id, name: 'a test', scope: 'read' } as const
  const shown = { secretStart: accountToken.slice(0, 10), secretEnd: accountToken.slice(-4) }
  const times = { createdAt: Date.now(), expiresAt: null, lastUsedAt: null }
  const hash = controlHashes(TEST_SECRET).accessToken(accountToken)
  await gateway.store.accessTokens.create({ ...token, ...shown, ...times }, hash, 10)
})
afterAll(() => gateway.close())

function answering(status: number, body: string, headers: Record<string, string> = {}): Script {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

const error = (fields: object) => JSON.stringify({ error: { message: 'No.', ...fields } })

/** A server that listens and lets `behave` do with each connection what it wants. */
async function portOf(behave: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    behave(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function put(name: string, { port, settings }: { port: number; settings?: Partial<Upstream> }): Promise<void> {
  await putModelOf(gateway.store, { name, targets: [{ port, ...(settings === undefined ? {} : { settings }) }] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
}

async function scripted(name: string, script: Script): Promise<void> {
  const upstream = await scriptedUpstream(script)
  onTestFinished(() => upstream.close())
  await put(name, upstream)
}

/** One request, and all that its caller got. */
async function call(model: string): Promise<{ id: string; text: string; retry: string | null }> {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  })
  const headers = JSON.stringify(Object.fromEntries(response.headers))
  const text = headers + (await response.text())
  return { id: response.headers.get('x-request-id') ?? '', text, retry: response.headers.get('x-should-retry') }
}

async function read(path: string, token = ADMIN_TOKEN) {
  const response = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${token}` } })
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any
}

/** What the attempts of a request were, to staff and to the account that asked. */
async function attemptsOf(id: string) {
  const path = `/api/usage/${id}`
  await expect.poll(async () => (await read(path)).attempts?.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
  return { staff: (await read(path)).attempts, own: (await read(path, accountToken)).attempts }
}

async function closedPort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test.for<[string, () => Promise<{ port: number; settings?: Partial<Upstream> }>, string]>([
  ['refused-port', async () => ({ port: await closedPort() }), 'connection_refused'],
  [
    'unknown-host',
    async () => ({ port: 9, settings: { baseUrl: `http://${SECRET_HOST.replace('example.test', 'invalid')}/v1` } }),
    'host_unknown',
  ],
  ['no-http', async () => ({ port: await portOf((socket) => socket.end('SSH-2.0-x\r\n\r\n')) }), 'not_http'],
  [
    'no-tls',
    async () => {
      const port = await portOf((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
      return { port, settings: { baseUrl: `https://127.0.0.1:${port}/v1` } }
    },
    'not_tls',
  ],
])(
  'an upstream that cannot be reached (%s) says why in the record and in its last failure',
  async ([name, made, why]) => {
    await put(name, await made())
    const called = await call(name)
    expect(called.text).toContain('upstream_')
    for (const word of ['ECONN', 'ENOTFOUND', '127.0.0.1', 'invalid/', why]) expect(called.text).not.toContain(word)
    const { staff, own } = await attemptsOf(called.id)
    expect(staff[0]).toMatchObject({ why, redirects_to: null, status: null })
    expect(own[0]).toMatchObject({ why: null, redirects_to: null })
    const { data } = await read('/api/upstreams/status')
    expect(data.find((each: { last_failure: object | null }) => each.last_failure !== null)?.last_failure).toBeDefined()
    const upstream = (await gateway.store.catalog.upstreams()).find((each) => each.name === `${name}-0`)
    const status = data.find(({ id }: { id: string }) => id === upstream?.id)
    expect(status.last_failure).toMatchObject({ request_id: called.id, why })
  },
)

test.for([301, 302, 307, 308])(
  'a base URL that redirects with %i says so: to admins with its target',
  async (status) => {
    const name = `redirect-${status}`
    const location = `https://user:word@${SECRET_HOST}/v1/chat/completions?key=hidden`
    await scripted(name, answering(status, '', { location }))
    const called = await call(name)
    expect(called.text).toContain('the base URL of its upstream redirects. An admin has to fix')
    expect(called.text).not.toMatch(/try again|inner\.example|hidden/i)
    expect(called.retry).toBe('false')
    const { staff, own } = await attemptsOf(called.id)
    expect(staff).toMatchObject([{ why: 'redirect', redirects_to: `https://${SECRET_HOST}`, status }])
    expect(JSON.stringify(staff)).not.toMatch(/hidden|user:word/)
    expect(own).toMatchObject([{ why: null, redirects_to: null }])
  },
)

test('a redirect to nothing that can be read is one all the same (bman654/clodex#48)', async () => {
  for (const [index, location] of ['http://[', 'ftp://x/', '/v2/chat/completions'].entries()) {
    await scripted(`odd-redirect-${index}`, answering(308, '', { location }))
    const { staff } = await attemptsOf((await call(`odd-redirect-${index}`)).id)
    expect(staff[0].why).toBe('redirect')
    expect(staff[0].redirects_to ?? 'http://127.0.0.1').toMatch(/^http:\/\/127\.0\.0\.1/)
  }
})

test.for<[string, Script, RegExp, string]>([
  ['a model', answering(404, error({ code: 'model_not_found' })), /knows none by the name/, 'model_missing'],
  ['a model', answering(404, error({ type: 'not_found_error' })), /knows none by the name/, 'model_missing'],
  ['one or the other', answering(404, '404 page not found'), /does not have it, or/, 'not_found'],
  ['a path', answering(404, '<html></html>', { 'content-type': 'text/html' }), /nothing at the path/, 'path_missing'],
  ['neither, by name', answering(404, error({ type: 'invalid_request_error' })), /does not have it, or/, 'not_found'],
  [
    'leave for a model',
    answering(403, error({ code: 'model_access' })),
    /does not let this gateway use it/,
    'forbidden',
  ],
  ['our credential', answering(401, error({ code: 'x' })), /upstream is misconfigured\. An admin/, 'credential'],
])('a provider that has not %s says which of them it is', async ([, script, says, why], { task }) => {
  const name = `lacks-${task.id.replaceAll(/\W/g, '-')}`
  await scripted(name, script)
  const called = await call(name)
  expect(called.text).toMatch(says)
  expect(called.text).not.toMatch(/try again/i)
  const { staff } = await attemptsOf(called.id)
  expect(staff[0]).toMatchObject({ why: null })
  const record = await read(`/api/usage/${called.id}`)
  expect(record.fault_facts).toMatchObject({ why })
})

test('a model that a credential may not use, or that is not there, does not put the credential aside', async () => {
  const upstream = await scriptedUpstream(answering(403, error({ code: 'no' })))
  onTestFinished(() => upstream.close())
  const credentials = [unlimitedCredential(sealer(TEST_SECRET).seal('sk-of-a-provider'), 'the one')]
  await put('forbidden-one', { port: upstream.port, settings: { credentials } })
  const [first] = (await gateway.store.catalog.upstreams()).filter(({ name }) => name === 'forbidden-one-0')
  expect(first).toBeDefined()
  for (const status of [403, 404, 403, 404]) {
    upstream.script = answering(status, error({ code: 'no' }))
    await call('forbidden-one')
  }
  const { data } = await read('/api/upstreams/status')
  const now = data.find(({ id }: { id: string }) => id === first?.id)
  expect(now.state).not.toBe('held')
  expect(now.credentials.map(({ state }: { state: string }) => state)).not.toContain('held')
  expect(now.last_failure).toMatchObject({ why: null, status: 404 })
})

test('the explanation of a route says why a target that rests gave no answer', async () => {
  const port = await closedPort()
  await put('explained-dead', { port })
  for (let asked = 0; asked < 3; asked += 1) await call('explained-dead')
  const keys = await read('/api/keys?account_id=*')
  const query = new URLSearchParams({ model: 'explained-dead', key: keys.data[0].id })
  const { candidates } = await read(`/api/route?${query.toString()}`)
  expect(candidates).toMatchObject([{ why: 'connection_refused' }])
})
