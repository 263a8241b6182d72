import { afterEach, describe, expect, test } from 'vitest'
import { type Manner, PERSON, without } from '../support/oidc-manners.ts'
import {
  accountOf,
  failure,
  ORIGIN,
  type ProviderUnderTest,
  startWithProvider,
} from '../support/sign-in-by-provider.ts'

/* Manners of providers one by one: each that is right signs in, each that is wrong is refused, with its cause in the log. */

let here: ProviderUnderTest
afterEach(() => here.close())

const VERIFIED: Manner = { idToken: ({ email, name }) => ({ email, email_verified: true, name }) }
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const OF_TENANT = (issuer: string) => issuer.replace('{tenantid}', TENANT)
const ofAll: Manner = {
  issuerPath: '/common/v2.0',
  describedIssuer: (issuer) => issuer.replace('common', '{tenantid}'),
  tokenIssuer: (issuer) => issuer.replace('common', TENANT),
  keys: (key, issuer) => [{ ...key, issuer: issuer.replace('common', '{tenantid}') }],
  idToken: ({ email }) => ({ email, tid: TENANT, email_verified: true }),
}

describe.each<[string, Manner]>([
  ['keys without an algorithm', { ...VERIFIED, keys: (key) => [without(key, 'alg')] }],
  ['a key without a name', { ...VERIFIED, keys: (key) => [without(key, 'kid')] }],
  [
    'tokens and keys without a name',
    { ...VERIFIED, kid: null, keys: (key) => [{ ...key, n: `${key.n?.slice(0, -4)}AAAA` }, key] },
  ],
  ['keys without a use', { ...VERIFIED, keys: (key) => [without(key, 'use')] }],
  [
    'keys of other kinds and forms beside its own',
    { ...VERIFIED, keys: (key) => [{ kty: 'oct', k: 'x' }, { kid: 7 }, null, 'x', { kty: 'AKP', kid: key.kid }, key] },
  ],
  ['ES256', { ...VERIFIED, alg: 'ES256' }],
  ['PS256', { ...VERIFIED, alg: 'PS256' }],
  ['EdDSA', { ...VERIFIED, alg: 'EdDSA' }],
  ['EdDSA by the name of its keys', { ...VERIFIED, alg: 'EdDSA', keys: (key) => [{ ...key, alg: 'Ed25519' }] }],
  // from: panva/openid-client#454, tailscale/tsidp#73
  [
    'tokens that begin in 2 s',
    { ...VERIFIED, aheadMs: 2_000, idToken: ({ email }, { nowS }) => ({ email, email_verified: true, nbf: nowS }) },
  ],
  [
    'tokens that begin in 50 s',
    { ...VERIFIED, aheadMs: 50_000, idToken: ({ email }, { nowS }) => ({ email, email_verified: true, nbf: nowS }) },
  ],
  [
    'tokens that ended a second ago',
    { idToken: ({ email }, { nowS }) => ({ email, email_verified: true, iat: nowS - 60, exp: nowS - 1 }) },
  ],
  ['no ways to show a secret in its description', { ...VERIFIED, takes: 'client_secret_basic' }],
  [
    'post alone',
    {
      ...VERIFIED,
      takes: 'client_secret_post',
      description: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    },
  ],
  ['basic alone', { ...VERIFIED, description: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } }],
  // from: nextcloud/user_oidc#907
  [
    'both ways, and a client registered for post',
    {
      ...VERIFIED,
      takes: 'client_secret_post',
      description: { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] },
    },
  ],
  ['email_verified as a text', { idToken: ({ email }) => ({ email, email_verified: 'true' }) }],
  [
    'an address of which the other endpoint says that it is verified',
    { idToken: ({ email }) => ({ email }), userInfo: ({ sub, email }) => ({ sub, email, email_verified: true }) },
  ],
  // from: AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet#1731
  ['an issuer for all tenants', ofAll],
  [
    'an issuer with a slash that it is not set up with',
    {
      ...VERIFIED,
      describedIssuer: (issuer) => `${issuer}/`,
      tokenIssuer: (issuer) => `${issuer}/`,
      namesIssuer: true,
    },
  ],
  [
    'an answer about a person that fails, while the token has the address',
    {
      idToken: ({ email }) => ({ email, xms_edov: true }),
      description: { userinfo_endpoint: 'http://127.0.0.1:9/none' },
    },
  ],
])('a provider with %s', (_, manner) => {
  test('signs in', async () => {
    here = await startWithProvider(manner)
    const browser = here.place.browser()
    expect(await here.signIn(browser)).toBe('/console/')
    expect(await accountOf(browser)).toMatchObject({ email: PERSON.email })
  })
})

const claims = (over: object): Manner => ({ idToken: ({ email }) => ({ email, email_verified: true, ...over }) })
const answers = (status: number, body: unknown): Manner => ({ ...VERIFIED, tokenAnswer: () => ({ status, body }) })

describe.each<[string, Manner, { code: string; log: RegExp }]>([
  [
    'a wrong secret',
    { ...VERIFIED, takes: 'client_secret_post' },
    {
      code: 'oidc_misconfigured',
      log: /refuses this gateway as a client: invalid_client \(Client authentication failed \(client_secret_basic\)\.\)/,
    },
  ],
  [
    'a wrong secret, as Keycloak says it',
    { ...VERIFIED, takes: 'client_secret_post', clientRefusal: { status: 401, error: 'unauthorized_client' } },
    { code: 'oidc_misconfigured', log: /unauthorized_client/ },
  ],
  [
    'no way to show a secret',
    { ...VERIFIED, description: { token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'] } },
    {
      code: 'oidc_misconfigured',
      log: /takes no client secret .*private_key_jwt, tls_client_auth.*confidential client/,
    },
  ],
  [
    'a code that it does not take',
    answers(400, { error: 'invalid_grant', error_description: 'expired' }),
    { code: 'oidc_failed', log: /no tokens for a code: invalid_grant \(expired\)/ },
  ],
  [
    'an error beside a good status',
    answers(200, { error: 'invalid_scope' }),
    { code: 'oidc_failed', log: /invalid_scope/ },
  ],
  ['no ID token', answers(200, { access_token: 'x' }), { code: 'oidc_failed', log: /without an ID token/ }],
  ['an encrypted ID token', answers(200, { id_token: 'a.b.c.d.e' }), { code: 'oidc_misconfigured', log: /encrypted/ }],
  [
    'something else as ID token',
    answers(200, { id_token: 'opaque' }),
    { code: 'oidc_misconfigured', log: /not a signed JWT/ },
  ],
  [
    'another issuer in its tokens',
    { ...VERIFIED, tokenIssuer: () => 'http://keycloak:8080/realms/main' },
    {
      code: 'oidc_misconfigured',
      log: /of the issuer http:\/\/keycloak:8080\/realms\/main, and the OIDC provider describes itself as http:\/\/127\.0\.0\.1:\d+:/,
    },
  ],
  [
    'another issuer in its return',
    { ...VERIFIED, namesIssuer: 'https://evil.example' },
    {
      code: 'oidc_misconfigured',
      log: /return is of the issuer https:\/\/evil\.example, and the OIDC provider describes itself as http:/,
    },
  ],
  [
    'a tenant that is none',
    {
      ...ofAll,
      tokenIssuer: (issuer) => issuer.replace('common', 'evil'),
      idToken: ({ email }) => ({ email, email_verified: true, tid: 'evil' }),
    },
    { code: 'oidc_misconfigured', log: /of the issuer/ },
  ],
  [
    'a key of another tenant',
    {
      ...ofAll,
      keys: (key) => [{ ...key, issuer: OF_TENANT('https://login.example/0e5f9f3a-0000-4000-8000-000000000000/v2.0') }],
    },
    { code: 'oidc_misconfigured', log: /signed by a key that is not for its issuer/ },
  ],
  [
    'another audience',
    claims({ aud: 'another-client' }),
    { code: 'oidc_misconfigured', log: /is for another-client, and not for TOLLGATE_OIDC_CLIENT_ID/ },
  ],
  [
    'another party',
    claims({ aud: ['tollgate at/example', 'b'], azp: 'b' }),
    { code: 'oidc_misconfigured', log: /azp/ },
  ],
  ['another nonce', claims({ nonce: 'x' }), { code: 'oidc_failed', log: /nonce/ }],
  ['no end', claims({ exp: undefined }), { code: 'oidc_misconfigured', log: /no usable exp/ }],
  [
    'a clock 90 s ahead',
    { ...VERIFIED, aheadMs: 90_000 },
    {
      code: 'oidc_clock_off',
      log: /valid from .*, and the clock of this server says .*, which is (?:89|90|91) s behind the OIDC provider’s/,
    },
  ],
  [
    'a clock ten minutes behind',
    { ...VERIFIED, aheadMs: -600_000 },
    { code: 'oidc_clock_off', log: /valid until .* s ahead of the OIDC provider’s/ },
  ],
  [
    'tokens that have ended',
    claims({ exp: 1_000 }),
    { code: 'oidc_misconfigured', log: /in step with the OIDC provider’s/ },
  ],
  // from: goauthentik/authentik#9250, pulsejet/nextcloud-oidc-login#301
  [
    'HS256',
    answers(200, { id_token: `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.x` }),
    { code: 'oidc_misconfigured', log: /signed by HS256.*choose a signing key/ },
  ],
  [
    'no signature',
    answers(200, { id_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` }),
    { code: 'oidc_misconfigured', log: /signed by none/ },
  ],
  [
    'a key that it does not publish',
    { ...VERIFIED, keys: () => [] },
    { code: 'oidc_misconfigured', log: /no key with the kid key-0 .*RS256/ },
  ],
  [
    'a key for encryption alone',
    { ...VERIFIED, keys: (key) => [{ ...key, use: 'enc' }] },
    { code: 'oidc_misconfigured', log: /no key/ },
  ],
  [
    'no address',
    { idToken: () => ({ preferred_username: 'ada@corp.example', upn: 'ada@corp.example' }) },
    { code: 'oidc_email_missing', log: /names no address/ },
  ],
  [
    'an address that is none',
    claims({ email: 'ada\n@example.test' }),
    { code: 'oidc_email_missing', log: /names no address/ },
  ],
])('a provider with %s', (_, manner, { code, log }) => {
  test('is refused, with its cause in the log and no secret', async () => {
    here = await startWithProvider(manner)
    expect(await here.signIn(here.place.browser())).toBe(failure(code))
    expect(here.place.errors).toEqual([])
    const logged = here.place.refusals.join('\n')
    expect(logged).toMatch(log)
    expect(logged).not.toContain(here.provider.settings.clientSecret)
    expect(logged).not.toMatch(/eyJ|\n\s+at /)
  })
})

test('an admin’s word for the addresses of a provider is none for one that all tenants can sign in by', async () => {
  const ofAnyone: Manner = { ...ofAll, idToken: ({ email }) => ({ email, tid: TENANT }) }
  here = await startWithProvider(ofAnyone, { trustsEmail: true })
  expect(await here.signIn(here.place.browser())).toBe(failure('oidc_email_unverified'))
})

test('an invitation is for its own address alone, and stands in where the provider names none', async () => {
  here = await startWithProvider({ idToken: () => ({ preferred_username: 'ada@corp.example' }) })
  here.place.registration = 'invitation'
  const browser = here.place.browser()
  expect(await here.signIn(browser, { invitation: await here.invite('ada@example.test') })).toBe('/console/')
  expect(await accountOf(browser)).toMatchObject({ email: PERSON.email, is_email_verified: true })
  await here.close()
  here = await startWithProvider({ idToken: ({ email }) => ({ email, email_verified: false }) })
  here.place.registration = 'invitation'
  const forEve = await here.invite('eve@example.test')
  expect(await here.signIn(here.place.browser(), { invitation: forEve })).toBe(failure('invitation_needed'))
  // One without an address says nothing of any.
  const forAnyone = await here.invite(null)
  expect(await here.signIn(here.place.browser(), { invitation: forAnyone })).toBe(failure('oidc_email_unverified'))
  expect(await here.place.store.accounts.list(10)).toEqual([])
  // Neither of them was used up.
  const eve = { idToken: () => ({ sub: 'person-2', email: 'eve@example.test' }) }
  here.provider.manner = eve
  expect(await here.signIn(here.place.browser(), { invitation: forEve })).toBe('/console/')
})

test('a person of the provider gets what the invitation gives, once', async () => {
  here = await startWithProvider(VERIFIED)
  here.place.registration = 'invitation'
  const invitation = await here.invite(PERSON.email, 'user', '10')
  const browsers = [here.place.browser(), here.place.browser()]
  await Promise.all(browsers.map((browser) => here.signIn(browser, { invitation })))
  const [account, ...others] = await here.place.store.accounts.list(10)
  expect(others).toEqual([])
  expect(await here.place.store.ledger.balance(account?.id ?? '')).toBe(10_000_000_000n)
})

test('an account with the address of an unproven one is linked by its owner alone', async () => {
  here = await startWithProvider({ idToken: ({ email }) => ({ email }) })
  const ada = await here.place.account({ email: PERSON.email })
  const invitation = await here.invite(PERSON.email, 'admin')
  expect(await here.signIn(here.place.browser(), { invitation })).toBe(failure('oidc_not_linked'))
  expect(here.place.refusals.join()).toContain('TOLLGATE_OIDC_TRUST_EMAIL')
  const browser = here.place.browser()
  await here.signInByPassword(browser, ada)
  expect(await here.signIn(browser, { purpose: 'link', return_to: '/console/account' })).toBe('/console/account')
})

test('the provider is linked to the account of the session that asked for it, and to no other', async () => {
  here = await startWithProvider(VERIFIED)
  const [ada, eve] = [await here.place.account(), await here.place.account()]
  const browser = here.place.browser()
  await here.signInByPassword(browser, ada)
  const body = { purpose: 'link', return_to: '/console/account' }
  const { body: started } = await browser.send('POST', '/oidc/start', { body, headers: { origin: ORIGIN } })
  await here.signInByPassword(browser, eve)
  const back = await here.provider.visit(started.url)
  const answer = await browser.get(back.slice(`${ORIGIN}/api/auth`.length))
  expect(answer.headers.get('location')).toBe('/console/account#error=oidc_state_lost')
  expect(await here.place.store.signInRecords.count('identity', [])).toBe(0)
})

test('of two first sign-ins of one person at once, both get the one account', async () => {
  here = await startWithProvider(VERIFIED)
  const browsers = [here.place.browser(), here.place.browser(), here.place.browser()]
  const pages = await Promise.all(browsers.map((browser) => here.signIn(browser)))
  expect(new Set(pages)).toEqual(new Set(['/console/']))
  expect(await here.place.store.accounts.list(10)).toHaveLength(1)
})

test('the way by which a provider took the secret is the first the next time', async () => {
  const description = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }
  here = await startWithProvider({ ...VERIFIED, takes: 'client_secret_post', description })
  await here.signIn(here.place.browser())
  await here.signIn(here.place.browser())
  expect(here.provider.shown).toEqual(['client_secret_basic', 'client_secret_post', 'client_secret_post'])
})

test('what a provider says of a failure is in one bounded line, without code, secret or token', async () => {
  here = await startWithProvider({
    ...VERIFIED,
    tokenAnswer: (fields, authorization) => ({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: `${authorization} code ${fields.get('code')} verifier ${fields.get('code_verifier')}\r\n\u001b[31m eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkFkYSJ9 ${encodeURIComponent(here.provider.settings.clientSecret)} ${'x y '.repeat(5_000)}`,
      },
    }),
  })
  expect(await here.signIn(here.place.browser())).toBe(failure('oidc_failed'))
  const [line = '', ...others] = here.place.refusals
  expect(others).toEqual([])
  expect(line).toMatch(
    /^sign-in by the OIDC provider failed \(oidc_failed\): .*Basic \[removed\] code \[removed\] verifier \[removed\]\\u000d/,
  )
  expect(line.length).toBeLessThan(500)
  expect(line).not.toMatch(/eyJ|[\p{Cc}]/u)
  expect(line).not.toContain(encodeURIComponent(here.provider.settings.clientSecret))
})

// from: docmost/docmost#2362
test.each([
  ['access_denied', 'oidc_denied'],
  ['login_required', 'oidc_denied'],
  ['invalid_scope', 'oidc_misconfigured'],
  ['unauthorized_client', 'oidc_misconfigured'],
  ['temporarily_unavailable', 'oidc_unavailable'],
  ['toString', 'oidc_failed'],
])('who is sent back with %s reads of it (%s), and so does the log', async (error, code) => {
  here = await startWithProvider(VERIFIED)
  const browser = here.place.browser()
  const { body } = await browser.send('POST', '/oidc/start', { body: {}, headers: { origin: ORIGIN } })
  const state = new URL(body.url).searchParams.get('state')
  const said = new URLSearchParams({ error, error_description: 'AADSTS65004: declined\u0007', state: state ?? '' })
  const answer = await browser.get(`/callback/oidc?${said.toString()}`)
  expect(answer.headers.get('location')).toBe(failure(code))
  expect(here.place.refusals).toEqual([
    `sign-in by the OIDC provider failed (${code}): the OIDC provider sent the person back with ${error} (AADSTS65004: declined\\u0007)`,
  ])
})

test('scopes that a provider does not know are not asked for', async () => {
  here = await startWithProvider({ ...VERIFIED, description: { scopes_supported: ['openid', 'profile'] } })
  const { body } = await here.place.browser().send('POST', '/oidc/start', { body: {}, headers: { origin: ORIGIN } })
  expect(new URL(body.url).searchParams.get('scope')).toBe('openid profile')
})

test('a clock that is off beside the provider’s is known after three of its answers', async () => {
  here = await startWithProvider({ ...VERIFIED, aheadMs: 90_000 })
  expect(here.place.signIn.clockAheadMs()).toBeNull()
  await here.signIn(here.place.browser())
  const ahead = here.place.signIn.clockAheadMs() ?? 0
  expect(ahead).toBeLessThan(-80_000)
  expect(ahead).toBeGreaterThan(-95_000)
})
