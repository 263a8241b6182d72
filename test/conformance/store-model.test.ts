import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { balanceBudget, type Budget } from '../../src/metering/budget.ts'
import type { Store } from '../../src/store/store.ts'
import { aPosting, aSettlement, fundedAccount, grant, quotaOf, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

interface ModelLease {
  id: string
  nodeId: string
  granted: bigint
  charged: bigint
  expiresAt: number
}

/** A budget as the documentation tells it, in the plainest words. */
interface ModelBudget {
  readonly budget: Budget
  limit: bigint
  used: bigint
  leases: ModelLease[]
  /** Leases that were closed, for charges that come too late. */
  closed: string[]
  /** How far used + held may rightfully stand above the limit. */
  uncovered: bigint
}

interface World {
  readonly store: Store
  readonly place: Place
  readonly accountId: string
  readonly budgets: readonly [ModelBudget, ModelBudget]
  now: number
}

const LIFE_MS = 100
const NODES = ['nod_1', 'nod_2', 'nod_3'] as const

function heldOf(lease: ModelLease): bigint {
  return lease.granted > lease.charged ? lease.granted - lease.charged : 0n
}

function held(model: ModelBudget): bigint {
  return model.leases.reduce((sum, lease) => sum + heldOf(lease), 0n)
}

function available(model: ModelBudget): bigint {
  return model.limit - model.used - held(model)
}

function close(model: ModelBudget, isClosed: (lease: ModelLease) => boolean): number {
  const gone = model.leases.filter(isClosed)
  model.closed.push(...gone.map((lease) => lease.id))
  model.leases = model.leases.filter((lease) => !isClosed(lease))
  return gone.length
}

type Act = (world: World) => Promise<void>

const nodeIds = fc.constantFrom(...NODES)
const which = fc.constantFrom(0 as const, 1 as const)
const amounts = fc.bigInt({ min: 1n, max: 400n })

const granting = fc
  .record({ which, nodeId: nodeIds, need: amounts, more: amounts })
  .map((wish): Act => async (world) => {
    const model = world.budgets[wish.which]
    const { nodeId, need } = wish
    const want = need + wish.more
    close(model, (lease) => lease.expiresAt <= world.now)
    const answer = await grant(world.store, model.budget, { need, want, nodeId, nowMs: world.now, lifeMs: LIFE_MS })
    const there = available(model)
    if (there < need) {
      const left = there > 0n ? there : 0n
      expect(answer).toEqual({ kind: 'refused', limit: model.limit, available: left })
      return
    }
    const eighth = there / 8n
    const atLeast = need > eighth ? need : eighth
    const amount = want < atLeast ? want : atLeast
    if (answer.kind !== 'granted') throw new Error(`refused ${need} of ${there}`)
    const own = model.leases.find((lease) => lease.nodeId === nodeId)
    const lease = own ?? { id: answer.lease.id, nodeId, granted: 0n, charged: 0n, expiresAt: 0 }
    if (own === undefined) model.leases.push(lease)
    lease.granted = (lease.granted > lease.charged ? lease.granted : lease.charged) + amount
    lease.expiresAt = world.now + LIFE_MS
    expect(answer.lease).toMatchObject({ id: lease.id, granted: lease.granted, expiresAt: lease.expiresAt })
    expect(model.used + held(model)).toBeLessThanOrEqual(model.limit + model.uncovered)
  })

/** One batch of requests that both budgets pay for, each from some lease (open or closed long ago) or from none. */
const settling = fc
  .array(fc.record({ cost: fc.bigInt({ min: 0n, max: 90n }), pick: fc.nat(20) }), { minLength: 1, maxLength: 4 })
  .map((requests): Act => async (world) => {
    let overruns = 0
    const batch = requests.map(({ cost, pick }) => {
      const [balance, quota] = world.budgets.map((model) => {
        const known = [...model.leases.map((lease) => lease.id), ...model.closed]
        const leaseId = known[pick % (known.length + 1)] ?? null
        if (cost > 0n && !charge(model, leaseId, cost)) overruns += 1
        return { budgetId: model.budget.id, leaseId, cost: nanoUsd(cost) }
      })
      if (balance === undefined || quota === undefined) throw new Error('two budgets pay')
      return aSettlement(world.accountId, cost, { leaseId: balance.leaseId, quota })
    })
    expect(await world.store.settlements.settle(batch)).toEqual({ overruns })
    expect(await world.store.settlements.settle(batch)).toEqual({ overruns: 0 })
  })

/** True when the lease was active. */
function charge(model: ModelBudget, leaseId: string | null, cost: bigint): boolean {
  const lease = model.leases.find(({ id }) => id === leaseId)
  const before = lease === undefined ? 0n : heldOf(lease)
  if (lease !== undefined) lease.charged += cost
  const covered = lease === undefined ? 0n : before - heldOf(lease)
  model.used += cost
  model.uncovered += cost - covered
  return lease !== undefined
}

const closing = fc.record({ which, pick: fc.nat(5) }).map(({ which: index, pick }): Act => async (world) => {
  const model = world.budgets[index]
  const lease = model.leases[pick % (model.leases.length + 1)]
  await world.store.leases.close(lease?.nodeId ?? 'nod_1', [lease?.id ?? 'lse_none'])
  close(model, (each) => each === lease)
})

const leaving = nodeIds.map((nodeId): Act => async (world) => {
  await world.store.leases.closeOfNode(nodeId)
  for (const model of world.budgets) close(model, (lease) => lease.nodeId === nodeId)
})

const waiting = fc.nat(LIFE_MS).map((ms): Act => async (world) => {
  world.now += ms
})

const expiring = fc.constant<Act>(async (world) => {
  await world.store.leases.closeExpired(world.now)
  for (const model of world.budgets) close(model, (lease) => lease.expiresAt <= world.now)
})

const renewing = nodeIds.map((nodeId): Act => async (world) => {
  const leases = world.budgets.flatMap((model) => model.leases.filter((lease) => lease.nodeId === nodeId))
  const ids = leases.map((lease) => lease.id)
  const renewed = await world.store.leases.renew(nodeId, [...ids, 'lse_none'], world.now + LIFE_MS)
  expect([...renewed].sort()).toEqual(ids.sort())
  for (const lease of leases) lease.expiresAt = world.now + LIFE_MS
})

const posting = fc.bigInt({ min: -300n, max: 300n }).map((amount): Act => async (world) => {
  const [model] = world.budgets
  const entry = { ...aPosting(world.accountId, '1'), id: newId('led', NOON), amount: nanoUsd(amount) }
  const answer = await world.store.ledger.post(entry)
  const there = available(model)
  if (amount < 0n && -amount > there) {
    expect(answer).toEqual({ kind: 'insufficient', available: there > 0n ? there : 0n })
    return
  }
  model.limit += amount
  expect(answer).toMatchObject({ kind: 'posted', entry: { balanceAfter: model.limit - model.used } })
})

const acts = fc.oneof(
  { weight: 6, arbitrary: granting },
  { weight: 6, arbitrary: settling },
  { weight: 2, arbitrary: closing },
  { weight: 1, arbitrary: leaving },
  { weight: 2, arbitrary: waiting },
  { weight: 1, arbitrary: expiring },
  { weight: 1, arbitrary: renewing },
  { weight: 2, arbitrary: posting },
)

describe.each(ENGINES)('budgets on %s', (engine) => {
  let place: Place
  let store: Store

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
  })
  afterAll(() => place.leave())

  test('used, held and available are what the plainest model says, after whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { maxLength: 30 }), async (sequence) => {
        const world = await newWorld({ store, place })
        for (const act of sequence) {
          await act(world)
          for (const model of world.budgets) await compare(world, model)
        }
        expect(await store.ledger.balance(world.accountId)).toBe(world.budgets[0].limit - world.budgets[0].used)
      }),
      { numRuns: 25 },
    )
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })
})

async function newWorld({ store, place }: { store: Store; place: Place }): Promise<World> {
  const account = await fundedAccount(store, '0.000000800')
  const quota = quotaOf(newId('key', NOON), nanoUsd(500n))
  // A quota is opened by its first grant; one that is refused will do.
  await grant(store, quota, { need: 501n })
  const model = (budget: Budget, limit: bigint) => ({ budget, limit, used: 0n, leases: [], closed: [], uncovered: 0n })
  return {
    store,
    place,
    accountId: account.id,
    budgets: [model(balanceBudget(account.id), 800n), model(quota, 500n)],
    now: NOON,
  }
}

async function compare({ place }: World, model: ModelBudget): Promise<void> {
  const [row] = await place.sql(
    `select limit_nano as "limit", used_nano as used, held_nano as held from budgets where id = '${model.budget.id}'`,
  )
  expect(row).toEqual({ limit: model.limit, used: model.used, held: held(model) })
}
