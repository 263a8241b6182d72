import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '../../src/access/api-key.ts'
import { isRunning, type Subscription } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { windowMs } from '../../src/core/quota-window.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import { balanceBudget, keySpendBudget } from '../../src/metering/budgets/budget.ts'
import type { Charge } from '../../src/metering/settle/settlement.ts'
import type { Store } from '../../src/store/store.ts'
import { atLeastZero, available, held, ModelBudget, type ModelLease, type ModelRow } from './budget-model.ts'
import {
  aKey,
  aPosting,
  aRecord,
  aSecret,
  fundedAccount,
  grant,
  NOON,
  quotaOf,
  runningSubscription,
} from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'
import { runsInSuite } from '../support/run/suite.ts'

interface World {
  readonly stores: readonly [Store, Store]
  readonly place: Place
  readonly accountId: string
  readonly subscription: Subscription
  /** The first pays, or the subscription does; the key's are charged either way. */
  readonly balance: ModelBudget
  readonly quota: ModelBudget
  readonly spend: ModelBudget
  readonly subscribed: ModelBudget
  key: ApiKey
  isCancelled: boolean
  now: number
}

const NODES = ['nod_1', 'nod_2', 'nod_3'] as const
const BUDGETS = ['balance', 'quota', 'spend', 'subscribed'] as const
const TOTAL_MS = 12

type Act = (world: World) => Promise<void>

const nodeIds = fc.constantFrom(...NODES)
const which = fc.constantFrom(...BUDGETS)
const amounts = fc.bigInt({ min: 1n, max: 400n })

const granting = fc
  .record({ which, nodeId: nodeIds, need: amounts, more: amounts })
  .map((wish): Act => async (world) => {
    const model = world[wish.which]
    const { nodeId, need } = wish
    const want = need + wish.more
    const answer = await grant(storeOf(world, nodeId), model.budget, { need, want, nodeId, nowMs: world.now })
    if (wish.which === 'subscribed' && (world.isCancelled || !isRunning(world.subscription, world.now))) {
      expect(answer).toEqual({
        kind: 'refused',
        limit: model.budget.openingLimit,
        available: 0n,
        used: 0n,
        endsAt: null,
      })
      return
    }
    const newLeaseId = answer.kind === 'granted' ? answer.lease.id : 'lse_none'
    const expected = model.grant({ nodeId, newLeaseId, need, want, nowMs: world.now })
    if (expected.kind === 'refused') {
      expect(answer).toEqual(expected)
      return
    }
    const { row, lease } = expected
    expect(answer).toEqual({
      kind: 'granted',
      lease: { id: lease.id, budgetId: row.id, granted: lease.granted },
      ...standing(row, lease),
    })
    expect(row.used + held(row)).toBeLessThanOrEqual(row.limit + row.uncovered)
  })

/** One batch of requests, each charged to some rows of its budgets, from some lease (open, or closed long ago) or from none. */
const settling = fc
  .array(fc.record({ cost: fc.bigInt({ min: 0n, max: 90n }), pick: fc.nat(20), isSubscribed: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((requests): Act => async (world) => {
    let overruns = 0
    const batch = requests.map(({ cost, pick, isSubscribed: mayBe }) => {
      const isSubscribed = mayBe && world.subscribed.newest !== undefined
      const payer = isSubscribed ? world.subscribed : world.balance
      const charges: Charge[] = []
      for (const model of [payer, world.quota, world.spend]) {
        const row = model.rows[pick % Math.max(model.rows.length, 1)]
        if (row === undefined) continue
        const leaseId = someLease(row, pick)
        const wasActive = model.charge(row, { leaseId, cost, chargedAtMs: world.now + TOTAL_MS })
        if (cost > 0n && !wasActive) overruns += 1
        charges.push({ budgetId: row.id, leaseId, cost: nanoUsd(cost) })
      }
      const paid = { subscriptionId: world.subscription.id, paid: nanoUsd(cost) }
      const record = aRecord(world.accountId, cost, {
        createdAt: world.now,
        totalMs: TOTAL_MS,
        keyId: world.key.id,
        balancePaid: nanoUsd(isSubscribed ? 0n : cost),
        subscriptionsPaid: isSubscribed && cost > 0n ? [paid] : [],
      })
      return { record, charges }
    })
    expect(await world.stores[0].settlements.settle(batch)).toEqual({ overruns })
    expect(await world.stores[1].settlements.settle(batch)).toEqual({ overruns: 0 })
  })

function someLease(row: ModelRow, pick: number): string | null {
  const known = [...row.leases.map((lease) => lease.id), ...row.closed]
  return known[pick % (known.length + 1)] ?? null
}

const closing = fc.record({ which, pick: fc.nat(5) }).map(({ which: name, pick }): Act => async (world) => {
  const leases = world[name].leases()
  const lease = leases[pick % (leases.length + 1)]?.lease
  const nodeId = lease?.nodeId ?? 'nod_1'
  await storeOf(world, nodeId).leases.close(nodeId, [lease?.id ?? 'lse_none'])
  world[name].close((each) => each === lease)
})

/** Shrinks the grant that the node knows, or the one before that. */
const shrinking = fc
  .record({ which, pick: fc.nat(5), isStale: fc.boolean(), to: fc.bigInt({ min: 0n, max: 300n }) })
  .map(({ which: name, pick, isStale, to }): Act => async (world) => {
    const leases = world[name].leases()
    const { lease } = leases[pick % Math.max(leases.length, 1)] ?? {}
    if (lease === undefined) return
    const { nodeId, id: leaseId } = lease
    const from = isStale ? lease.granted - 1n : lease.granted
    const wishes = [
      { leaseId, from: nanoUsd(from), to: nanoUsd(to) },
      { leaseId: 'lse_none', from: nanoUsd(1n), to: nanoUsd(0n) },
    ]
    const other = NODES.find((id) => id !== nodeId) ?? nodeId
    expect(await storeOf(world, other).leases.shrink(other, wishes)).toEqual(new Map())
    const granted = await storeOf(world, nodeId).leases.shrink(nodeId, wishes)
    expect(granted).toEqual(new Map([[leaseId, world[name].shrink(lease, { from, to })]]))
  })

const dying = fc.uniqueArray(nodeIds, { minLength: 1, maxLength: 2 }).map((dead): Act => async (world) => {
  const closed = await world.stores[0].leases.closeOfNodes(dead)
  const expected = BUDGETS.map((name) => world[name].close((lease) => dead.some((id) => id === lease.nodeId)))
  expect(closed).toBe(expected.reduce((sum, count) => sum + count, 0))
})

const waiting = fc
  .constantFrom(
    1,
    60_000,
    windowMs('5h') - 60_000,
    windowMs('5h'),
    windowMs('1d'),
    -60_000,
    -windowMs('5h'),
    -windowMs('1d'),
  )
  .map((ms): Act => async (world) => {
    world.now += ms
  })

const looking = nodeIds.map((nodeId): Act => async (world) => {
  const theirs = BUDGETS.flatMap((name) => world[name].leases()).filter(({ lease }) => lease.nodeId === nodeId)
  const ids = BUDGETS.flatMap((name) => world[name].leases()).map(({ lease }) => lease.id)
  const active = await storeOf(world, nodeId).leases.active(nodeId, [...ids, 'lse_none'])
  expect(active).toEqual(new Map(theirs.map(({ row, lease }) => [lease.id, standing(row, lease)])))
})

function standing({ endsAt, used }: ModelRow, { charged }: ModelLease) {
  return { endsAt, usedElsewhere: used - charged }
}

/** An admin gives the key other limits. */
const moving = fc
  .record({ quota: fc.bigInt({ min: 0n, max: 900n }), spend: fc.bigInt({ min: 0n, max: 900n }) })
  .map((limits): Act => async (world) => {
    const spend = [{ window: '5h' as const, usd: nanoUsd(limits.spend) }]
    world.key = { ...world.key, quotaLimit: nanoUsd(limits.quota), rateLimit: { ...NO_RATES, spend } }
    await world.stores[1].keys.update(world.key)
    world.quota.move(limits.quota, world.now)
    world.spend.move(limits.spend, world.now)
  })

const cancelling = fc.constant<Act>(async (world) => {
  await world.stores[0].subscriptions.cancel(world.subscription.id, world.now)
  world.subscribed.close(() => true)
  world.isCancelled = true
})

const posting = fc.bigInt({ min: -300n, max: 300n }).map((amount): Act => async (world) => {
  const [row] = world.balance.rows
  if (row === undefined) throw new Error('an account has a balance')
  const entry = { ...aPosting(world.accountId, '1'), id: newId('led', NOON), amount: nanoUsd(amount) }
  const answer = await world.stores[0].ledger.post(entry)
  const there = available(row)
  if (amount < 0n && -amount > there) {
    expect(answer).toEqual({ kind: 'insufficient', available: atLeastZero(there) })
    return
  }
  row.limit += amount
  expect(answer).toMatchObject({ kind: 'posted', entry: { balanceAfter: row.limit - row.used } })
})

const acts = fc.oneof(
  { weight: 10, arbitrary: granting },
  { weight: 8, arbitrary: settling },
  { weight: 2, arbitrary: closing },
  { weight: 3, arbitrary: shrinking },
  { weight: 1, arbitrary: dying },
  { weight: 4, arbitrary: waiting },
  { weight: 1, arbitrary: looking },
  { weight: 2, arbitrary: moving },
  { weight: 1, arbitrary: cancelling },
  { weight: 2, arbitrary: posting },
)

const NO_RATES = { ...NO_COUNTS }

describe.each(ENGINES)('budgets on %s', (engine) => {
  const time = { now: NOON }
  let place: Place
  let stores: readonly [Store, Store]

  beforeAll(async () => {
    const clock = { now: () => time.now, elapsed: () => performance.now() }
    place = await newPlace(engine)
    stores = [await place.open(clock), await place.open(clock)]
  })
  afterAll(() => place.leave())

  test('used, held, ends and available are what the plainest model says, after whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 40, size: 'max' }), async (sequence) => {
        const world = await newWorld(stores, place)
        for (const act of sequence) {
          time.now = world.now
          await act(world)
          await compare(world)
        }
        // The next world has nodes of the same names.
        await stores[0].leases.closeOfNodes(NODES)
        time.now = NOON
      }),
      { numRuns: runsInSuite(engine === 'sqlite' ? 60 : 12) },
    )
    expect((await stores[0].ledger.prove()).disagreements).toEqual([])
  })
})

async function newWorld(stores: readonly [Store, Store], place: Place): Promise<World> {
  const [store] = stores
  const account = await fundedAccount(store, '0.000000800')
  const spend = [{ window: '5h' as const, usd: nanoUsd(600n) }]
  const created = aKey(account.id, { quotaLimit: nanoUsd(500n), rateLimit: { ...NO_RATES, spend } })
  await store.keys.create(created, aSecret())
  const key = await store.keys.findById(created.id)
  const { subscription, windows } = await runningSubscription(store, account.id, { limits: { '5h': 400n } })
  const [window] = windows
  if (key === null || window === undefined) throw new Error('they are there')
  const quota = quotaOf(key.id, nanoUsd(500n))
  // A quota is opened by its first grant; one that is refused will do.
  await grant(store, quota, { need: 501n })
  return {
    stores,
    place,
    accountId: account.id,
    subscription,
    balance: new ModelBudget(balanceBudget(account.id), 800n),
    quota: new ModelBudget(quota, 500n),
    spend: new ModelBudget(keySpendBudget(key.id, nanoUsd(600n), '5h'), 600n),
    subscribed: new ModelBudget(window, 400n),
    key,
    isCancelled: false,
    now: NOON,
  }
}

function storeOf({ stores }: World, nodeId: string): Store {
  return nodeId === 'nod_1' ? stores[0] : stores[1]
}

async function compare({ place, accountId, key, subscription, ...world }: World): Promise<void> {
  const subjects = [accountId, key.id, subscription.id].map((id) => `'${id}'`).join(', ')
  const rows = await place.sql(
    `select id, limit_nano as "limit", used_nano as used, held_nano as held, ends_at from budgets
     where subject_id in (${subjects}) order by id`,
  )
  const expected = BUDGETS.flatMap((name) => world[name].rows).map((row) => ({
    id: row.id,
    limit: row.limit,
    used: row.used,
    held: held(row),
    ends_at: row.endsAt === null ? null : BigInt(row.endsAt),
  }))
  expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)))
}
