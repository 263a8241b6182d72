import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { CERTIFICATE, KEY } from '../../../test/support/localhost-certificate.ts'
import { type Manner, type MannerlyProvider, startMannerlyProvider } from '../../../test/support/oidc-manners.ts'
import { PROFILES } from '../../../test/support/oidc-profiles.ts'
import { runCommandLine } from './command-line.ts'

let provider: MannerlyProvider | null = null
let other: Server | null = null
afterEach(async () => {
  await provider?.close()
  other?.closeAllConnections()
  await new Promise<unknown>((resolve) => (other === null ? resolve(null) : other.close(resolve)))
  provider = null
  other = null
})

async function run(environment: Record<string, string>) {
  const { host, printed, remarked } = cliHostByHand({
    environment,
    randomBytes: (count) => Buffer.alloc(count, 7),
  })
  const code = await runCommandLine(['oidc', 'test'], host)
  const lines = printed.join('').trimEnd().split('\n')
  const found = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { code, found, remarked: remarked.join('') }
}

/** What is set otherwise, and what is found of which part. */
interface Case {
  readonly environment?: Record<string, string>
  readonly expected: Record<string, RegExp>
}

async function tried(manner: Manner, over: Record<string, string> = {}) {
  provider = await startMannerlyProvider(manner)
  const { settings } = provider
  return run({
    TOLLGATE_OIDC_ISSUER: settings.issuer,
    TOLLGATE_OIDC_CLIENT_ID: settings.clientId,
    TOLLGATE_OIDC_CLIENT_SECRET: settings.clientSecret,
    TOLLGATE_PUBLIC_URL: 'https://ai.example.test',
    ...over,
  })
}

test('without a provider it says what to set', async () => {
  const { code, remarked } = await run({})
  expect(code).toBe(1)
  expect(remarked).toContain('set TOLLGATE_OIDC_ISSUER')
})

test.each(Object.entries(PROFILES))('%s passes, and what an admin should know of it is said', async (_, profile) => {
  const { code, found } = await tried(profile)
  expect(found).toMatchObject({
    description: expect.stringMatching(/^ok, /),
    issuer: expect.stringMatching(/^ok, http:\/\/127\.0\.0\.1/),
    keys: expect.stringMatching(/^ok, \d/),
    client: expect.stringMatching(/^ok, id and secret are right \(client_secret_(?:basic|post)\)$/),
    'redirect URI': expect.stringContaining('register https://ai.example.test/api/auth/callback/oidc at the provider'),
    addresses: expect.stringMatching(/^(?:ok|look), /),
    clock: 'ok, in step with the provider’s',
  })
  expect(code).toBe(0)
})

test.each<[string, Manner, Case]>([
  [
    'a wrong secret',
    {},
    {
      environment: { TOLLGATE_OIDC_CLIENT_SECRET: 'another' },
      expected: { client: /^failed, .*invalid_client.*TOLLGATE_OIDC_CLIENT_SECRET/ },
    },
  ],
  [
    'a wrong secret, as Keycloak says it',
    { clientRefusal: { status: 401, error: 'unauthorized_client' } },
    { environment: { TOLLGATE_OIDC_CLIENT_SECRET: 'another' }, expected: { client: /^failed, .*unauthorized_client/ } },
  ],
  [
    'no way to show a secret',
    { description: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
    { expected: { client: /^failed, .*private_key_jwt.*confidential client/ } },
  ],
  ['no keys', { keys: () => [] }, { expected: { keys: /^failed, .*has no key that signs/ } }],
  [
    'HS256 alone',
    { description: { id_token_signing_alg_values_supported: ['HS256'] } },
    { expected: { keys: /^failed, .*HS256.*choose a signing key/ } },
  ],
  [
    'no keys to be read',
    { description: { jwks_uri: 'http://127.0.0.1:4/keys' } },
    { expected: { keys: /^failed, .*Nothing listens/ } },
  ],
  [
    'a description that lacks an endpoint',
    { description: { token_endpoint: undefined } },
    { expected: { description: /^failed, .*no usable token_endpoint/ } },
  ],
  [
    'no description',
    {},
    {
      environment: { TOLLGATE_OIDC_ISSUER: 'http://127.0.0.1:4' },
      expected: { description: /^failed, .*Nothing listens.*check TOLLGATE_OIDC_ISSUER/ },
    },
  ],
  [
    'a clock two minutes behind',
    { aheadMs: 120_000 },
    { expected: { clock: /^failed, the clock of this machine is \d+ s behind the provider’s/ } },
  ],
])('%s is found, with what to do', async (_, manner, { environment = {}, expected }) => {
  const { code, found } = await tried(manner, environment)
  expect(code).toBe(1)
  for (const [about, words] of Object.entries(expected)) expect(found[about]).toMatch(words)
  for (const words of Object.values(found)) expect(words).not.toContain('z/tZ9')
})

test.each<[string, Manner, Case]>([
  [
    'another issuer',
    { describedIssuer: () => 'https://login.example.test' },
    {
      expected: {
        issuer: /^look, .*describes itself as https:\/\/login\.example\.test, and TOLLGATE_OIDC_ISSUER is http:/,
      },
    },
  ],
  [
    'an issuer of all tenants',
    { describedIssuer: (issuer) => `${issuer}/{tenantid}/v2.0` },
    {
      environment: { TOLLGATE_OIDC_TRUST_EMAIL: '1' },
      expected: { issuer: /^look, people of all tenants/, addresses: /^look, TOLLGATE_OIDC_TRUST_EMAIL has no effect/ },
    },
  ],
  [
    'no public URL',
    {},
    {
      environment: { TOLLGATE_PUBLIC_URL: '' },
      expected: { 'redirect URI': /^look, register ORIGIN\/api.*set TOLLGATE_PUBLIC_URL/ },
    },
  ],
  [
    'no claim of verified addresses',
    { description: { claims_supported: ['sub', 'email'] } },
    { expected: { addresses: /^look, .*by invitation.*TOLLGATE_OIDC_TRUST_EMAIL=1/ } },
  ],
  [
    'an admin’s word',
    {},
    { environment: { TOLLGATE_OIDC_TRUST_EMAIL: '1' }, expected: { addresses: /^ok, all that the provider names/ } },
  ],
  [
    'no scope for addresses',
    { description: { scopes_supported: ['openid'] } },
    { expected: { addresses: /^look, .*no scope "email"/ } },
  ],
  [
    'a request that it does not judge',
    { tokenAnswer: () => ({ status: 400, body: { error: 'invalid_request', error_description: 'AADSTS9002313' } }) },
    { expected: { client: /^look, .*invalid_request \(AADSTS9002313\)/ } },
  ],
])('%s is named and stops nothing', async (_, manner, { environment = {}, expected }) => {
  const { code, found } = await tried(manner, environment)
  expect(code).toBe(0)
  for (const [about, words] of Object.entries(expected)) expect(found[about]).toMatch(words)
})

test('a certificate of an unknown authority is said in words, with what to set', async () => {
  other = createServer({ cert: CERTIFICATE, key: KEY }, (_, response) => response.end('{}'))
  await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { code, found } = await tried({}, { TOLLGATE_OIDC_ISSUER: `https://127.0.0.1:${port}` })
  expect(code).toBe(1)
  expect(found['description']).toMatch(/certificate is not signed by a trusted authority\. .*NODE_EXTRA_CA_CERTS/)
})
