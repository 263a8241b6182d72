import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROLE } from '../../tools/fake-upstream/clouds/tokens/aws-tokens.ts'
import { LONG_LIVED } from '../../tools/fake-upstream/clouds/tokens/token-book.ts'
import { type MintedUnderTest, mintedUnderTest } from '../support/minted-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const REQUESTS = 10_000
const RENEWALS = 20
const LIFE_SECONDS = 8
const AT_ONCE = 24

let on: MintedUnderTest
beforeAll(async () => {
  on = await mintedUnderTest((name, value) => vi.stubEnv(name, value), { TOLLGATE_WORKERS: '2' })
  on.services.book.lifeSeconds = LIFE_SECONDS
})
afterAll(async () => {
  await on.close()
  vi.unstubAllEnvs()
})

// Reported: keys of a session are kept beyond their end (anomalyco/opencode#30940, langgenius/dify-official-plugins#3519).
test('10,000 requests across 20 renewals with two threads: none fails, and each renewal mints once at most', async () => {
  await on.model('renewed', {
    kind: 'aws',
    settings: { source: 'keys', access_key_id: LONG_LIVED.accessKeyId, role_arn: ROLE },
    secret: LONG_LIVED.secretAccessKey,
  })
  await expect.poll(async () => (await on.ask('renewed')).status, { timeout: PATIENCE_MS }).toBe(200)
  const { book } = on.services
  const [began, first] = [performance.now(), book.issued]
  const failures: string[] = []
  let asked = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (asked < REQUESTS || book.issued - first < RENEWALS) {
        asked += 1
        const { status, text } = await on.ask('renewed')
        if (status !== 200) failures.push(`${status} ${text}`)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  expect(failures).toEqual([])
  expect(on.front.refusals).toEqual([])
  expect(asked).toBeGreaterThanOrEqual(REQUESTS)
  expect(book.issued - first).toBeGreaterThanOrEqual(RENEWALS)
  // Half of a short life is the earliest, and jitter takes a tenth of that.
  expect(book.issued - first).toBeLessThanOrEqual(Math.ceil(seconds / (LIFE_SECONDS * 0.45)) + 1)
}, 600_000)
