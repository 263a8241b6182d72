import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '../../src/access/api-key.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { balanceBudget, type Budget, keySpendBudget, windowRowId } from '../../src/metering/budgets/budget.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import {
  aKey,
  aPosting,
  aRecord,
  aSecret,
  aSettlement,
  fundedAccount,
  grant,
  leaseFor,
  NOON,
  noonClock,
  quotaOf,
  runningSubscription,
} from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const HOUR_MS = 3_600_000

/** Alerts that no charge gives rise to. */
describe.each(ENGINES)('an alert on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(async () => {
    expect((await store.ledger.prove()).disagreements).toEqual([])
    await place.leave()
  })

  const alertsOf = (subjectId: string) =>
    place.sql(
      `select id, percent, limit_nano as "limit", used_nano as used, window_ms, resets_at, created_at
       from alerts where subject_id = '${subjectId}' order by id`,
    )
  const percentsOf = async (subjectId: string) => {
    const lines = await place.sql(
      `select percent || '% of ' || limit_nano || ': ' || used_nano as line
       from alerts where subject_id = '${subjectId}' order by id`,
    )
    return lines.map(({ line }) => line)
  }

  async function aQuota(limit: bigint) {
    const account = await fundedAccount(store, '100')
    const key: ApiKey = {
      ...aKey(account.id, { quotaLimit: nanoUsd(limit) }),
      status: 'active',
      statusChangedAt: NOON,
      secretStart: '',
      secretEnd: '',
      overlap: null,
    }
    await store.keys.create(key, aSecret())
    return { account, key, quota: quotaOf(key.id, nanoUsd(limit)) }
  }

  /** Charges it through a lease that is closed then, so that nothing of it is held. */
  async function charge(budget: Budget, accountId: string, cost: bigint): Promise<void> {
    const lease = await leaseFor(store, budget, { need: cost })
    const quota = { budgetId: lease.budgetId, leaseId: lease.id, cost: nanoUsd(cost) }
    await store.settlements.settle([aSettlement(accountId, cost, { quota })])
    await store.leases.close('nod_a', [lease.id])
  }

  async function spend(accountId: string, cost: bigint): Promise<void> {
    await store.settlements.settle([aSettlement(accountId, cost)])
  }

  describe('of a refused request', () => {
    test('says once that a quota is used up, with what is left of it', async () => {
      const { account, key, quota } = await aQuota(100n)
      await charge(quota, account.id, 79n)
      expect(await grant(store, quota, { need: 21n })).toMatchObject({ kind: 'granted' })
      await store.leases.closeOfNodes(['nod_a'])
      for (let i = 0; i < 3; i++) {
        expect(await grant(store, quota, { need: 22n, nowMs: NOON + i })).toMatchObject({ kind: 'refused' })
      }
      expect((await alertsOf(key.id)).map((alert) => ({ ...alert }))).toEqual([
        {
          id: `${quota.id}:100:100`,
          percent: 100n,
          limit: 100n,
          used: 79n,
          window_ms: null,
          resets_at: null,
          created_at: BigInt(NOON),
        },
        expect.objectContaining({ id: `${quota.id}:100:50` }),
      ])
      await charge(quota, account.id, 21n)
      expect(await percentsOf(key.id)).toEqual(['100% of 100: 79', '50% of 100: 79'])
    })

    test('says nothing while only what nodes hold stands in the way, and nothing of what a key may spend', async () => {
      const { account, key, quota } = await aQuota(100n)
      const spending = keySpendBudget(key.id, nanoUsd(100n), '5h')
      await charge(quota, account.id, 40n)
      await leaseFor(store, quota, { need: 60n, nodeId: 'nod_b' })
      expect(await grant(store, quota, { need: 60n })).toMatchObject({ kind: 'refused' })
      expect(await grant(store, spending, { need: 101n })).toMatchObject({ kind: 'refused' })
      expect(await alertsOf(key.id)).toEqual([])
      await grant(store, quota, { need: 61n })
      expect(await percentsOf(key.id)).toEqual(['100% of 100: 40'])
    })

    test('counts what the asking node holds itself, and says nothing while no request waits', async () => {
      const { account, key, quota } = await aQuota(100n)
      await charge(quota, account.id, 40n)
      await leaseFor(store, quota, { need: 60n })
      await grant(store, quota, { need: 40n, forRequest: null })
      await grant(store, quota, { need: 1n, forRequest: 60n })
      expect(await alertsOf(key.id)).toEqual([])
      await grant(store, quota, { need: 1n, forRequest: 61n })
      expect(await percentsOf(key.id)).toEqual(['100% of 100: 40'])
    })

    test('of a subscription names its window, and comes again with the next', async () => {
      const account = await fundedAccount(store, '1')
      const { subscription, windows } = await runningSubscription(store, account.id, { limits: { '5h': 100n } })
      const [window] = windows
      if (window === undefined) throw new Error('there is no window')
      const lease = await leaseFor(store, window, { need: 40n })
      const paid = nanoUsd(40n)
      const payment = { balancePaid: nanoUsd(0n), subscriptionsPaid: [{ subscriptionId: subscription.id, paid }] }
      const record = aRecord(account.id, 40n, { ...payment, totalMs: 5 })
      await store.settlements.settle([
        { record, charges: [{ budgetId: lease.budgetId, leaseId: lease.id, cost: paid }] },
      ])
      const endsAt = NOON + 5 + 5 * HOUR_MS
      await grant(store, window, { need: 61n })
      await grant(store, window, { need: 61n })
      await grant(store, window, { need: 101n, nowMs: endsAt })
      expect(await alertsOf(subscription.id)).toMatchObject([
        { id: `${windowRowId(window.id, 1)}:100:100`, window_ms: BigInt(5 * HOUR_MS), resets_at: BigInt(endsAt) },
        { id: `${windowRowId(window.id, 2)}:100:100`, used: 0n, resets_at: null },
      ])
    })

    test('of many nodes at once is one', async () => {
      const { quota, key } = await aQuota(100n)
      const nodes = await Promise.all(Array.from({ length: 4 }, () => place.open()))
      const asking = nodes.flatMap((node, index) =>
        Array.from({ length: 5 }, () => grant(node, quota, { need: 101n, nodeId: `nod_${index}` })),
      )
      expect((await Promise.all(asking)).every(({ kind }) => kind === 'refused')).toBe(true)
      expect(await percentsOf(key.id)).toEqual(['100% of 100: 0'])
    })

    test('says that a balance is low, once until it is raised', async () => {
      const account = await fundedAccount(store, '1.5')
      const balance = balanceBudget(account.id)
      const refused = async () =>
        expect(await grant(store, balance, { need: 10n ** 10n })).toMatchObject({ kind: 'refused' })
      const idOf = (entry: number) => ({ id: `${balance.id}:low:${String(entry).padStart(12, '0')}` })
      await refused()
      await spend(account.id, 5n)
      await refused()
      expect(await alertsOf(account.id)).toMatchObject([{ ...idOf(1), percent: null, limit: 1_500_000_000n, used: 0n }])
      await store.ledger.post(aPosting(account.id, '0.000000001'))
      await refused()
      await refused()
      expect(await alertsOf(account.id)).toMatchObject([idOf(1), { ...idOf(3), used: 5n }])
      await store.ledger.post(aPosting(account.id, '-0.1'))
      await refused()
      expect(await alertsOf(account.id)).toHaveLength(2)
      await store.ledger.post(aPosting(account.id, '0.05'))
      await refused()
      await refused()
      expect(await alertsOf(account.id)).toMatchObject([idOf(1), idOf(3), idOf(5)])
    })

    test('after a charge said that a balance is low is none', async () => {
      const account = await fundedAccount(store, '1.000000001')
      await spend(account.id, 5n)
      await spend(account.id, 5n)
      await grant(store, balanceBudget(account.id), { need: 10n ** 10n })
      expect(await alertsOf(account.id)).toMatchObject([{ used: 5n }])
    })

    test('is none for a balance that others hold, that was never paid into, or without an alert line', async () => {
      const [held, unasked] = [await fundedAccount(store, '5'), await fundedAccount(store, '5')]
      await leaseFor(store, balanceBudget(held.id), { need: 5_000_000_000n, nodeId: 'nod_b' })
      await grant(store, balanceBudget(held.id), { need: 5_000_000_000n })
      const empty = await fundedAccount(store, '0')
      await grant(store, balanceBudget(empty.id), { need: 1n })
      const where = { databaseUrl: place.databaseUrl, dataDirectory: place.directory, clock: noonClock }
      const silent = await openStore({ ...where, lowBalance: null })
      await grant(silent, balanceBudget(unasked.id), { need: 6_000_000_000n })
      await silent.ledger.post(aPosting(unasked.id, '-4.5'))
      await silent.close()
      for (const { id } of [held, unasked, empty]) expect(await alertsOf(id)).toEqual([])
    })
  })

  describe('of a limit that is moved', () => {
    const move = (key: ApiKey, limit: bigint) => store.keys.update({ ...key, quotaLimit: nanoUsd(limit) })

    test('down says which line is reached, once for each limit', async () => {
      const { account, key, quota } = await aQuota(1_000n)
      await charge(quota, account.id, 91n)
      await move(key, 200n)
      expect(await alertsOf(key.id)).toEqual([])
      for (const limit of [100n, 1_000n, 100n]) await move(key, limit)
      expect(await percentsOf(key.id)).toEqual(['80% of 100: 91'])
      await move(key, 90n)
      expect(await percentsOf(key.id)).toEqual(['80% of 100: 91', '100% of 90: 91'])
    })

    test('up has lines of its own, for charges and refusals', async () => {
      const { account, key, quota } = await aQuota(100n)
      await charge(quota, account.id, 95n)
      await grant(store, quota, { need: 6n })
      await move(key, 1_000n)
      const raised = quotaOf(key.id, nanoUsd(1_000n))
      for (const cost of [405n, 300n]) await charge(raised, account.id, cost)
      await grant(store, raised, { need: 201n })
      expect(await percentsOf(key.id)).toEqual([
        '100% of 1000: 800',
        '50% of 1000: 500',
        '80% of 1000: 800',
        '100% of 100: 95',
        '80% of 100: 95',
      ])
    })
  })

  test('of an adjustment says that it took a balance below the line', async () => {
    const account = await fundedAccount(store, '3')
    for (const usd of ['-1', '-1.000000001', '-0.5']) await store.ledger.post(aPosting(account.id, usd))
    expect(await alertsOf(account.id)).toMatchObject([
      { id: `balance:${account.id}:low:000000000003`, limit: 999_999_999n, used: 0n, created_at: BigInt(NOON) },
    ])
  })
})
