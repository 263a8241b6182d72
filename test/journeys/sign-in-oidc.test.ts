import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts'
import { type Browser, type SignInUnderTest, startSignIn } from '../support/sign-in-under-test.ts'

/** The name under which the place is reached: the provider has to know it before it listens. */
const ORIGIN = 'http://tollgate.test'

let place: SignInUnderTest
let provider: OidcServer
beforeEach(async () => {
  provider = await startOidcServer(`${ORIGIN}/api/auth/callback/oidc`)
  place = await startSignIn({ oidc: { name: 'Example', trustsEmail: false, ...provider } })
  place.shownOrigin = ORIGIN
})
afterEach(async () => {
  await place.close()
  await provider.close()
})

const fromConsole = { headers: { origin: ORIGIN } }

async function start(browser: Browser, body: object = {}) {
  return browser.send('POST', '/oidc/start', { body, ...fromConsole })
}

/** Goes from the button to where the browser ends. */
async function signInByProvider(browser: Browser, body: object = {}): Promise<string> {
  const started = await start(browser, body)
  expect(started.status).toBe(200)
  const back = await provider.visit(started.body.url)
  const answer = await browser.get(back.slice(`${ORIGIN}/api/auth`.length))
  expect(answer.status).toBe(302)
  return answer.headers.get('location') ?? ''
}

const accountOf = async (browser: Browser) => (await browser.get('/session')).body.account

test('a new person gets an account where registration is open, and the same one the next time', async () => {
  place.registration = 'open'
  const browser = place.browser()
  expect((await browser.get('/options')).body.oidc).toEqual({ name: 'Example' })
  expect(await signInByProvider(browser, { return_to: '/console/keys?x=1' })).toBe('/console/keys?x=1')
  const account = await accountOf(browser)
  expect(account).toMatchObject({
    email: 'ada@example.test',
    name: 'Ada',
    role: 'user',
    is_email_verified: true,
    has_password: false,
  })
  expect(account.id).toMatch(/^acc_/)
  expect(await place.store.ledger.balance(account.id)).toBe(0n)
  // The provider's name for a person counts, not the address.
  provider.person = { ...provider.person, email: 'ada@elsewhere.test' }
  const again = place.browser()
  await signInByProvider(again)
  expect((await accountOf(again)).id).toBe(account.id)
  expect(place.events.filter(({ kind }) => kind === 'signed_in')).toHaveLength(2)
  expect(place.errors).toEqual([])
})

test('a new person gets no account where registration does not permit it', async () => {
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=invitation_needed')
  place.registration = 'closed'
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=registration_closed')
  expect(await place.store.accounts.list(10)).toEqual([])
})

test('an invitation lets its holder in, once and with its role, if the address is the one it was made for', async () => {
  const invite = async (email: string | null) => {
    const { deliver } = await place.signIn.createInvitation(
      {
        email,
        role: 'admin',
        byAccountId: null,
        origin: ORIGIN,
      },
      place.store,
    )
    return (await deliver()).url.split('#')[1] ?? ''
  }
  const forEve = await invite('eve@example.test')
  expect(await signInByProvider(place.browser(), { invitation: forEve })).toContain('#error=invitation_needed')
  const invitation = await invite('ada@example.test')
  const browser = place.browser()
  expect(await signInByProvider(browser, { invitation })).toBe('/console/')
  expect(await accountOf(browser)).toMatchObject({ role: 'admin' })
  provider.person = { ...provider.person, sub: 'person-2', email: 'bob@example.test' }
  expect(await signInByProvider(place.browser(), { invitation })).toContain('#error=invitation_needed')
})

test.for(['a text with 26 characters; Domain=test', 'a text with 26 characters\n'])(
  'what can be no invitation is not kept, and breaks nothing: %j',
  async (invitation) => {
    const answer = await start(place.browser(), { invitation })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).not.toContain('26 characters')
  },
)

test('an address that the provider did not verify gets neither an account nor into one', async () => {
  place.registration = 'open'
  provider.person = { ...provider.person, email_verified: false }
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=oidc_email_unverified')
  await place.account({ email: 'ada@example.test' })
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=oidc_not_linked')
})

test('an account with the same address is linked when both sides verified it, and not when ours did not', async () => {
  const ada = await place.account({ email: 'Ada@Example.test' })
  await place.store.accounts.updateProfile(ada.id, { isEmailVerified: false })
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=oidc_not_linked')
  await place.store.accounts.updateProfile(ada.id, { isEmailVerified: true })
  const browser = place.browser()
  await signInByProvider(browser)
  expect((await accountOf(browser)).id).toBe(ada.id)
  expect((await browser.get('/methods')).body.oidc).not.toBeNull()
  const stored = JSON.stringify(await place.store.signInRecords.select('identity', { where: [], limit: 10 }))
  expect(stored).not.toMatch(/eyJ/)
})

test('who is signed in may link the provider, and unlink it while there is another way in', async () => {
  const ada = await place.account({ email: 'ada@example.test' })
  const browser = place.browser()
  expect((await start(browser, { purpose: 'link' })).body.code).toBe('credential_missing')
  await browser.send('POST', '/sign-in', { body: ada, ...fromConsole })
  expect(await signInByProvider(browser, { purpose: 'link', return_to: '/console/account' })).toBe('/console/account')
  const unlinked = await browser.send('DELETE', '/oidc', fromConsole)
  expect(unlinked).toMatchObject({ status: 200, body: { oidc: null, has_password: true } })
  provider.person = { ...provider.person, email: 'other@example.test' }
  const other = await signInByProvider(browser, { purpose: 'link', return_to: '/console/account' })
  expect(other).toBe('/console/account')
  expect((await accountOf(browser)).email).toBe('ada@example.test')
})

test('the only way in is not given up', async () => {
  place.registration = 'open'
  const browser = place.browser()
  await signInByProvider(browser)
  expect((await browser.send('DELETE', '/oidc', fromConsole)).body.code).toBe('last_way_in')
})

test('a disabled account stays out', async () => {
  place.registration = 'open'
  const browser = place.browser()
  await signInByProvider(browser)
  const { id } = await accountOf(browser)
  const account = await place.store.accounts.findById(id)
  if (account !== null) await place.store.accounts.update({ ...account, status: 'disabled' }, null)
  expect(await signInByProvider(place.browser())).toBe('/console/sign-in#error=account_disabled')
})

test('an answer that we did not ask for, or that comes to another browser, does not sign in', async () => {
  place.registration = 'open'
  const started = await start(place.browser())
  const back = (await provider.visit(started.body.url)).slice(`${ORIGIN}/api/auth`.length)
  const other = place.browser()
  const stolen = await other.get(back)
  expect(stolen.headers.get('location')).toBe('/console/sign-in#error=oidc_state_lost')
  expect(await accountOf(other)).toBeNull()
  const invented = await other.get('/callback/oidc?code=x&state=y')
  expect(invented.headers.get('location')).toBe('/console/sign-in#error=oidc_state_lost')
})

test('a provider that cannot be reached does not stop signing in with a password, and is asked again later', async () => {
  await place.close()
  const port = await freePort()
  const oidc = {
    name: 'Example',
    issuer: `http://127.0.0.1:${port}`,
    clientId: 'c',
    clientSecret: 's',
    trustsEmail: false,
  }
  place = await startSignIn({ oidc })
  const ada = await place.account()
  expect((await place.browser().post('/oidc/start')).body).toMatchObject({ code: 'oidc_unavailable', status: 502 })
  expect((await place.browser().post('/oidc/start')).body.code).toBe('oidc_unavailable')
  expect((await place.browser().post('/sign-in', ada)).status).toBe(200)
})

test('return paths lead into the console alone', async () => {
  for (const path of [
    'https://evil.example/',
    '//evil.example/',
    '/console//evil.example',
    '/other',
    '/console/\\evil',
  ]) {
    const answer = await start(place.browser(), { return_to: path })
    expect(answer.body, path).toMatchObject({ code: 'field_invalid', field: 'return_to' })
  }
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a defect on the way back from the provider ends in the console as well, and in the log', async () => {
  const browser = place.browser()
  const started = await start(browser)
  const back = (await provider.visit(started.body.url)).slice(`${ORIGIN}/api/auth`.length)
  vi.spyOn(place.store.signInRecords, 'select').mockRejectedValue(new Error('the database is gone'))
  const answer = await browser.get(back)
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toMatch(/^\/console\/sign-in#error=(?:internal|oidc_failed)$/)
  expect(place.errors).not.toEqual([])
})

test('beginning to sign in there writes nothing here', async () => {
  const browser = place.browser()
  for (let i = 0; i < 10; i++) expect((await start(browser)).status).toBe(200)
  expect(await place.store.signInRecords.count('verification', [])).toBe(0)
})

test('strangers make no errors of a provider that is away, and do not make us ask it each time', async () => {
  await provider.close()
  let asked = 0
  const away = createServer((socket) => {
    asked += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(away.address() as AddressInfo).port}`
  const without = await startSignIn({
    oidc: { name: 'Example', issuer, clientId: 'a', clientSecret: 'b', trustsEmail: false },
  })
  const visit = async () => {
    expect((await without.browser().post('/oidc/start', {})).body.code).toBe('oidc_unavailable')
  }
  const { headers } = await without.browser().get('/callback/oidc?code=a&state=b')
  expect(headers.get('location')).toBe('/console/sign-in#error=oidc_state_lost')
  expect(asked).toBe(0)
  await visit()
  const first = asked
  expect(first).toBeGreaterThan(0)
  for (let i = 0; i < 5; i++) await visit()
  expect(asked).toBe(first)
  without.advance(10_000)
  await visit()
  expect(asked).toBeGreaterThan(first)
  expect(without.errors).toEqual([])
  for (const refusal of without.refusals) expect(refusal).not.toContain('\n    at ')
  await without.close()
  await new Promise((resolve) => away.close(resolve))
})

// from: slackapi/python-slack-sdk#1919
test('a state is good once: neither its cookie nor another code begins a second session', async () => {
  place.registration = 'open'
  const browser = place.browser()
  const started = await start(browser)
  const kept = new Map(browser.cookies)
  const codes = await Promise.all([provider.visit(started.body.url), provider.visit(started.body.url)])
  const [first = '', second = ''] = codes.map((back) => back.slice(`${ORIGIN}/api/auth`.length))
  expect(second).not.toBe(first)
  expect((await browser.get(first)).headers.get('location')).toBe('/console/')
  const thief = place.browser()
  for (const [name, value] of kept) thief.cookies.set(name, value)
  expect((await thief.get(second)).headers.get('location')).toBe('/console/sign-in#error=oidc_state_lost')
  expect(await accountOf(thief)).toBeNull()
  expect(await place.store.signInRecords.count('session', [])).toBe(1)
  // It is remembered for as long as its cookie is taken.
  place.advance(11 * 60_000)
  await signInByProvider(place.browser())
  expect(await place.store.signInRecords.count('verification', [])).toBe(1)
})

test('of two returns with one state at once, one signs in', async () => {
  place.registration = 'open'
  await signInByProvider(place.browser())
  const browser = place.browser()
  const started = await start(browser)
  const codes = await Promise.all([provider.visit(started.body.url), provider.visit(started.body.url)])
  const twins = codes.map(() => {
    const twin = place.browser()
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
    return twin
  })
  const pages = await Promise.all(
    codes.map(async (back, i) => {
      const answer = await twins[i]?.get(back.slice(`${ORIGIN}/api/auth`.length))
      return answer?.headers.get('location')
    }),
  )
  expect(new Set(pages)).toEqual(new Set(['/console/', '/console/sign-in#error=oidc_state_lost']))
})

test('returns without a state of ours write nothing here', async () => {
  for (let i = 0; i < 5; i++) await place.browser().get(`/callback/oidc?code=x&state=${i}`)
  expect(await place.store.signInRecords.count('verification', [])).toBe(0)
})

test('strangers cause only so many requests to the provider by returns that fail', async () => {
  const browser = place.browser()
  const pages = []
  for (let i = 0; i < 61; i++) {
    const { headers } = await browser.get(`/callback/oidc?code=x&state=${i}`)
    pages.push(headers.get('location'))
  }
  expect(new Set(pages.slice(0, 60))).toEqual(new Set(['/console/sign-in#error=oidc_state_lost']))
  expect(pages[60]).toBe('/console/sign-in#error=too_many_requests')
  place.registration = 'open'
  place.address = '192.0.2.1'
  // Those that are good are not counted.
  for (let i = 0; i < 3; i++) expect(await signInByProvider(place.browser())).toBe('/console/')
})
