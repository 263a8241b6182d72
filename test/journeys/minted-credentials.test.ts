import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ROLE } from '../../tools/fake-upstream/clouds/tokens/aws-tokens.ts'
import { LONG_LIVED } from '../../tools/fake-upstream/clouds/tokens/token-book.ts'
import { type MintedUnderTest, mintedUnderTest } from '../support/minted-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

let on: MintedUnderTest
beforeAll(async () => {
  on = await mintedUnderTest((name, value) => vi.stubEnv(name, value))
})
afterAll(async () => {
  await on.close()
  vi.unstubAllEnvs()
})
beforeEach(() => {
  on.services.failure = null
  on.services.book.aheadMs = 0
  on.services.book.lifeSeconds = 3_600
})

const ROLE_OF_KEYS = {
  kind: 'aws' as const,
  settings: { source: 'keys', access_key_id: LONG_LIVED.accessKeyId, role_arn: ROLE },
  secret: LONG_LIVED.secretAccessKey,
}
const METADATA = { kind: 'gcp' as const, settings: { source: 'metadata' } }
const served = (model: string) => expect.poll(async () => (await on.ask(model)).status, { timeout: PATIENCE_MS })
const held = (upstream: string) => expect.poll(() => on.hold(upstream), { timeout: PATIENCE_MS })

test.each([
  [
    'keys',
    {
      kind: 'aws' as const,
      settings: { source: 'keys', access_key_id: LONG_LIVED.accessKeyId },
      secret: LONG_LIVED.secretAccessKey,
    },
  ],
  ['role', ROLE_OF_KEYS],
  ['instance', { kind: 'aws' as const, settings: { source: 'instance' } }],
  ['metadata', METADATA],
])('a request goes out with the token of a credential of the source %s, which is minted once', async (name, of) => {
  await on.model(name, of)
  await served(name).toBe(200)
  const issued = on.services.book.issued
  for (let i = 0; i < 5; i += 1) expect((await on.ask(name)).status).toBe(200)
  expect(on.services.book.issued).toBe(issued)
})

// Reported: minutes of retries until a session that has ended is named (anthropics/claude-code#28032).
test('a role that has ended is held at once, in the words of AWS, and heals by itself', async () => {
  on.services.failure = {
    status: 403,
    type: 'text/xml',
    body: '<ErrorResponse><Error><Code>AccessDenied</Code><Message>The role was deleted</Message></Error></ErrorResponse>',
  }
  const upstream = await on.model('ended-role', ROLE_OF_KEYS)
  await held(upstream).toContain('The role was deleted')
  const refused = await on.ask('ended-role')
  expect(refused.status).toBeGreaterThanOrEqual(500)
  // Of the account at the cloud only admins read.
  expect(refused.text).not.toContain('role')
  on.services.failure = null
  await held(upstream).toBeNull()
  await served('ended-role').toBe(200)
})

// Reported: the first answer does not correct the clock (aws/aws-sdk-js-v3#2208).
test('the clock of AWS is ten minutes off: requests are signed by its time, with its keys and with an admin’s', async () => {
  on.services.book.aheadMs = 600_000
  await on.model('skewed-role', ROLE_OF_KEYS)
  await served('skewed-role').toBe(200)
  on.services.book.aheadMs = -600_000
  expect((await on.ask('keys')).status).toBe(200)
  expect((await on.ask('keys')).status).toBe(200)
})

test('a token that its provider refuses before its end is never shown, and what was sent is not repeated', async () => {
  const upstream = await on.model('revoked', METADATA)
  await served('revoked').toBe(200)
  on.services.book.endAll()
  on.services.failure = { status: 403, body: '' }
  const refused = await on.ask('revoked')
  expect(refused.text).not.toMatch(/ya29/)
  await held(upstream).toMatch(/\S/)
  expect(await on.hold(upstream)).not.toMatch(/ya29/)
  expect(on.front.refusals.at(-1)).toMatch(/ya29/)
})

test('the database keeps a token sealed, and loses it with its credential', async () => {
  const upstream = await on.model('gone', METADATA)
  await served('gone').toBe(200)
  const claim = { upstreamId: upstream, name: 'default', holder: 'test', leaseMs: 0, olderThanMs: 0 }
  const { store } = on.gateway
  await store.catalog.editUpstream(upstream, (before) => ({ ...before, credentials: [] }))
  expect((await store.mintedTokens.claimMinting({ ...claim, mark: 'other s' })).kind).toBe('granted')
})
