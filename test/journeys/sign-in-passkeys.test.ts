import { afterEach, beforeEach, expect, test } from 'vitest'
import { PasskeyAuthenticator } from '../support/passkey-authenticator.ts'
import { type Browser, type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

let place: SignInUnderTest
beforeEach(async () => {
  place = await startSignIn()
})
afterEach(() => place.close())

async function withPasskey() {
  const ada = await place.account()
  const browser = place.browser()
  await browser.post('/sign-in', ada)
  const authenticator = new PasskeyAuthenticator(place.origin)
  const { body: options } = await browser.post('/passkeys/register/start')
  const credential = authenticator.create(options)
  const finished = await browser.post('/passkeys/register/finish', { name: 'laptop', credential })
  return { ada, browser, authenticator, options, finished }
}

async function signInBy(authenticator: PasskeyAuthenticator, browser: Browser) {
  const { body: options } = await browser.post('/passkeys/sign-in/start')
  return browser.post('/passkeys/sign-in/finish', { credential: authenticator.get(options) })
}

test('a passkey is added, signs in without a password, and is taken away', async () => {
  const { ada, browser, authenticator, options, finished } = await withPasskey()
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Tollgate' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  expect(finished.body.passkeys).toMatchObject([{ name: 'laptop', is_synced: false }])
  const other = place.browser()
  const answer = await signInBy(authenticator, other)
  expect(answer.body).toMatchObject({ state: 'signed_in', account: { id: ada.id } })
  const cookie = new Headers({ cookie: other.cookieHeader })
  expect(await place.signIn.sessionOf({ headers: cookie, origin: place.origin })).toMatchObject({
    beganBy: 'passkey',
    canConfirm: true,
  })
  const [passkey] = finished.body.passkeys
  expect((await browser.delete(`/passkeys/${passkey.id}`)).body.passkeys).toEqual([])
  expect((await signInBy(authenticator, place.browser())).body.code).toBe('passkey_refused')
})

test('it confirms a dangerous step in the session of its owner alone', async () => {
  const { browser, authenticator } = await withPasskey()
  place.advance(15 * 60_000)
  expect((await browser.post('/totp/start')).body.code).toBe('confirmation_needed')
  const confirm = async (who: Browser) => {
    const { body: options } = await who.post('/passkeys/sign-in/start')
    return who.post('/confirm', { passkey: authenticator.get(options) })
  }
  const eve = await place.account()
  const hers = place.browser()
  await hers.post('/sign-in', eve)
  expect((await confirm(hers)).body.code).toBe('credentials_wrong')
  expect((await confirm(browser)).status).toBe(200)
  expect((await browser.post('/totp/start')).status).toBe(200)
  expect((await browser.get('/sessions')).body.data).toHaveLength(1)
})

test('an answer is good for one challenge, one origin and a verified holder', async () => {
  const { authenticator } = await withPasskey()
  const browser = place.browser()
  const { body: options } = await browser.post('/passkeys/sign-in/start')
  const credential = authenticator.get(options)
  expect((await browser.post('/passkeys/sign-in/finish', { credential })).status).toBe(200)
  expect((await place.browser().post('/passkeys/sign-in/finish', { credential })).body.code).toBe('passkey_refused')
  expect((await browser.post('/passkeys/sign-in/finish', { credential })).body.code).toBe('passkey_refused')
  authenticator.verifiesHolder = false
  expect((await signInBy(authenticator, place.browser())).body.code).toBe('passkey_refused')
  expect((await signInBy(new PasskeyAuthenticator(place.origin), place.browser())).body.code).toBe('passkey_refused')
})

test('an answer for another site is refused', async () => {
  const ada = await place.account()
  const browser = place.browser()
  await browser.post('/sign-in', ada)
  const { body: options } = await browser.post('/passkeys/register/start')
  const credential = new PasskeyAuthenticator('https://evil.example').create(options)
  expect((await browser.post('/passkeys/register/finish', { name: 'x', credential })).status).toBeGreaterThanOrEqual(
    400,
  )
  expect((await browser.get('/methods')).body.passkeys).toEqual([])
})

test.for([
  ['http://192.168.1.20:8787', 'insecure_context'],
  ['http://gateway.lan', 'insecure_context'],
  ['https://192.168.1.20', 'ip_address'],
  ['http://127.0.0.1:8787', 'ip_address'],
  ['http://[::1]:8787', 'ip_address'],
  ['http://localhost:8787', null],
  ['https://tollgate.example.com', null],
] as const)('at %s passkeys are impossible because: %s', async ([origin, reason]) => {
  place.shownOrigin = origin
  const browser = place.browser()
  expect((await browser.get('/options')).body.passkeys).toEqual({ unavailable_because: reason })
  const answer = await browser.send('POST', '/passkeys/sign-in/start', { headers: { origin } })
  if (reason === null) expect(answer.status).toBe(200)
  else expect(answer.body).toMatchObject({ status: 403, code: 'passkeys_impossible' })
})

test('those who begin and never finish leave few rows, which go', async () => {
  const rows = () => place.store.signInRecords.count('verification', [])
  const statuses: number[] = []
  for (let i = 0; i < 80; i++) statuses.push((await place.browser().post('/passkeys/sign-in/start')).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  const late = await place.browser().post('/passkeys/sign-in/start')
  expect(late).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await rows()).toBe(60)
  place.address = '127.0.0.2'
  place.advance(15 * 60_000)
  expect((await place.browser().post('/passkeys/sign-in/start')).status).toBe(200)
  expect(await rows()).toBe(1)
})
