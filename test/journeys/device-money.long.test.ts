import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OUTPUT_STEP_TOKENS } from '../../src/core/limits.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type DeviceCalls, deviceCalls } from '../support/device-calls.ts'
import { TEST_PRICES } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const REQUESTS = 200
const QUOTA = parseUsd('1')
/** An answer costs two cents, so that all of them want four times the quota. */
const ANSWER = 'fake/echo?input=40&output=2000&chunks=40'
const MODELS = { 'keeps to limits': `${ANSWER}&keeps_limits=1&tag=kept`, 'ignores limits': `${ANSWER}&tag=ignored` }
const STEP_NANO = ((TEST_PRICES.output ?? 0n) * BigInt(OUTPUT_STEP_TOKENS)) / 1_000_000n

/** What one device spends over an access token and two stored secrets, at two nodes at once. */
describe.each(['sqlite', 'postgres'] as const)('on two nodes of %s', (engine) => {
  let at: DeviceCalls
  beforeAll(async () => {
    at = await deviceCalls(engine, 2)
    for (const model of Object.values(MODELS)) await at.nodes[0]?.model(model, { prices: TEST_PRICES })
  })
  afterAll(() => at.close())

  test.each(Object.entries(MODELS))(
    `a dollar is not passed by ${REQUESTS} requests at once, but for the stated step, where the model %s`,
    { timeout: 300_000 },
    async (name, model) => {
      const token = await at.device({ quotaLimit: QUOTA, quotaReset: 'monthly' })
      const credentials = [token, await at.storedSecret(token, 'aider'), await at.storedSecret(token, 'goose')]
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, i) =>
          at.call(credentials[i % 3] ?? token, {
            cents: 0,
            model,
            maxTokens: 4_000,
            isStream: i % 5 !== 0,
            node: i % 2,
          }),
        ),
      )
      const refused = answers.filter(({ status }) => status !== 200)
      for (const { status, unified } of refused) expect([status, unified['status']]).toEqual([429, 'rejected'])
      expect(refused.length).toBeGreaterThan(REQUESTS / 2)
      const keyId = at.keyOf(token)
      const usage = at.nodes[0]?.store.usage
      const charged = async () => {
        const page = await usage?.list({ accountId: at.accountId, keyId }, { after: null, limit: REQUESTS })
        return page?.records.filter(({ outcome }) => outcome !== 'refused') ?? []
      }
      const served = REQUESTS - refused.length
      await expect.poll(async () => (await charged()).length, { timeout: PATIENCE_MS }).toBe(served)
      const spent = (await charged()).reduce((sum, { cost }) => sum + cost, 0n)
      // A model that ends where it is asked to cannot pass it at all.
      const beyond = name === 'ignores limits' ? STEP_NANO * BigInt(served) : 0n
      expect(spent).toBeLessThanOrEqual(QUOTA + beyond)
      expect(spent).toBeGreaterThan(QUOTA / 2n)
      const { limits } = await at.usage(token)
      expect(limits[0]?.percent).toBe(Math.min(100, Number(spent / (QUOTA / 100n))))
      expect((await at.nodes[0]?.store.ledger.prove())?.disagreements).toEqual([])
    },
  )
})
