import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { endDueDevices } from '../../src/control/scheduled/due-devices.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'
import type { Account } from '../../src/access/account.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const ELSEWHERE = { 'x-forwarded-for': '203.0.113.9' }

/** The sign-in of programs, as Claude Code asks for it, and the console's side of it. */
describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let ada: Asker & { account: Account }
  beforeAll(async () => {
    control = await controlUnderTest({ engine, environment: { TOLLGATE_TRUSTED_PROXIES: '127.0.0.1/32' } })
    await control.group('default')
    ada = await control.account({ balance: '10' })
    await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  async function form(path: string, fields: Record<string, string>) {
    const response = await fetch(control.origin + path, { method: 'POST', body: new URLSearchParams(fields) })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, body: (await response.json()) as any }
  }
  const asked = async () => (await form('/oauth/device_authorization', { surface: 'claude_code' })).body
  const polled = (code: string) => form('/oauth/token', { grant_type: DEVICE_GRANT, device_code: code })
  const refreshed = (token: string) => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token })
  const approve = (code: string, by: Asker = ada) =>
    by.ask('POST', `/api/device-requests/${code}/approve`, { name: 'laptop', group: 'default' })

  async function signedIn(by: Asker = ada) {
    const { device_code, user_code } = await asked()
    const approved = await approve(user_code, by)
    expect(approved.status).toBe(200)
    const keyId: string = approved.body.key.id
    return { code: device_code as string, keyId, tokens: (await polled(device_code)).body }
  }

  test('a program is signed in by the person who approves its code, and by nothing before', async () => {
    const request = await asked()
    expect(request).toMatchObject({ expires_in: 600, interval: 5, verification_uri: `${control.origin}/device` })
    control.clock.advance(5_000)
    expect(await polled(request.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } })
    const shown = await ada.ask('GET', `/api/device-requests/${request.user_code}`)
    expect(shown.body).toMatchObject({ code: request.user_code, client: 'Claude Code', same_network: true })
    const approved = await approve(request.user_code.toLowerCase().replace('-', ''))
    expect(approved.body).toMatchObject({ client: 'Claude Code', key: { name: 'laptop', group: 'default' } })
    const { status, body } = await polled(request.device_code)
    expect([status, body]).toMatchObject([200, { token_type: 'Bearer', expires_in: 3600, email: ada.account.email }])
    const { body: list } = await ada.ask('GET', '/api/devices')
    expect(list.data.map((each: { key: { id: string } }) => each.key.id)).toContain(approved.body.key.id)
    const { body: keys } = await ada.ask('GET', '/api/keys')
    expect(keys.data).toEqual([])
  })

  test('a lost answer with tokens is given again for a minute, and to no one once they were renewed', async () => {
    const { code, tokens } = await signedIn()
    expect((await polled(code)).body.refresh_token).toBe(tokens.refresh_token)
    expect((await refreshed(tokens.refresh_token)).status).toBe(200)
    expect((await polled(code)).body).toMatchObject({ error: 'expired_token' })
  })

  test('a refused request says so, and is decided once', async () => {
    const request = await asked()
    expect((await ada.ask('POST', `/api/device-requests/${request.user_code}/deny`)).status).toBe(204)
    expect((await polled(request.device_code)).body).toMatchObject({ error: 'access_denied' })
    expect((await approve(request.user_code)).status).toBe(404)
  })

  test('of many who approve one code at once, one has the device', async () => {
    const other = await control.account()
    const { user_code } = await asked()
    const answers = await Promise.all([approve(user_code), approve(user_code, other), approve(user_code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  test('a code that is over can be neither approved nor polled', async () => {
    const request = await asked()
    control.clock.advance(600_000)
    expect((await approve(request.user_code)).status).toBe(404)
    expect((await polled(request.device_code)).body).toMatchObject({ error: 'expired_token' })
  })

  test('one that polls too fast waits longer from then on', async () => {
    const request = await asked()
    expect((await polled(request.device_code)).body).toMatchObject({ error: 'slow_down' })
    control.clock.advance(6_000)
    expect((await polled(request.device_code)).body).toMatchObject({ error: 'slow_down' })
    control.clock.advance(15_000)
    expect((await polled(request.device_code)).body).toMatchObject({ error: 'authorization_pending' })
  })

  test('a refresh token gives its one successor to twenty at once and to lost answers, for a minute', async () => {
    const { tokens } = await signedIn()
    const many = await Promise.all(Array.from({ length: 20 }, () => refreshed(tokens.refresh_token)))
    expect(new Set(many.map(({ body }) => body.refresh_token)).size).toBe(1)
    control.clock.advance(60_000)
    const again = await refreshed(tokens.refresh_token)
    expect(again.body.refresh_token).toBe(many[0]?.body.refresh_token)
  })

  test('an older refresh token ends the device with an entry in the audit', async () => {
    const { tokens } = await signedIn()
    const second = (await refreshed(tokens.refresh_token)).body.refresh_token
    const third = (await refreshed(second)).body.refresh_token
    expect(await refreshed(tokens.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
    expect(await refreshed(third)).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
    const { body: audit } = await control.adminToken.ask('GET', '/api/audit?action=device.reused')
    expect(audit.data).toHaveLength(1)
    const { body: alerts } = await ada.ask('GET', '/api/alerts')
    expect(alerts.data).toMatchObject([{ kind: 'device_reused', subject_name: 'laptop', deliveries: [] }])
    const day = { fromMs: control.clock.now() - 3_600_000, toMs: control.clock.now() + 1 }
    expect(await control.store.alerts.adminTroubles(day)).toMatchObject([
      { kind: 'account_device_reused', about: `laptop (${ada.account.id})` },
    ])
  })

  test('an answer may be lost for hours, and not with two tokens in a row, as with a token in two hands', async () => {
    const [lost, shared, unused] = [await signedIn(), await signedIn(), await signedIn()]
    const later = async (token: string) => {
      control.clock.advance(3_600_000)
      return refreshed(token)
    }
    // The laptop was closed before the answer came, twice; and once more, with a renewal between.
    const first: string = lost.tokens.refresh_token
    const second: string = (await refreshed(first)).body.refresh_token
    for (let time = 0; time < 2; time++) expect((await later(first)).body.refresh_token).toBe(second)
    const third: string = (await later(second)).body.refresh_token
    const fourth: string = (await later(third)).body.refresh_token
    expect((await later(third)).body.refresh_token).toBe(fourth)
    // One of the two renews each time, and the other comes late.
    const [stolen, own]: string[] = [
      shared.tokens.refresh_token,
      (await refreshed(shared.tokens.refresh_token)).body.refresh_token,
    ]
    expect((await later(stolen ?? '')).body.refresh_token).toBe(own)
    const next: string = (await later(own ?? '')).body.refresh_token
    expect(await later(own ?? '')).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
    expect((await refreshed(next)).status).toBe(401)
    control.clock.advance(30 * 86_400_000)
    expect((await refreshed(unused.tokens.refresh_token)).status).toBe(401)
  })

  test('signing out ends the chain, by either token and without saying whether there was one', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const { tokens } = await signedIn()
      expect((await form('/oauth/revoke', { token: tokens[name] })).status).toBe(200)
      expect((await refreshed(tokens.refresh_token)).status).toBe(401)
    }
    expect((await form('/oauth/revoke', { token: 'tg-drt-none' })).status).toBe(200)
  })

  test('an account that is disabled is refused, and signed in still once it is enabled', async () => {
    const grace = await control.account()
    const { tokens } = await signedIn(grace)
    const path = `/api/accounts/${grace.account.id}`
    await control.adminToken.ask('PATCH', path, { status: 'disabled' })
    expect(await refreshed(tokens.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_grant' } })
    await control.adminToken.ask('PATCH', path, { status: 'active' })
    expect((await refreshed(tokens.refresh_token)).status).toBe(200)
  })

  test('a text that is not a token, of another key or with one character changed opens nothing', async () => {
    const { tokens } = await signedIn()
    const good: string = tokens.refresh_token
    const changed = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A')
    for (const text of [changed, 'tg-drt-', good.replace('-0-', '-1-'), 'x'.repeat(900)]) {
      expect((await refreshed(text)).status, text).toBe(401)
    }
    expect((await refreshed(good)).status).toBe(200)
  })

  test('ten wrong codes are looked at, and then none', async () => {
    const guesser = await control.account()
    const look = (code: string) => guesser.ask('GET', `/api/device-requests/${code}`)
    const { user_code } = await asked()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => look('BCDF-GHJK')))
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10)
    expect((await look(user_code)).status).toBe(429)
    control.clock.advance(600_000)
  })

  test('thirty may wait from one network', async () => {
    control.clock.advance(600_000)
    const all = await Promise.all(Array.from({ length: 34 }, () => form('/oauth/device_authorization', {})))
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(30)
    expect(all.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4)
    control.clock.advance(600_000)
  })

  test('no token makes or decides a sign-in, and an admin confirms who they are', async () => {
    const { user_code } = await asked()
    const token = await control.account({ via: 'write' })
    expect((await approve(user_code, token)).body).toMatchObject({ code: 'session_needed' })
    const admin = await control.account({ role: 'admin' })
    const stale = await control.as(admin.account, 'stale_session')
    expect((await approve(user_code, stale)).body).toMatchObject({ code: 'confirmation_needed' })
    expect((await approve(user_code, admin)).status).toBe(200)
  })

  test('an account has twenty devices at most, whatever keys it may have, and none where it may have no key', async () => {
    const [many, none] = [await control.account(), await control.account()]
    const limits = (of: typeof many, most: number) =>
      control.adminToken.ask('PATCH', `/api/accounts/${of.account.id}`, { limits: { max_keys: most } })
    expect((await limits(many, 1)).status).toBe(200)
    await limits(none, 0)
    await many.ask('POST', '/api/keys', { name: 'the one', group: 'default' })
    for (let at = 0; at < 20; at++) await signedIn(many)
    for (const by of [many, none]) {
      const { user_code } = await asked()
      expect((await approve(user_code, by)).body).toMatchObject({ code: 'too_many_devices' })
    }
    expect((await many.ask('POST', '/api/devices/sign-out')).status).toBe(204)
    expect((await many.ask('GET', '/api/devices')).body.data).toEqual([])
    control.clock.advance(600_000)
  })

  test('devices end whose time is over, or that were approved and never used', async () => {
    const [unused, renewed] = [await signedIn(), await signedIn()]
    await refreshed(renewed.tokens.refresh_token)
    control.clock.advance(86_400_000)
    const ended = await endDueDevices(control.store, control.clock.now())
    expect(ended).toContain(unused.keyId)
    expect(ended).not.toContain(renewed.keyId)
    expect((await refreshed(unused.tokens.refresh_token)).status).toBe(401)
    expect(await endDueDevices(control.store, control.clock.now())).toEqual([])
    control.clock.advance(30 * 86_400_000)
    expect(await endDueDevices(control.store, control.clock.now())).toContain(renewed.keyId)
  })

  test('a device is shown how it stands, and makes and ends secrets for clients, by its own token alone', async () => {
    const { tokens } = await signedIn()
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const own = await fetch(`${control.origin}/oauth/device`, { headers })
    expect(await own.json()).toMatchObject({
      account: { email: ada.account.email },
      device: { name: 'laptop', client: 'Claude Code' },
      group: { name: 'default' },
      balance_usd: '10',
      limits: [],
    })
    const post = async (path: string, fields: Record<string, string>, sent: Record<string, string> = headers) =>
      fetch(control.origin + path, { method: 'POST', headers: sent, body: new URLSearchParams(fields) })
    const made = (await (await post('/oauth/device/secrets', { client: 'aider' })).json()) as {
      id: string
      secret: string
    }
    expect(made.secret).toMatch(/^sk-tg-/)
    const { body } = await ada.ask('GET', '/api/devices')
    expect(body.data[0].secrets).toMatchObject([{ id: made.id, client: 'aider', secret_end: made.secret.slice(-4) }])
    for (const text of ['', `Bearer ${made.secret}`, `Bearer ${tokens.access_token}x`]) {
      expect((await post('/oauth/device/secrets', { client: 'aider' }, { authorization: text })).status, text).toBe(401)
    }
    expect((await post('/oauth/device/secrets/delete', { id: made.id })).status).toBe(200)
    expect((await ada.ask('GET', '/api/devices')).body.data[0].secrets).toEqual([])
    const rotated = await ada.ask('POST', `/api/keys/${body.data[0].key.id}/rotate`, { overlap_seconds: 0 })
    expect(rotated.body).toMatchObject({ code: 'conflict' })
    const asDevice = await fetch(`${control.origin}/api/keys`, { headers })
    expect(asDevice.status).toBe(401)
  })

  test('from another network its code has to be typed', async () => {
    const { user_code } = await asked()
    const approval = (body: object) =>
      ada.ask(
        'POST',
        `/api/device-requests/${user_code}/approve`,
        { name: 'laptop', group: 'default', ...body },
        ELSEWHERE,
      )
    expect((await ada.ask('GET', `/api/device-requests/${user_code}`, undefined, ELSEWHERE)).body.same_network).toBe(
      false,
    )
    for (const body of [{}, { typed_code: 'BCDF-GHJK' }]) {
      expect((await approval(body)).body).toMatchObject({ code: 'field_invalid', field: 'typed_code' })
    }
    expect((await approval({ typed_code: user_code.toLowerCase() })).status).toBe(200)
  })

  test('turned off, none of it is there', async () => {
    const isOffered = async () => (await ada.ask('GET', '/api/instance')).body.device_sign_in
    const { user_code } = await asked()
    expect(await isOffered()).toBe(true)
    await control.adminToken.ask('PATCH', '/api/settings', { device_sign_in: false })
    expect(await isOffered()).toBe(false)
    expect((await form('/oauth/device_authorization', {})).status).toBe(404)
    expect((await approve(user_code)).status).toBe(404)
    await control.adminToken.ask('PATCH', '/api/settings', { device_sign_in: true })
    expect((await approve(user_code)).status).toBe(200)
  })

  test('a form that cannot be read is refused in the words of OAuth', async () => {
    expect(await form('/oauth/token', { refresh_token: 'x'.repeat(9_000) })).toMatchObject({
      status: 413,
      body: { error: 'invalid_request', error_description: expect.stringContaining('8192 bytes') },
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const broken = await fetch(`${control.origin}/oauth/token`, { method: 'POST', headers, body: Buffer.from([0xff]) })
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })
})
