import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccessToken } from '../../src/access/access-token.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { testPostgres } from '../support/test-servers.ts'

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const SHORT = 'fake/echo?input=40&output=10&chunks=2&tag=api-keys'
const STALLS = 'fake/stalls-mid-stream?hold_ms=30000&tag=api-keys'

/** Keys made and changed through the console API, used at the gateways beside it, which all follow one database. */
describe.each([
  ['one node on SQLite', 1],
  ['two nodes on PostgreSQL', 2],
] as const)('with %s', (_name, nodes) => {
  let database: { url: string; drop(): Promise<void> } | null = null
  let gateways: GatewayUnderTest[] = []
  let accountId: string

  beforeAll(async () => {
    database = nodes === 1 ? null : await testPostgres()
    const environment = {
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
      ...(database === null ? {} : { DATABASE_URL: database.url, TOLLGATE_SECRET: 'x'.repeat(32) }),
    }
    for (let i = 0; i < nodes; i++) gateways.push(await gatewayUnderTest({ environment }))
    for (const model of [SHORT, STALLS]) await first().model(model)
    accountId = (await first().account({ balance: '10' })).id
  })
  afterAll(async () => {
    await Promise.all(gateways.map((each) => each.close()))
    await database?.drop()
  })

  /** The console API is asked here. */
  function first(): GatewayUnderTest {
    const [gateway] = gateways
    if (gateway === undefined) throw new Error('no gateway was started')
    return gateway
  }

  /** Models are called here: on another node, where there is one. */
  function last(): GatewayUnderTest {
    return gateways.at(-1) ?? first()
  }

  async function ask(method: string, path: string, body?: object) {
    const response = await fetch(first().origin + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  async function newKey(fields: object = {}) {
    const { status, body } = await ask('POST', '/api/keys', {
      name: 'k',
      group: 'default',
      account_id: accountId,
      ...fields,
    })
    expect(status).toBe(201)
    return { path: `/api/keys/${body.key.id}`, id: body.key.id as string, secret: body.secret as string }
  }

  function call(secret: string, model = SHORT, stream = false): Promise<Response> {
    return fetch(`${last().origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] }),
    })
  }

  /** What a call with this secret is answered: `ok` or the fault. */
  async function outcome(secret: string): Promise<string> {
    const response = await call(secret)
    await response.arrayBuffer()
    return response.headers.get('x-tollgate-fault') ?? (response.ok ? 'ok' : String(response.status))
  }

  test('a key that was created works at once', async () => {
    // Models are written into the database of these tests, and nodes follow it after a moment.
    const before = await newKey()
    await expect.poll(() => outcome(before.secret), { timeout: PATIENCE_MS }).toBe('ok')
    expect(await outcome((await newKey()).secret)).toBe('ok')
  })

  test.for([
    ['disabled', 'PATCH', '', { status: 'disabled' }, 'key_disabled'],
    ['deleted', 'DELETE', '', undefined, 'key_deleted'],
    ['limited to nothing', 'PATCH', '', { quota_limit: '0' }, 'key_quota_exhausted'],
    ['limited to no requests', 'PATCH', '', { rate_limit: { requests_per_minute: 0 } }, 'rate_limited'],
    ['kept to another address', 'PATCH', '', { allowed_ips: ['203.0.113.7'] }, 'ip_not_allowed'],
    ['rotated without an overlap', 'POST', '/rotate', { overlap_seconds: 0 }, 'key_expired'],
  ] as const)('a request that starts after the key was %s is refused', async ([, method, step, body, fault]) => {
    const { path, secret } = await newKey()
    expect(await outcome(secret)).toBe('ok')
    expect((await ask(method, path + step, body)).status).toBeLessThan(300)
    expect(await outcome(secret)).toBe(fault)
  })

  test('many keys that are disabled together are refused when the call has returned', async () => {
    const keys = await Promise.all([newKey(), newKey(), newKey()])
    for (const { secret } of keys) expect(await outcome(secret)).toBe('ok')
    await ask('POST', '/api/keys/bulk', { ids: keys.map(({ id }) => id), action: 'disable' })
    for (const { secret } of keys) expect(await outcome(secret)).toBe('key_disabled')
  })

  test.for([
    ['deleted', 'DELETE', '', undefined],
    ['rotated without an overlap', 'POST', '/rotate', { overlap_seconds: 0 }],
  ] as const)('a stream of a key that is %s is cut', async ([, method, step, body]) => {
    const { path, secret } = await newKey()
    const response = await call(secret, STALLS, true)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await ask(method, path + step, body)
    const readToTheEnd = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return
    }
    await expect(readToTheEnd()).rejects.toThrow()
  })

  test('after a rotation both secrets work, the use of the old one is shown, and what is done to the key holds for both', async () => {
    const { path, secret: old } = await newKey()
    const { body } = await ask('POST', `${path}/rotate`, { overlap_seconds: 3600 })
    expect([await outcome(old), await outcome(body.secret)]).toEqual(['ok', 'ok'])
    const overlap = async () => (await ask('GET', path)).body.overlap
    await expect.poll(overlap).toMatchObject({ last_used_at: expect.any(String) })
    await ask('PATCH', path, { status: 'disabled' })
    expect([await outcome(old), await outcome(body.secret)]).toEqual(['key_disabled', 'key_disabled'])
    await ask('PATCH', path, { status: 'active' })
    const again = await ask('POST', `${path}/rotate`, { overlap_seconds: 3600 })
    expect([body.ended_overlap, again.body.ended_overlap]).toEqual([
      null,
      { secret_end: old.slice(-4), ends_at: body.key.overlap.ends_at },
    ])
    expect(await (await call(old)).text()).toContain('was replaced by a new one')
    expect([await outcome(old), await outcome(body.secret), await outcome(again.body.secret)]).toEqual([
      'key_expired',
      'ok',
      'ok',
    ])
  })

  test('a secret whose overlap ended is reported as replaced, also where it only looks', async () => {
    const { path, secret } = await newKey()
    await ask('POST', `${path}/rotate`, { overlap_seconds: 0 })
    for (const look of ['/v1/models', '/v1/usage']) {
      const response = await fetch(last().origin + look, { headers: { authorization: `Bearer ${secret}` } })
      expect(response.headers.get('x-tollgate-fault'), look).toBe('key_expired')
      expect(await response.text()).toContain('was replaced by a new one')
    }
  })

  test('an access token calls no model, and the error says what it is', async () => {
    const response = await call(newAccessToken(randomBytes))
    expect(response.headers.get('x-tollgate-fault')).toBe('key_unknown')
    expect(await response.text()).toContain('access token')
  })

  test('a verdict about a key is what the gateway then says', async () => {
    const { path, secret } = await newKey({ allowed_models: [SHORT] })
    expect((await ask('POST', `${path}/test`, {})).body).toMatchObject({ ok: true, fault: null, models: [SHORT] })
    await ask('PATCH', path, { quota_limit: '0' })
    expect((await ask('POST', `${path}/test`, {})).body).toMatchObject({ ok: false, fault: 'key_quota_exhausted' })
    expect(await outcome(secret)).toBe('key_quota_exhausted')
  })
})

describe('the front of the server', () => {
  let gateway: GatewayUnderTest
  beforeAll(async () => {
    gateway = await gatewayUnderTest()
  })
  afterAll(() => gateway.close())

  const get = (path: string, accept = '*/*') =>
    fetch(gateway.origin + path, { headers: { accept }, redirect: 'manual' })

  test('leads people to the console and programs to the gateway', async () => {
    const person = await get('/', 'text/html,application/xhtml+xml')
    expect([person.status, person.headers.get('location')]).toEqual([302, './console/'])
    expect(await (await get('/')).json()).toMatchObject({ name: 'tollgate' })
    expect(await (await get('/api/hello')).json()).toEqual({ status: 'alive' })
    expect((await get('/api.json')).headers.get('content-type')).not.toContain('problem')
    expect((await get('/apis')).headers.get('x-tollgate-fault')).toBe('path_unknown')
  })

  test('has a page for the type of every problem, and none for unknown codes', async () => {
    const problem: unknown = await (await get('/api/me')).json()
    expect(problem).toMatchObject({ type: '/docs/errors/credential_missing' })
    for (const path of [
      '/docs/errors/credential_missing',
      '/docs/errors',
      '/docs/errors/key_expired',
      '/docs/errors/link_invalid',
      '/docs',
      '/docs/endpoints',
      '/docs/changes',
      '/docs/license',
    ]) {
      const page = await get(path)
      expect(page.status, path).toBe(200)
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(await page.text()).toContain('<h1>')
    }
    for (const path of ['nothing', '__proto__', 'constructor', 'README', '..%2f..%2fpackage']) {
      expect((await get(`/docs/errors/${path}`)).status, path).toBe(404)
      expect((await get(`/docs/${path}`)).status, path).toBe(404)
    }
  })
})
