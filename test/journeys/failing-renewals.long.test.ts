import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROLE } from '../../tools/fake-upstream/clouds/tokens/aws-tokens.ts'
import { LONG_LIVED } from '../../tools/fake-upstream/clouds/tokens/token-book.ts'
import { type MintedUnderTest, mintedUnderTest } from '../support/minted-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
/** Half of it passes before the first renewal. */
const LIFE_SECONDS = 60

let on: MintedUnderTest
beforeAll(async () => {
  on = await mintedUnderTest((name, value) => vi.stubEnv(name, value), { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN })
  on.services.book.lifeSeconds = LIFE_SECONDS
})
afterAll(async () => {
  await on.close()
  vi.unstubAllEnvs()
})

async function read(path: string) {
  const response = await fetch(on.gateway.origin + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  return (await response.json()) as { data: Record<string, unknown>[] }
}

const REFUSED = `<ErrorResponse><Error><Code>AccessDenied</Code><Message>User: arn:aws:iam::1:user/x is not authorized to perform: sts:AssumeRole on resource: ${ROLE}</Message></Error></ErrorResponse>`

test('a role that may not be assumed any more: requests are answered while the token is good, admins read until when, and it heals', async () => {
  const id = await on.model('ending', {
    kind: 'aws',
    settings: { source: 'keys', access_key_id: LONG_LIVED.accessKeyId, role_arn: ROLE },
    secret: LONG_LIVED.secretAccessKey,
  })
  const credential = async () => (await read(`/api/upstreams/${id}/credentials`)).data[0]
  const state = () => expect.poll(async () => (await credential())?.['state'], { timeout: PATIENCE_MS })
  const asked = async () => (await on.ask('ending')).status
  await expect.poll(asked, { timeout: PATIENCE_MS }).toBe(200)
  const endsBy = Date.now() + LIFE_SECONDS * 1_000
  on.services.failure = { status: 403, type: 'text/xml', body: REFUSED }
  await state().toBe('renewal_failing')
  expect(await asked()).toBe(200)
  const { said, since, until } = (await credential()) ?? {}
  expect(said).toContain('is not authorized to perform: sts:AssumeRole')
  expect(Date.parse(String(until))).toBeLessThanOrEqual(endsBy + 1_000)
  const itemNow = async () => (await read('/api/attention')).data.find(({ kind }) => kind === 'renewal_failing')
  const detail = expect.stringContaining('Let the trust policy of the role name the identity')
  await expect
    .poll(itemNow, { timeout: PATIENCE_MS })
    .toMatchObject({ severity: 'warning', credential: 'default', said, since, detail })
  on.services.failure = null
  await state().toBe('healthy')
  await expect.poll(itemNow, { timeout: PATIENCE_MS }).toBeUndefined()
}, 120_000)
