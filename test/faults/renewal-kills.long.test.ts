import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { subscriptionTo } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { formatUsd, parseUsd } from '../../src/core/money.ts'
import type { Plan } from '../../src/metering/funds/plan.ts'
import type { Store } from '../../src/store/store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { fundedAccount } from '../conformance/store-fixtures.ts'
import { gatewayEnvironment, runTollgate, startGatewayProcess } from '../support/gateway-process.ts'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/* Two gateways renew the same subscriptions on one PostgreSQL, and one is killed amid it: each is paid once, none is lost. */

const SUBSCRIPTIONS = 60
const DAY_MS = 86_400_000
const SECRET = 'a secret that is only for tests, 32 bytes and more'
const PLAN: Plan = {
  id: 'pln_pro',
  name: 'pro',
  groupIds: ['grp_one'],
  opensGroups: true,
  days: 30,
  price: parseUsd('20'),
  quotas: [],
  isManaged: false,
}

let store: Store
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  const { url: databaseUrl } = await testPostgres()
  environment = gatewayEnvironment(await temporaryDirectory(), {
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: SECRET,
    TOLLGATE_DEMO: '0',
  })
  await (await startGatewayProcess(environment)).stop()
  store = await openStore({ databaseUrl, dataDirectory: '', clock: systemClock })
})
afterAll(() => store.close())

test('each subscription is renewed and paid once, by two gateways of which one is killed amid it', async () => {
  const nowMs = Date.now()
  await store.plans.putPlan(PLAN)
  const held = await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, async () => {
      const { id: accountId } = await fundedAccount(store, '50')
      const sale = { id: newId('sub', nowMs), accountId, nowMs: nowMs - 29 * DAY_MS, days: 29 }
      const subscription = { ...subscriptionTo(PLAN, sale), endsAt: nowMs + 1_800_000, renewsUpTo: parseUsd('20') }
      await store.subscriptions.open(subscription)
      return subscription
    }),
  )
  const renewed = async () => {
    const found = await Promise.all(held.map(({ id }) => store.subscriptions.find(id)))
    return found.filter((each, at) => (each?.endsAt ?? 0) > (held[at]?.endsAt ?? 0)).length
  }
  const [doomed, other] = await Promise.all([startGatewayProcess(environment), startGatewayProcess(environment)])
  await expect.poll(renewed, { timeout: PATIENCE_MS, interval: 5 }).toBeGreaterThan(0)
  await doomed.kill()
  await other.kill()
  const after = await startGatewayProcess(environment)
  await expect.poll(renewed, { timeout: PATIENCE_MS }).toBe(SUBSCRIPTIONS)
  await after.stop()
  for (const { id, accountId, endsAt } of held) {
    expect((await store.subscriptions.find(id))?.endsAt).toBe(endsAt + 30 * DAY_MS)
    expect(formatUsd(await store.ledger.balance(accountId))).toBe('30')
  }
  const { code, stdout } = await runTollgate(environment, ['check-ledger'])
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, expect.stringMatching(/^ok/)])
})
