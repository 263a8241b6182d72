import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateLimit } from '../../src/access/key-settings.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { windowMs } from '../../src/core/quota-window.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import {
  balanceBudget,
  type Budget,
  keyQuotaBudget,
  keySpendBudget,
  subscriptionBudget,
  windowRowId,
} from '../../src/metering/budgets/budget.ts'
import type { Store } from '../../src/store/store.ts'
import {
  aKey,
  aSecret,
  aSettlement,
  fundedAccount,
  grant,
  leaseFor,
  NOON,
  quotaOf,
  runningSubscription,
} from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'

const HOURS_5 = windowMs('5h')
/** What `aRecord` says of when a request was over. */
const CHARGED = NOON + 12

describe.each(ENGINES)('windows on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  async function spender(spend: RateLimit['spend'] = [{ window: '5h', usd: nanoUsd(1_000n) }]) {
    const account = await fundedAccount(store, '1')
    const key = aKey(account.id, { rateLimit: rateLimit(spend) })
    await store.keys.create(key, aSecret())
    return { accountId: account.id, key, budget: keySpendBudget(key.id, nanoUsd(1_000n), '5h') }
  }

  /** Charges a row from this lease. */
  async function charge(accountId: string, rowId: string, from: { leaseId: string | null; cost: bigint }) {
    const quota = { budgetId: rowId, leaseId: from.leaseId, cost: nanoUsd(from.cost) }
    await store.settlements.settle([aSettlement(accountId, from.cost, { quota })])
  }

  async function rowsOf(budget: Budget) {
    const rows = await place.sql(
      `select id, limit_nano as "limit", used_nano as used, ends_at, window_ms from budgets
       where id > '${budget.id}:' and id < '${budget.id};' order by id`,
    )
    return rows
  }

  test('the first grant makes the first row, which ends never as long as nothing is charged', async () => {
    const { budget } = await spender()
    const answer = await grant(store, budget, { need: 10n })
    expect(answer).toMatchObject({
      kind: 'granted',
      endsAt: null,
      lease: { budgetId: windowRowId(budget.id, 1), granted: 10n },
    })
    const later = await grant(store, budget, { need: 5n, nowMs: NOON + 10 * HOURS_5 })
    expect(later).toMatchObject({ endsAt: null, lease: { budgetId: windowRowId(budget.id, 1), granted: 15n } })
    expect(await rowsOf(budget)).toMatchObject([{ ends_at: null, window_ms: BigInt(HOURS_5) }])
  })

  test('the first charge opens it; a grant after its end makes the next row, with the whole limit', async () => {
    const { accountId, budget } = await spender()
    const [one, two] = [windowRowId(budget.id, 1), windowRowId(budget.id, 2)]
    const lease = await leaseFor(store, budget, { need: 900n })
    await charge(accountId, one, { leaseId: lease.id, cost: 600n })
    const endsAt = CHARGED + HOURS_5
    expect(await store.leases.active('nod_a', [lease.id])).toEqual(new Map([[lease.id, { endsAt, usedElsewhere: 0n }]]))
    const nowMs = endsAt - 1
    expect(await grant(store, budget, { need: 101n, nodeId: 'nod_b', nowMs })).toEqual({
      kind: 'refused',
      limit: 1_000n,
      available: 100n,
      used: 600n,
      endsAt,
    })
    const next = await grant(store, budget, { need: 1_000n, nodeId: 'nod_b', nowMs: endsAt })
    expect(next).toMatchObject({ kind: 'granted', endsAt: null, lease: { budgetId: two, granted: 1_000n } })
    // The lease on the first row is another one, and still there.
    await charge(accountId, one, { leaseId: lease.id, cost: 300n })
    expect(await readBudget(place, one)).toMatchObject({ used: 900n, held: 0n, overrun: 0n })
    expect(await readBudget(place, two)).toMatchObject({ used: 0n, held: 1_000n })
    expect(await rowsOf(budget)).toMatchObject([{ ends_at: BigInt(endsAt) }, { ends_at: null }])
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('the next row has the limit that the key has now, whatever the node remembers', async () => {
    const { accountId, key, budget } = await spender()
    const stored = await storedKey(key.id)
    await store.keys.update({ ...stored, rateLimit: rateLimit([{ window: '5h', usd: nanoUsd(70n) }]) })
    expect(await grant(store, budget, { need: 100n })).toMatchObject({ limit: 70n, available: 70n })
    await charge(accountId, windowRowId(budget.id, 1), { leaseId: null, cost: 70n })
    await store.keys.update({ ...stored, rateLimit: rateLimit([{ window: '1d', usd: nanoUsd(5n) }]) })
    // This limit was taken away: what the request came with holds.
    expect(await grant(store, budget, { need: 1_001n, nowMs: NOON + 2 * HOURS_5 })).toMatchObject({ limit: 1_000n })
    expect((await rowsOf(budget)).map((row) => row['limit'])).toEqual([70n, 1_000n])
  })

  test('a limit that is moved moves what is running, and no window or period that is over', async () => {
    const { accountId, key, budget } = await spender([
      { window: '5h', usd: nanoUsd(1_000n) },
      { window: '7d', usd: nanoUsd(3_000n) },
    ])
    const week = keySpendBudget(key.id, nanoUsd(3_000n), '7d')
    const quota = quotaOf(key.id, nanoUsd(500n))
    const yesterday = keyQuotaBudget(key.id, nanoUsd(500n), {
      reset: 'daily',
      startsAt: NOON - 86_400_000,
      endsAt: NOON - 1,
    })
    for (const each of [week, quota, yesterday]) await leaseFor(store, each, { need: 400n })
    await leaseFor(store, budget, { need: 10n })
    await charge(accountId, windowRowId(budget.id, 1), { leaseId: null, cost: 900n })
    await place.sql(`update budgets set ends_at = ${NOON} where id = '${windowRowId(budget.id, 1)}'`)
    await leaseFor(store, budget, { need: 10n })
    const spend = [
      { window: '5h', usd: nanoUsd(2_000n) },
      { window: '7d', usd: nanoUsd(100n) },
    ] as const
    await store.keys.update({ ...(await storedKey(key.id)), quotaLimit: nanoUsd(450n), rateLimit: rateLimit(spend) })
    const limits = async (each: Budget) => (await rowsOf(each)).map((row) => row['limit'])
    expect(await limits(budget)).toEqual([1_000n, 2_000n])
    expect(await readBudget(place, windowRowId(week.id, 1))).toMatchObject({ limit: 100n, held: 0n, overrun: 0n })
    expect(await readBudget(place, quota.id)).toMatchObject({ limit: 450n })
    expect(await readBudget(place, yesterday.id)).toMatchObject({ limit: 500n })
    // What is taken away moves nothing, and keeps nothing else from moving.
    const only7d = rateLimit([{ window: '7d', usd: nanoUsd(150n) }])
    await store.keys.update({ ...(await storedKey(key.id)), quotaLimit: null, rateLimit: only7d })
    expect(await limits(budget)).toEqual([1_000n, 2_000n])
    expect(await readBudget(place, windowRowId(week.id, 1))).toMatchObject({ limit: 150n })
    expect(await readBudget(place, quota.id)).toMatchObject({ limit: 450n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a subscription grants while it runs, from its own quotas, and nothing once it is cancelled or over', async () => {
    const account = await fundedAccount(store, '1')
    const running = await runningSubscription(store, account.id, { limits: { '5h': 300n, '30d': 800n } })
    const remembered = subscriptionBudget(running.subscription.id, nanoUsd(999n), '5h')
    expect(await grant(store, remembered, { need: 301n })).toMatchObject({ limit: 300n, available: 300n })
    await leaseFor(store, remembered, { need: 200n })
    const nothing = { kind: 'refused', limit: 999n, available: 0n, used: 0n, endsAt: null }
    const { endsAt, startsAt } = running.subscription
    expect(await grant(store, remembered, { need: 1n, nowMs: endsAt })).toEqual(nothing)
    expect(await grant(store, remembered, { need: 1n, nowMs: startsAt - 1 })).toEqual(nothing)
    expect(await grant(store, remembered, { need: 1n, nowMs: endsAt - 1 })).toMatchObject({ kind: 'granted' })
    await store.subscriptions.cancel(running.subscription.id, NOON)
    for (const each of [remembered, ...running.windows]) {
      expect(await grant(store, each, { need: 1n })).toMatchObject({ kind: 'refused', available: 0n })
    }
    expect(await rowsOf(remembered)).toHaveLength(1)
    expect(await grant(store, subscriptionBudget('sub_none', nanoUsd(9n), '5h'), { need: 1n })).toMatchObject({
      kind: 'refused',
      available: 0n,
    })
  })

  test('many nodes that ask for a new window at the same moment get one row, and no more than its limit', async () => {
    const nodes = [store, await place.open(), await place.open(), await place.open()]
    const { accountId, budget } = await spender()
    for (let round = 1; round <= 4; round++) {
      const rowId = windowRowId(budget.id, round)
      const nowMs = NOON + (round - 1) * 2 * HOURS_5
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          grant(nodes[i % nodes.length] ?? store, budget, { need: 150n, nodeId: `nod_w${i}`, nowMs }),
        ),
      )
      const granted = answers.filter((answer) => answer.kind === 'granted')
      expect(granted.map(({ lease }) => lease.budgetId)).toEqual(Array.from({ length: 6 }, () => rowId))
      expect(await rowsOf(budget)).toHaveLength(round)
      const record = { createdAt: nowMs }
      const quota = { budgetId: rowId, leaseId: granted[0]?.lease.id ?? null, cost: nanoUsd(150n) }
      await store.settlements.settle([aSettlement(accountId, 150n, { quota, record })])
    }
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('limits that move while nodes ask for new windows end up in every row', async () => {
    const nodes = [await place.open(), await place.open(), await place.open()]
    const { accountId, key, budget } = await spender()
    const stored = await storedKey(key.id)
    for (let round = 1; round <= 8; round++) {
      const limit = nanoUsd(BigInt(1_000 + round))
      const nowMs = NOON + (round - 1) * 2 * HOURS_5
      await Promise.all([
        store.keys.update({ ...stored, rateLimit: rateLimit([{ window: '5h', usd: limit }]) }),
        ...nodes.map((node, i) => grant(node, budget, { need: 1n, nodeId: `nod_l${i}`, nowMs })),
      ])
      expect(await readBudget(place, windowRowId(budget.id, round))).toMatchObject({ limit })
      const quota = { budgetId: windowRowId(budget.id, round), leaseId: null, cost: nanoUsd(1n) }
      await store.settlements.settle([aSettlement(accountId, 1n, { quota, record: { createdAt: nowMs } })])
    }
  })

  test('a limit lowered below what is used and held closes the leases, and what was running comes on top', async () => {
    const { accountId, key, budget } = await spender()
    const row = windowRowId(budget.id, 1)
    const leases = [
      await leaseFor(store, budget, { need: 500n }),
      await leaseFor(store, budget, { need: 200n, nodeId: 'nod_b' }),
    ]
    await charge(accountId, row, { leaseId: leases[0]?.id ?? null, cost: 300n })
    const lowered = { ...(await storedKey(key.id)), rateLimit: rateLimit([{ window: '5h', usd: nanoUsd(400n) }]) }
    await store.keys.update(lowered)
    expect(await readBudget(place, row)).toMatchObject({ limit: 400n, used: 300n, held: 0n, overrun: 0n })
    expect(await store.leases.active('nod_a', [leases[0]?.id ?? ''])).toEqual(new Map())
    expect(await grant(store, budget, { need: 101n })).toMatchObject({ kind: 'refused', available: 100n })
    await charge(accountId, row, { leaseId: leases[1]?.id ?? null, cost: 150n })
    expect(await readBudget(place, row)).toMatchObject({ used: 450n, held: 0n, overruns: 1n, overrun: 150n })
    expect(await grant(store, budget, { need: 1n })).toMatchObject({ kind: 'refused', available: 0n })
    // A limit that leaves enough for what is held takes nothing away, nor does a change of something else.
    await store.keys.update({ ...lowered, rateLimit: rateLimit([{ window: '5h', usd: nanoUsd(900n) }]) })
    const kept = await leaseFor(store, budget, { need: 250n })
    const roomy = { ...lowered, rateLimit: rateLimit([{ window: '5h', usd: nanoUsd(700n) }]) }
    await store.keys.update(roomy)
    await store.keys.update({ ...roomy, name: 'desk' })
    expect(await readBudget(place, row)).toMatchObject({ limit: 700n, held: 250n })
    await charge(accountId, row, { leaseId: kept.id, cost: 250n })
    expect(await readBudget(place, row)).toMatchObject({ used: 700n, held: 0n, overrun: 150n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a subscription that is cancelled leaves no node a lease on any of its windows', async () => {
    const account = await fundedAccount(store, '1')
    const { subscription, windows } = await runningSubscription(store, account.id, {
      limits: { '5h': 300n, '30d': 800n },
    })
    const leases = []
    for (const window of windows) leases.push(await leaseFor(store, window, { need: 200n }))
    await store.subscriptions.cancel(subscription.id, NOON)
    expect(
      await store.leases.active(
        'nod_a',
        leases.map(({ id }) => id),
      ),
    ).toEqual(new Map())
    for (const { budgetId } of leases) expect(await readBudget(place, budgetId)).toMatchObject({ used: 0n, held: 0n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a window that a clock a year ahead opened is over, and one that a clock a little ahead opened is not', async () => {
    const { accountId, key, budget } = await spender()
    const year = 365 * 86_400_000
    const chargedAhead = (rowId: string, aheadMs: number) =>
      store.settlements.settle([
        aSettlement(accountId, 900n, {
          quota: { budgetId: rowId, leaseId: null, cost: nanoUsd(900n) },
          record: { createdAt: NOON + aheadMs },
        }),
      ])
    await leaseFor(store, budget, { need: 50n, nowMs: NOON + year })
    await chargedAhead(windowRowId(budget.id, 1), year)
    expect(await store.budgets.states([budget], NOON)).toMatchObject([{ used: 0n, endsAt: null }])
    const next = await leaseFor(store, budget, { need: 100n })
    expect(next.budgetId).toBe(windowRowId(budget.id, 2))
    await chargedAhead(next.budgetId, 3_500_000)
    expect(await store.budgets.states([budget], NOON)).toMatchObject([{ used: 900n }])
    expect(await grant(store, budget, { need: 200n })).toMatchObject({ kind: 'refused', limit: 1_000n })
    await store.keys.update({
      ...(await storedKey(key.id)),
      rateLimit: rateLimit([{ window: '5h', usd: nanoUsd(2_000n) }]),
    })
    expect((await rowsOf(budget)).map((row) => row['limit'])).toEqual([1_000n, 2_000n])
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a lease is lowered by what its node gives back, and not when the node learned otherwise meanwhile', async () => {
    const { accountId, budget } = await spender()
    const row = windowRowId(budget.id, 1)
    const { id } = await leaseFor(store, budget, { need: 500n })
    await charge(accountId, row, { leaseId: id, cost: 100n })
    const shrink = (from: bigint, to: bigint, nodeId = 'nod_a') =>
      store.leases.shrink(nodeId, [{ leaseId: id, from: nanoUsd(from), to: nanoUsd(to) }])
    expect(await shrink(500n, 300n, 'nod_b')).toEqual(new Map())
    expect(await shrink(499n, 300n)).toEqual(new Map([[id, 500n]]))
    expect(await shrink(500n, 600n)).toEqual(new Map([[id, 500n]]))
    expect(await shrink(500n, 300n)).toEqual(new Map([[id, 300n]]))
    expect(await readBudget(place, row)).toMatchObject({ used: 100n, held: 200n })
    expect(await shrink(300n, 40n)).toEqual(new Map([[id, 100n]]))
    expect(await readBudget(place, row)).toMatchObject({ used: 100n, held: 0n })
    const raised = await leaseFor(store, budget, { need: 70n })
    expect(raised).toMatchObject({ id, granted: 170n })
    await charge(accountId, row, { leaseId: id, cost: 70n })
    expect(await readBudget(place, row)).toMatchObject({ used: 170n, held: 0n, overrun: 0n })
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('a state says limit, used, held and end, and of what is over or was never used its beginning', async () => {
    const { accountId, key, budget } = await spender()
    const balance = balanceBudget(accountId)
    const quota = quotaOf(key.id, nanoUsd(500n))
    const week = keySpendBudget(key.id, nanoUsd(3_000n), '7d')
    const none = balanceBudget('acc_none')
    const lease = await leaseFor(store, budget, { need: 800n })
    await leaseFor(store, quota, { need: 20n })
    await charge(accountId, lease.budgetId, { leaseId: lease.id, cost: 600n })
    const asked = [balance, week, budget, none, quota]
    const endsAt = CHARGED + HOURS_5
    const unused = (limit: bigint) => ({ limit, used: 0n, held: 0n, endsAt: null })
    const others = [unused(0n), { limit: 500n, used: 0n, held: 20n, endsAt: null }]
    const ofBalance = { limit: 1_000_000_000n, used: 600n, held: 0n, endsAt: null }
    expect(await store.budgets.states(asked, endsAt - 1)).toEqual([
      ofBalance,
      unused(3_000n),
      { limit: 1_000n, used: 600n, held: 200n, endsAt },
      ...others,
    ])
    expect(await store.budgets.states(asked, endsAt)).toEqual([ofBalance, unused(3_000n), unused(1_000n), ...others])
    await leaseFor(store, budget, { need: 7n, nowMs: endsAt })
    expect(await store.budgets.states([budget], endsAt)).toEqual([{ limit: 1_000n, used: 0n, held: 7n, endsAt: null }])
    expect(await store.budgets.states([], NOON)).toEqual([])
    const many = Array.from({ length: 250 }, () => keySpendBudget(newId('key', NOON), nanoUsd(9n), '1d'))
    const states = await store.budgets.states([...many, budget], NOON)
    expect(states.at(-1)).toMatchObject({ held: 7n })
    expect(states.slice(0, -1)).toEqual(many.map(() => unused(9n)))
  })

  async function storedKey(id: string) {
    const key = await store.keys.findById(id)
    if (key === null) throw new Error('the key is there')
    return key
  }
})

function rateLimit(spend: RateLimit['spend']): RateLimit {
  return { ...NO_COUNTS, spend }
}
