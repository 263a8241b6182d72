import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

/* TOLLGATE_PUBLIC_URL is https, and a browser opens the console by an inner http address. (from: Ionaru/EVIE#115) */

const ORIGIN = 'https://tollgate.example.test'
const oidc = { name: 'Example', issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b', trustsEmail: false }

let place: SignInUnderTest
beforeEach(async () => {
  place = await startSignIn({ oidc })
  place.shownOrigin = ORIGIN
  place.registration = 'open'
})
afterEach(() => place.close())

const WAYS: readonly (readonly [string, string, object])[] = [
  ['a password', '/sign-in', { email: 'ada@example.test', password: 'correct horse battery' }],
  ['a second step', '/second-step', { way: 'totp', code: '123456' }],
  ['a new account', '/sign-up', { email: 'eve@example.test', password: 'correct horse battery' }],
  ['the setup link', '/set-up', { token: 'x'.repeat(43) }],
  ['a passkey', '/passkeys/sign-in/start', {}],
  ['a passkey that was chosen', '/passkeys/sign-in/finish', { credential: {} }],
  ['an OIDC provider', '/oidc/start', {}],
]

describe.each(WAYS)('sign-in by %s', (_, path, body) => {
  test.each([
    ['an inner address', { origin: 'http://10.0.0.5:8787', host: '10.0.0.5:8787' }],
    ['this machine', {}],
    ['the public name without https', { origin: 'http://tollgate.example.test' }],
  ])('at %s is refused with the address that works, and begins nothing', async (_place, headers) => {
    await place.account({ email: 'ada@example.test' })
    const answer = await place
      .browser()
      .send('POST', path, { body, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'sign_in_address', address: ORIGIN } })
    expect(answer.body.detail).toContain(`open ${ORIGIN}/console/sign-in`)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await place.store.signInRecords.count('session', [])).toBe(0)
    expect(await place.store.accounts.list(10)).toHaveLength(1)
  })
})

test('a program that names no page is taken by the host that it asked, and by what the proxy says', async () => {
  const { email, password } = await place.account()
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${place.origin}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password }),
    })
    return answer.status
  }
  expect(await ask({})).toBe(403)
  expect(await ask({ 'x-forwarded-proto': 'HTTPS' })).toBe(200)
})

test('a page at another https host signs in there, but not by a provider that comes back to this one', async () => {
  const ada = await place.account()
  const headers = { origin: 'https://other.example.test', 'sec-fetch-site': 'same-origin' }
  expect((await place.browser().send('POST', '/sign-in', { body: ada, headers })).status).toBe(200)
  const start = await place.browser().send('POST', '/oidc/start', { body: {}, headers })
  expect(start.body).toMatchObject({ code: 'sign_in_address', address: ORIGIN })
  place.shownOrigin = 'http://tollgate.example.test'
  const plain = { ...headers, origin: 'http://10.0.0.5:8787' }
  expect((await place.browser().send('POST', '/oidc/start', { body: {}, headers: plain })).body.code).toBe(
    'sign_in_address',
  )
})
