import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Subscription, subscriptionTo } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { readSubscriptions } from '../../src/entitlement/key-funds.ts'
import { subscriptionBudget } from '../../src/metering/budgets/budget.ts'
import type { Store } from '../../src/store/store.ts'
import { fundedAccount, grant, leaseFor, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

const DAY_MS = 86_400_000
const PACKAGE = {
  id: 'pln_package',
  name: 'package',
  groupIds: ['grp_default'],
  opensGroups: true,
  days: 90,
  quotas: [{ window: 'term' as const, usd: nanoUsd(1_000n) }],
}

/** A plan with one quota for the whole life of its subscription: a package that is paid in advance. */
describe.each(ENGINES)('a quota for the whole term on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  async function sold(): Promise<Subscription> {
    const account = await fundedAccount(store, '0')
    const subscription = subscriptionTo(PACKAGE, { id: newId('sub', NOON), accountId: account.id, nowMs: NOON })
    await store.subscriptions.open(subscription)
    return subscription
  }

  function budgetOf({ id }: Subscription, usd = 1_000n) {
    return subscriptionBudget(id, nanoUsd(usd), 'term')
  }

  async function stateOf({ id }: Subscription) {
    const found = await store.subscriptions.find(id)
    const [state] = await readSubscriptions(found === null ? [] : [found], store.budgets, NOON)
    return state?.windows
  }

  test('does not come back with any day of the term, and pays for nothing after it', async () => {
    const subscription = await sold()
    const budget = budgetOf(subscription)
    expect(await stateOf(subscription)).toMatchObject([{ window: 'term', state: { limit: 1_000n, used: 0n } }])
    expect(await leaseFor(store, budget, { need: 900n })).toMatchObject({ granted: 900n, budgetId: budget.id })
    const late = { need: 101n, nodeId: 'nod_b', nowMs: NOON + 89 * DAY_MS }
    expect(await grant(store, budget, late)).toMatchObject({ kind: 'refused', available: 100n, endsAt: null })
    expect(await grant(store, budget, { ...late, need: 100n })).toMatchObject({ kind: 'granted' })
    const over = { need: 1n, nodeId: 'nod_c', nowMs: subscription.endsAt }
    expect(await grant(store, budget, over)).toMatchObject({ kind: 'refused', available: 0n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('grows by what a renewal adds, whether anything was drawn from it or not; what was left stays', async () => {
    for (const need of [0n, 600n]) {
      const subscription = await sold()
      if (need > 0n) await leaseFor(store, budgetOf(subscription), { need })
      await store.subscriptions.renew(subscription.id, { days: 90, termUsd: nanoUsd(500n) }, NOON)
      expect(await store.subscriptions.find(subscription.id)).toMatchObject({
        quotas: [{ window: 'term', usd: 1_500n }],
        endsAt: NOON + 180 * DAY_MS,
      })
      expect(await stateOf(subscription)).toMatchObject([{ state: { limit: 1_500n, held: need } }])
      const rest = { need: 1_500n - need, nodeId: 'nod_b' }
      expect(await grant(store, budgetOf(subscription), rest)).toMatchObject({ kind: 'granted' })
      await store.subscriptions.renew(subscription.id, { days: 5, termUsd: null }, NOON)
      expect(await readBudget(place, budgetOf(subscription).id)).toMatchObject({ limit: 1_500n })
    }
  })

  test('is beside windows, and what nodes hold of it is closed when the subscription is cancelled', async () => {
    const account = await fundedAccount(store, '0')
    const quotas = [{ window: '5h' as const, usd: nanoUsd(10n) }, ...PACKAGE.quotas]
    const made = subscriptionTo({ ...PACKAGE, quotas }, { id: newId('sub', NOON), accountId: account.id, nowMs: NOON })
    await store.subscriptions.open(made)
    const lease = await leaseFor(store, budgetOf(made), { need: 100n })
    expect((await stateOf(made))?.map(({ window }) => window)).toEqual(['5h', 'term'])
    await store.subscriptions.cancel(made.id, NOON)
    expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map())
    expect(await grant(store, budgetOf(made), { need: 1n })).toMatchObject({ kind: 'refused' })
  })
})
