import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { newSecret } from '../../src/access/key-secret.ts'
import { type Asker, type ControlUnderTest, controlUnderTest, TEST_ADMIN_TOKEN } from '../support/control-under-test.ts'
import { randomBytes } from 'node:crypto'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES_ABOVE_STORES)('credentials of the console API on %s', (engine) => {
  let control: ControlUnderTest
  let ada: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    ada = await control.account()
  })
  afterAll(() => control.close())

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

  async function newToken(fields: Record<string, unknown> = {}) {
    const { status, body } = await ada.ask('POST', '/api/tokens', { name: 'report', scope: 'write', ...fields })
    expect(status).toBe(201)
    return { token: body.token, secret: body.secret as string }
  }

  describe('an access token', () => {
    test('is refused to an account that has 100 of them, until one is deleted', async () => {
      const grace = await control.account()
      await control.place.sql(`insert into access_tokens
        (id, account_id, name, scope, secret_hash, secret_start, secret_end, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 99)
        select 'pat_full' || i, '${grace.account.id}', 'full', 'write', 'full' || i, 'a', 'b', 1 from n`)
      const last = await grace.ask('POST', '/api/tokens', { name: 'last', scope: 'read' })
      expect(last.status).toBe(201)
      const refused = await grace.ask('POST', '/api/tokens', { name: 'one more', scope: 'read' })
      expect(refused.body).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('100') })
      await grace.ask('DELETE', `/api/tokens/${last.body.token.id}`)
      expect((await grace.ask('POST', '/api/tokens', { name: 'again', scope: 'read' })).status).toBe(201)
    })

    test('is shown once, speaks for its account, and says when it was used', async () => {
      const { token, secret } = await newToken({ expires_at: '2026-12-01T00:00:00Z' })
      expect(secret).toMatch(/^tg-pat-[0-9A-Za-z]{40}$/)
      expect(token).toMatchObject({
        name: 'report',
        scope: 'write',
        secret_start: secret.slice(0, 10),
        secret_end: secret.slice(-4),
        expires_at: '2026-12-01T00:00:00.000Z',
        last_used_at: null,
      })
      const me = await control.anonymous.ask('GET', '/api/me', undefined, bearer(secret))
      expect(me.body).toMatchObject({ id: ada.account.id, signed_in_at: null })
      const listed = await ada.ask('GET', '/api/tokens?limit=1')
      expect(listed.body.data).toEqual([{ ...token, last_used_at: new Date(control.clock.now()).toISOString() }])
      expect(listed.text).not.toContain(secret)
      const rows = await control.place.sql(`select secret_hash from access_tokens where id = '${token.id}'`)
      expect(rows[0]?.['secret_hash']).not.toContain(secret.slice(7))
    })

    test('is written down as used at most once a minute', async () => {
      const { token, secret } = await newToken()
      const use = () => control.anonymous.ask('GET', '/api/me', undefined, bearer(secret))
      const lastUse = async () => (await control.store.accessTokens.find(token.id))?.lastUsedAt
      await use()
      const first = control.clock.now()
      control.clock.advance(59_000)
      await use()
      expect(await lastUse()).toBe(first)
      control.clock.advance(1_000)
      await use()
      expect(await lastUse()).toBe(first + 60_000)
    })

    test('of the scope read changes nothing, and may still ask', async () => {
      const { secret } = await newToken({ scope: 'read' })
      const reader = (method: string, path: string, body?: unknown) =>
        control.anonymous.ask(method, path, body, bearer(secret))
      const { body } = await ada.ask('POST', '/api/keys', { name: 'x', group: 'default' })
      expect((await reader('GET', '/api/keys')).status).toBe(200)
      expect((await reader('POST', `/api/keys/${body.key.id}/test`, {})).status).toBe(200)
      for (const [method, path] of [
        ['PATCH', '/api/me'],
        ['POST', '/api/keys'],
        ['DELETE', `/api/keys/${body.key.id}`],
      ] as const) {
        expect((await reader(method, path, {})).body, path).toMatchObject({ status: 403, code: 'scope_insufficient' })
      }
    })

    test('makes no other, and neither does a session whose credentials were shown long ago', async () => {
      const { secret } = await newToken()
      const wish = { name: 'another', scope: 'read' }
      const refused = await control.anonymous.ask('POST', '/api/tokens', wish, bearer(secret))
      expect(refused.body).toMatchObject({ status: 403, code: 'session_needed' })
      expect((await control.adminToken.ask('POST', '/api/tokens', wish)).body.code).toBe('session_needed')
      const stale = await control.as(ada.account, 'stale_session')
      expect((await stale.ask('POST', '/api/tokens', wish)).body).toMatchObject({
        status: 403,
        code: 'confirmation_needed',
      })
    })

    test('is refused when it has expired, was deleted, or its owner is disabled', async () => {
      const { secret } = await newToken({ expires_at: new Date(control.clock.now() + 1_000).toISOString() })
      control.clock.advance(1_000)
      const expired = await control.anonymous.ask('GET', '/api/me', undefined, bearer(secret))
      expect(expired.body).toMatchObject({ status: 401, code: 'credential_expired' })
      const deleted = await newToken()
      expect((await ada.ask('DELETE', `/api/tokens/${deleted.token.id}`)).status).toBe(204)
      const gone = await control.anonymous.ask('GET', '/api/me', undefined, bearer(deleted.secret))
      expect(gone.body).toMatchObject({ status: 401, code: 'credential_unknown' })
      const grace = await control.account({ via: 'write' })
      await control.store.accounts.update({ ...grace.account, status: 'disabled' }, null)
      // It ended with that: the account has none any more, whatever becomes of it.
      expect((await grace.ask('GET', '/api/me')).body).toMatchObject({ status: 401, code: 'credential_unknown' })
    })

    test("is its owner's to delete, and an admin's", async () => {
      const { token } = await newToken()
      const grace = await control.account()
      expect((await grace.ask('DELETE', `/api/tokens/${token.id}`)).status).toBe(404)
      expect((await control.adminToken.ask('DELETE', `/api/tokens/${token.id}`)).status).toBe(204)
    })
  })

  test("an API key's secret is refused with a text that says what it is, custom keys included", async () => {
    const custom = `team-blue-${randomBytes(12).toString('hex')}`
    await ada.ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: custom })
    for (const secret of [newSecret(randomBytes), custom]) {
      const { body } = await control.anonymous.ask('GET', '/api/me', undefined, bearer(secret))
      expect(body).toMatchObject({ status: 401, code: 'credential_of_gateway' })
      expect(body.detail).toContain('access token')
    }
  })

  test('the admin token has the admin role and no account of its own', async () => {
    expect((await control.adminToken.ask('GET', '/api/settings')).status).toBe(200)
    expect((await control.adminToken.ask('GET', '/api/me')).body.code).toBe('account_needed')
    const almost = bearer(TEST_ADMIN_TOKEN.slice(0, -1))
    expect((await control.anonymous.ask('GET', '/api/settings', undefined, almost)).status).toBe(401)
    await control.adminToken.ask('PATCH', '/api/settings', { site_name: 'Models' })
    const { body } = await control.adminToken.ask('GET', '/api/audit?action=settings.update')
    expect(body.data[0]).toMatchObject({
      actor: 'admin_token',
      actor_email: null,
      via: 'admin_token',
      action: 'settings.update',
      changes: { site_name: { before: 'Tollgate', after: 'Models' } },
    })
  })

  describe('a session', () => {
    let cookie: string
    beforeAll(async () => {
      cookie = await control.cookieOf(ada.account)
    })
    const write = (headers: Record<string, string>) =>
      control.anonymous.ask('PATCH', '/api/me', { name: 'Ada' }, { cookie, ...headers })

    test.for([
      ['own origin', () => ({ origin: control.origin }), 200],
      ['own page on a trustworthy origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
      ['another origin', () => ({ origin: 'http://evil.example' }), 403],
      ['another port', () => ({ origin: 'http://127.0.0.1:1' }), 403],
      ['an opaque origin', () => ({ origin: 'null' }), 403],
      [
        'another site, whatever the origin says',
        () => ({ origin: control.origin, 'sec-fetch-site': 'cross-site' }),
        403,
      ],
      ['the same site but another origin', () => ({ origin: control.origin, 'sec-fetch-site': 'same-site' }), 403],
      // A browser names at least one of the two with every write.
      ['a program, which names no page', () => ({}), 200],
    ] as const)('changes things from %s: %s', async ([, headers, status]) => {
      const answer = await write(headers())
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body.code).toBe('cross_site')
    })

    test('reads from everywhere, and a Bearer credential beside it decides alone', async () => {
      expect((await control.anonymous.ask('GET', '/api/me', undefined, { cookie })).status).toBe(200)
      const both = await control.anonymous.ask('GET', '/api/me', undefined, { cookie, ...bearer('tg-pat-none') })
      expect(both.body.code).toBe('credential_unknown')
    })
  })

  test('wrong credentials are throttled by address, and good ones go on working', async () => {
    const codes = []
    for (let i = 0; i < 70; i++) {
      const { body, headers } = await control.anonymous.ask('GET', '/api/me', undefined, bearer(`tg-pat-${i}`))
      codes.push(body.code)
      if (body.code === 'credential_throttled') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(codes.at(-1)).toBe('credential_throttled')
    expect((await control.adminToken.ask('GET', '/api/settings')).status).toBe(200)
    control.clock.advance(60_000)
    expect((await control.anonymous.ask('GET', '/api/me', undefined, bearer('tg-pat-x'))).body.code).toBe(
      'credential_unknown',
    )
  })

  describe('an Idempotency-Key', () => {
    const wish = { name: 'once', group: 'default' }
    const named = (name: string) => ({ 'idempotency-key': name })

    test('makes a repetition answer the same, without the secret, and do nothing', async () => {
      const first = await ada.ask('POST', '/api/keys', wish, named('a'))
      const again = await ada.ask('POST', '/api/keys', wish, named('a'))
      expect(first.headers.get('idempotency-replayed')).toBeNull()
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.status).toBe(201)
      expect(again.body).toEqual({ key: first.body.key, secret: null })
      const stored = await control.place.sql('select * from idempotency_keys')
      expect(String(stored.map((row) => Object.values(row)))).not.toContain(first.body.secret)
      expect((await ada.ask('GET', '/api/keys?search=once')).body.total).toBe(1)
    })

    test('is bound to body, path and account', async () => {
      await ada.ask('POST', '/api/keys', wish, named('b'))
      const otherBody = await ada.ask('POST', '/api/keys', { ...wish, name: 'twice' }, named('b'))
      expect(otherBody.body).toMatchObject({ status: 422, code: 'idempotency_conflict' })
      const otherPath = await ada.ask('POST', '/api/tokens', { name: 'x' }, named('b'))
      expect(otherPath.body.code).toBe('idempotency_conflict')
      const grace = await control.account()
      const theirs = await grace.ask('POST', '/api/keys', wish, named('b'))
      expect(theirs.body.key.account_id).toBe(grace.account.id)
    })

    test('runs one of many at once, and the others answer as it did', async () => {
      const grace = await control.account()
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => grace.ask('POST', '/api/keys', wish, named('c'))),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
      expect(answers.filter(({ body }) => body.secret !== null)).toHaveLength(1)
      expect(new Set(answers.map(({ body }) => body.key.id)).size).toBe(1)
      expect((await grace.ask('GET', '/api/keys')).body.total).toBe(1)
    })

    test('is free again after a refusal, and after a day', async () => {
      const refused = await ada.ask('POST', '/api/keys', { ...wish, group: 'nowhere' }, named('d'))
      expect(refused.status).toBe(422)
      expect((await ada.ask('POST', '/api/keys', wish, named('d'))).body.secret).toMatch(/^sk-tg-/)
      control.clock.advance(DAY_MS + 1)
      expect((await ada.ask('POST', '/api/keys', wish, named('d'))).body.secret).toMatch(/^sk-tg-/)
    })

    test('is refused to who has used 10,000 of them within a day, and others go on', async () => {
      const grace = await control.account()
      const actor = grace.account.id
      await control.place.sql(`insert into idempotency_keys (actor, name, request_hash, state, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999)
        select '${actor}', 'full' || i, 'hash', 'answered', ${control.clock.now()} from n`)
      const asked = { actor, request: 'hash', nowMs: control.clock.now() }
      expect(await control.store.idempotency.claim({ ...asked, key: 'last' })).toEqual({ kind: 'claimed' })
      expect(await control.store.idempotency.claim({ ...asked, key: 'one-more' })).toEqual({ kind: 'too_many' })
      const refused = await grace.ask('POST', '/api/keys', wish, named('one-more'))
      expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
      expect((await grace.ask('GET', '/api/keys')).body.total).toBe(0)
      expect((await ada.ask('POST', '/api/keys', wish, named('not-full'))).status).toBe(201)
      const nextDay = control.clock.now() + DAY_MS + 1
      expect(await control.store.idempotency.claim({ ...asked, key: 'later', nowMs: nextDay })).toEqual({
        kind: 'claimed',
      })
    })

    test('of a request that was cut off is answered with that, and never runs again', async () => {
      const claim = { actor: ada.account.id, key: 'e', request: 'hash', nowMs: control.clock.now() }
      expect(await control.store.idempotency.claim(claim)).toEqual({ kind: 'claimed' })
      expect(await control.store.idempotency.claim(claim)).toEqual({ kind: 'running' })
      control.clock.advance(200_000)
      const later = { ...claim, nowMs: control.clock.now() }
      expect(await control.store.idempotency.claim(later)).toEqual({ kind: 'unclear' })
      await control.store.idempotency.leaveUnclear(claim)
      expect(await control.store.idempotency.claim(later)).toEqual({ kind: 'unclear' })
      expect(await control.store.idempotency.claim({ ...later, request: 'other' })).toEqual({ kind: 'other_request' })
    })

    test('takes printable ASCII', async () => {
      const long = await ada.ask('POST', '/api/keys', wish, named('x'.repeat(256)))
      expect(long.body).toMatchObject({ code: 'field_invalid', field: 'Idempotency-Key' })
    })
  })

  describe('a body', () => {
    const send = (body: string, type: string | null = 'application/json') =>
      control.adminToken.ask('PATCH', '/api/settings', body, type === null ? {} : { 'content-type': type })

    test.for([
      ['{"site_name":', 'application/json', 400, 'body_malformed'],
      ['', 'application/json', 200, null],
      ['[]', 'application/json', 422, 'field_invalid'],
      ['null', 'application/json', 422, 'field_invalid'],
      ['{"site_name":"x"}', 'text/plain', 415, 'content_type_wrong'],
      ['site_name=x', 'application/x-www-form-urlencoded', 415, 'content_type_wrong'],
      ['{"site_name":"x"}', 'application/json; charset=utf-8', 200, null],
      [`{"site_name":"${'x'.repeat(1024 * 1024)}"}`, 'application/json', 413, 'body_too_large'],
    ] as const)('%.20s as %s is answered with %s', async ([body, type, status, code]) => {
      const answer = await send(body, type)
      expect(answer.status).toBe(status)
      if (code !== null) expect(answer.body.code).toBe(code)
    })

    test('that does not say its length is bounded as well', async () => {
      const status = await new Promise((resolve, reject) => {
        const sent = request(
          `${control.origin}/api/settings`,
          { method: 'PATCH', headers: { ...bearer(TEST_ADMIN_TOKEN), 'content-type': 'application/json' } },
          (response) => {
            response.resume()
            resolve(response.statusCode)
          },
        )
        sent.on('error', reject)
        const piece = 'x'.repeat(64 * 1024)
        for (let i = 0; i < 20; i++) sent.write(piece)
        sent.end()
      })
      expect(status).toBe(413)
    })
  })

  test('unknown paths and methods are distinguished', async () => {
    expect((await control.anonymous.ask('GET', '/api/nothing')).body).toMatchObject({
      status: 404,
      code: 'path_unknown',
    })
    const wrong = await control.anonymous.ask('PUT', '/api/keys/key_1')
    expect(wrong.body).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
  })
})

test('no route of signing in reads a body of a type that a form of another site can send', async () => {
  const control = await controlUnderTest()
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/json']
  const { body: document } = await control.anonymous.ask('GET', '/api/openapi.json')
  const paths = Object.entries(document.paths as Record<string, Record<string, { requestBody?: object }>>)
  const taking = paths.filter(([path, { post }]) => path.startsWith('/api/auth/') && post?.requestBody !== undefined)
  expect(taking.length).toBeGreaterThan(15)
  const { ask } = await control.account({ via: 'session' })
  for (const [path] of taking) {
    for (const type of types) {
      const answer = await ask('POST', path, '{"email":"a@example.test"}', { 'content-type': type })
      expect([path, type, answer.status, answer.body.code]).toEqual([path, type, 415, 'content_type_wrong'])
    }
  }
  await control.close()
})
