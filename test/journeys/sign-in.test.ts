import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { hash as bcrypt } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

const MINUTE = 60_000

let place: SignInUnderTest
afterEach(() => place.close())

function sessionOf(cookie: string, origin: string | null = null) {
  return place.signIn.sessionOf({ headers: new Headers({ cookie }), origin: origin ?? place.origin })
}

describe.each(['sqlite', 'postgres'] as const)('signing in on %s', (engine) => {
  beforeEach(async () => {
    place = await startSignIn({ engine })
  })

  test('with email and password begins a session that the rest of the control plane knows, and signing out ends it', async () => {
    const ada = await place.account({ email: 'Ada@Example.test' })
    const browser = place.browser()
    expect((await browser.get('/session')).body).toEqual({ session: null, account: null })
    const answer = await browser.post('/sign-in', { email: 'ada@example.TEST', password: ada.password })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        state: 'signed_in',
        account: { id: ada.id, email: 'Ada@Example.test', role: 'user', has_password: true },
        session: { client: 'a browser of the tests', address: '127.0.0.1', is_current: true },
      },
    })
    const { cookieHeader } = browser
    const signedIn = await sessionOf(cookieHeader)
    expect(signedIn).toMatchObject({ sessionId: answer.body.session.id, account: { id: ada.id }, canConfirm: true })
    expect((await browser.get('/session')).body.account.id).toBe(ada.id)
    expect((await browser.post('/sign-out')).status).toBe(204)
    expect(browser.cookies.size).toBe(0)
    expect(await sessionOf(cookieHeader)).toBeNull()
    expect(place.events.map(({ kind }) => kind)).toEqual(['signed_in', 'signed_out'])
    expect(place.errors).toEqual([])
  })

  test('a password that another gateway hashed signs in, and is hashed anew', async () => {
    const ada = await place.account({ email: 'brought@example.test' })
    await place.store.accounts.updateCredentials(ada.id, { passwordHash: await bcrypt(ada.password, 4) })
    expect((await place.browser().post('/sign-in', { ...ada, password: 'wrong-password' })).status).toBe(401)
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
    expect(await place.store.accounts.passwordHash(ada.id)).toMatch(/^[0-9a-f]{32}:/)
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
  })

  test('a session is listed, and ended one by one, all at once, and from outside', async () => {
    const ada = await place.account()
    const [one, two, three] = [place.browser(), place.browser(), place.browser()]
    for (const browser of [one, two, three]) await browser.post('/sign-in', ada)
    const listed = (await one.get('/sessions')).body.data
    expect(listed).toHaveLength(3)
    expect(listed.filter((session: { is_current: boolean }) => session.is_current)).toHaveLength(1)
    const other = (await two.get('/session')).body.session.id
    expect((await one.delete(`/sessions/${other}`)).status).toBe(204)
    expect((await two.get('/sessions')).status).toBe(401)
    expect((await one.delete(`/sessions/${other}`)).body.code).toBe('not_found')
    expect((await one.post('/sign-out-everywhere')).status).toBe(204)
    expect((await three.get('/session')).body.session).toBeNull()
    expect((await one.get('/session')).body.session).not.toBeNull()
    await place.signIn.endSessions(ada.id, place.store)
    expect((await one.get('/session')).body.session).toBeNull()
  })

  test('another account’s sessions can be neither seen nor ended', async () => {
    const [ada, eve] = [await place.account(), await place.account()]
    const [mine, hers] = [place.browser(), place.browser()]
    await mine.post('/sign-in', ada)
    await hers.post('/sign-in', eve)
    const id = (await mine.get('/session')).body.session.id
    expect((await hers.delete(`/sessions/${id}`)).status).toBe(404)
    expect((await hers.get('/sessions')).body.data).toHaveLength(1)
    expect((await mine.get('/session')).body.session.id).toBe(id)
  })
})

describe('a session cookie', () => {
  beforeEach(async () => {
    place = await startSignIn()
  })

  test('is kept from scripts and other sites, and its token stands nowhere in the database', async () => {
    const ada = await place.account()
    const browser = place.browser()
    const { headers } = await browser.post('/sign-in', ada)
    const [line = ''] = headers.getSetCookie().filter((cookie) => cookie.startsWith('tollgate.session_token'))
    expect(line).toMatch(/HttpOnly/i)
    expect(line).toMatch(/SameSite=Lax/i)
    expect(line).toMatch(/Path=\//i)
    expect(line).not.toMatch(/Secure/i)
    const token = decodeURIComponent(browser.cookies.get('tollgate.session_token') ?? '').split('.')[0] ?? ''
    expect(token.length).toBeGreaterThan(20)
    const stored = await place.store.signInRecords.select('session', { where: [], limit: 10 })
    expect(JSON.stringify(stored)).not.toContain(token)
    // What stands there opens nothing either.
    const forged = decodeURIComponent(browser.cookies.get('tollgate.session_token') ?? '').replace(
      token,
      String(stored[0]?.['tokenHash']),
    )
    expect(await sessionOf(`tollgate.session_token=${encodeURIComponent(forged)}`)).toBeNull()
  })

  test('goes over https alone where the place is reached by https', async () => {
    const ada = await place.account()
    place.shownOrigin = 'https://tollgate.example.test'
    const browser = place.browser()
    const { headers, status } = await browser.send('POST', '/sign-in', {
      body: ada,
      headers: { origin: 'https://tollgate.example.test' },
    })
    expect(status).toBe(200)
    const lines = headers.getSetCookie()
    expect(lines.join()).toMatch(/__Host-tollgate\.session_token=[^;]+;/)
    for (const line of lines) {
      expect(line).toMatch(/^__Host-/)
      expect(line).toMatch(/; Path=\/(?:;|$)/)
      expect(line).toMatch(/; Secure/)
      expect(line).not.toMatch(/; Domain=/i)
    }
    expect(await sessionOf(browser.cookieHeader, place.shownOrigin)).not.toBeNull()
  })

  test('that another host of the domain planted is not taken over https', async () => {
    const eve = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', eve)
    const value = browser.cookies.get('tollgate.session_token') ?? ''
    expect(await sessionOf(`tollgate.session_token=${value}`)).not.toBeNull()
    for (const prefix of ['', '__Secure-']) {
      const planted = `${prefix}tollgate.session_token=${value}`
      expect(await sessionOf(planted, 'https://tollgate.example.test')).toBeNull()
    }
  })

  test('is worth nothing with a changed token, signature or another secret', async () => {
    const ada = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    const value = browser.cookies.get('tollgate.session_token') ?? ''
    const other = (changed: string) => sessionOf(`tollgate.session_token=${changed}`)
    expect(await other(value)).not.toBeNull()
    expect(await other(`${value.startsWith('x') ? 'y' : 'x'}${value.slice(1)}`)).toBeNull()
    expect(await other(value.slice(0, -9))).toBeNull()
    expect(await other('')).toBeNull()
    expect(await other('a.b')).toBeNull()
  })

  test('of an account that is disabled is signed out', async () => {
    const { password, ...ada } = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', { email: ada.email, password })
    await place.store.accounts.update({ ...ada, status: 'disabled' }, null)
    expect(await sessionOf(browser.cookieHeader)).toBeNull()
    const again = await place.browser().post('/sign-in', { email: ada.email, password })
    expect(again).toMatchObject({ status: 403, body: { code: 'account_disabled' } })
  })

  test('that is not to be kept ends with the browser', async () => {
    const ada = await place.account()
    const { headers } = await place.browser().post('/sign-in', { ...ada, keep: false })
    const [line = ''] = headers.getSetCookie().filter((cookie) => cookie.startsWith('tollgate.session_token'))
    expect(line).not.toMatch(/max-age|expires/i)
    const [stored] = await place.store.signInRecords.select('session', { where: [], limit: 1 })
    expect(Number(stored?.['expiresAt']) - Date.now()).toBeLessThanOrEqual(24 * 60 * MINUTE)
  })

  test('works under every name and address by which the place is reached over http', async () => {
    const ada = await place.account()
    for (const origin of ['http://192.168.1.20:8787', 'http://gateway.lan', 'http://[fd00::1]:8787']) {
      place.shownOrigin = origin
      const browser = place.browser()
      const answer = await browser.send('POST', '/sign-in', { body: ada, headers: { origin } })
      expect(answer.status, origin).toBe(200)
      expect((await browser.get('/session')).body.account.id).toBe(ada.id)
    }
  })
})

describe('what is refused', () => {
  beforeEach(async () => {
    place = await startSignIn()
  })

  test('a wrong password and an unknown address get the same answer', async () => {
    const ada = await place.account()
    const wrong = await place.browser().post('/sign-in', { email: ada.email, password: 'not the password' })
    const unknown = await place
      .browser()
      .post('/sign-in', { email: 'nobody@example.test', password: 'not the password' })
    expect(wrong).toMatchObject({
      status: 401,
      body: { code: 'credentials_wrong', type: '/docs/errors/credentials_wrong' },
    })
    expect(wrong.headers.get('content-type')).toBe('application/problem+json')
    const alike = { ...wrong.body, request_id: expect.stringMatching(/^req_/) }
    expect(unknown.body).toEqual(alike)
    const noPassword = await place.account({ password: null })
    expect((await place.browser().post('/sign-in', { email: noPassword.email, password: 'x' })).body).toEqual(alike)
  })

  test('a write from another site', async () => {
    const ada = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    const cross = (headers: Record<string, string>) =>
      browser.send('POST', '/sign-out-everywhere', { body: {}, headers })
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await cross(headers), JSON.stringify(headers)).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    }
    expect((await cross({ 'sec-fetch-site': 'same-origin' })).status).toBe(204)
    const login = await place
      .browser()
      .send('POST', '/sign-in', { body: ada, headers: { origin: 'https://evil.example' } })
    expect(login.body.code).toBe('cross_site')
  })

  test('bodies other than JSON, of the wrong shape or too large, and paths that there are none of', async () => {
    const browser = place.browser()
    expect((await browser.post('/sign-in', {})).body).toMatchObject({ code: 'field_invalid', field: 'email' })
    expect((await browser.post('/sign-in', { email: 'x'.repeat(70_000) })).body.code).toBe('body_too_large')
    const broken = await fetch(`${place.origin}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(await broken.json()).toMatchObject({ code: 'body_malformed' })
    expect((await browser.get('/nothing')).body.code).toBe('path_unknown')
    // The library's own routes are not open.
    for (const path of ['/sign-in/username', '/tollgate/begin', '/sign-in/email', '/sign-up/email', '/get-session']) {
      expect((await browser.post(path, { accountId: 'acc_x', keep: true })).status, path).toBe(404)
    }
    expect((await browser.get('/sessions')).body.code).toBe('credential_missing')
  })

  test('the eleventh wrong try for an account, but not its owner where they are signed in', async () => {
    const ada = await place.account()
    const browser = place.browser()
    place.address = '10.0.0.1'
    await browser.post('/sign-in', ada)
    for (let i = 0; i < 10; i++) {
      place.address = `10.9.0.${i}`
      expect((await place.browser().post('/sign-in', { ...ada, password: 'guess' })).status).toBe(401)
    }
    place.address = '10.9.0.99'
    const late = await place.browser().post('/sign-in', ada)
    expect(late).toMatchObject({ status: 429, body: { code: 'credential_throttled' } })
    expect(Number(late.headers.get('retry-after'))).toBe(late.body.retry_after)
    expect(late.body.retry_after).toBeGreaterThan(14 * 60)
    place.address = '10.0.0.1'
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
    place.address = '10.9.0.99'
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
  })

  test('everything from an address that guessed too often, until its time is over, and nothing from others', async () => {
    const ada = await place.account()
    place.address = '2001:db8::1'
    const guesses = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        place.browser().post('/sign-in', { email: `x${i}@example.test`, password: 'g' }),
      ),
    )
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]))
    for (let i = 0; i < 24; i++) await place.browser().post('/set-up', { token: `${i}`.repeat(30).slice(0, 30) })
    // Another address of the same subscriber.
    place.address = '2001:db8::2'
    expect((await place.browser().post('/sign-in', ada)).body.code).toBe('credential_throttled')
    place.address = '2001:db8:0:1::2'
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
    place.address = '2001:db8::2'
    place.advance(15 * MINUTE)
    expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
  })
})

describe('dangerous steps', () => {
  beforeEach(async () => {
    place = await startSignIn()
  })

  test('ask for credentials again after fifteen minutes, and go on when they were shown', async () => {
    const ada = await place.account()
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    place.advance(15 * MINUTE)
    expect(await browser.post('/totp/start')).toMatchObject({ status: 403, body: { code: 'confirmation_needed' } })
    expect((await browser.post('/confirm', { password: 'wrong' })).body.code).toBe('credentials_wrong')
    expect((await browser.post('/confirm', {})).body.code).toBe('field_invalid')
    const confirmed = await browser.post('/confirm', { password: ada.password })
    expect(confirmed.status).toBe(200)
    expect((await browser.post('/totp/start')).status).toBe(200)
  })

  test('a password is changed with the old one, and other sessions end', async () => {
    const ada = await place.account()
    const [here, there] = [place.browser(), place.browser()]
    await here.post('/sign-in', ada)
    await there.post('/sign-in', ada)
    const change = (body: object) => here.post('/password/change', body)
    expect((await change({ new_password: 'another good one' })).body.code).toBe('credentials_wrong')
    expect((await change({ current_password: 'x', new_password: 'another good one' })).status).toBe(401)
    expect((await change({ current_password: ada.password, new_password: 'short' })).body.code).toBe('field_invalid')
    expect((await change({ current_password: ada.password, new_password: 'another good one' })).status).toBe(204)
    expect((await here.get('/session')).body.session).not.toBeNull()
    expect((await there.get('/session')).body.session).toBeNull()
    expect((await place.browser().post('/sign-in', ada)).status).toBe(401)
    expect((await place.browser().post('/sign-in', { ...ada, password: 'another good one' })).status).toBe(200)
  })

  test.for(['session', 'second step'])(
    'a new password also ends a %s that begins with the old one at the same instant',
    async (begun) => {
      const ada = await place.account()
      const browser = place.browser()
      if (begun === 'second step') await place.store.accounts.updateProfile(ada.id, { hasSecondFactor: true })
      const { accounts, signInRecords: records } = place.store
      const reading = vi.spyOn(accounts, 'passwordHash').mockImplementation(async (id) => {
        reading.mockRestore()
        const hash = await accounts.passwordHash(id)
        await accounts.updateCredentials(id, { passwordHash: 'another' })
        await place.signIn.endSessions(id, place.store)
        return hash
      })
      expect((await browser.post('/sign-in', ada)).body.code).toBe('credentials_wrong')
      expect(await records.count('session', [])).toBe(0)
      expect(await records.count('verification', [{ field: 'content', is: '=', value: ada.id }])).toBe(0)
    },
  )

  test('a new password gives nothing back that an admin takes away at the same instant', async () => {
    const ada = await place.account({ role: 'admin' })
    const browser = place.browser()
    await browser.post('/sign-in', ada)
    const { accounts } = place.store
    const reading = vi.spyOn(accounts, 'passwordHash').mockImplementation(async (id) => {
      reading.mockRestore()
      await accounts.update({ ...ada, role: 'user', status: 'disabled' }, null)
      return accounts.passwordHash(id)
    })
    await browser.post('/password/change', { current_password: ada.password, new_password: 'another good one' })
    expect(await accounts.findById(ada.id)).toMatchObject({ role: 'user', status: 'disabled' })
  })
})

test.for([
  ['in the middle of its body', '{"email":"a@example.test"'],
  ['before its body', ''],
  ['once it is sent', '{"email":"a@example.test","password":"correct horse battery"}'],
] as const)('a sign-in that breaks off %s makes no error', async ([, body]) => {
  place = await startSignIn()
  const { port } = new URL(place.origin)
  const length = body.endsWith('}') ? body.length : 200
  for (const path of ['/api/auth/sign-in', '/api/auth/sign-up', '/api/auth/second-step']) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    await new Promise((resolve) => socket.write(head + body, resolve))
    await pause(50)
    socket.destroy()
    await once(socket, 'close')
  }
  // Later requests are answered after those.
  const ada = await place.account()
  expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
  await pause(200)
  expect(place.errors).toEqual([])
})
