import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { nanoUsd } from '../core/money.ts'
import { Admission } from './admission.ts'
import {
  balanceBudget,
  type Budget,
  type GrantAnswer,
  type GrantRequest,
  keyQuotaBudget,
  type LeaseStore,
} from './budget.ts'
import { LeaseBook } from './lease-book.ts'
import type { Reservation } from './reservation.ts'
import type { Charge } from './settlement.ts'

/** The leases of a database, in memory and by the letter of `LeaseStore`. */
class BooksInMemory implements LeaseStore {
  readonly budgets = new Map<string, { limit: bigint; used: bigint; held: bigint }>()
  readonly leases = new Map<string, { budgetId: string; granted: bigint; charged: bigint; isActive: boolean }>()
  grants = 0
  answers = true

  open(budget: Budget, limit: bigint): void {
    this.budgets.set(budget.id, { limit, used: 0n, held: 0n })
  }

  async grant(request: GrantRequest): Promise<GrantAnswer> {
    this.grants += 1
    if (!this.answers) throw new Error('no answer')
    const budget = this.budgets.get(request.budget.id)
    if (budget === undefined) return { kind: 'refused', limit: nanoUsd(0n), available: nanoUsd(0n) }
    const available = budget.limit - budget.used - budget.held
    if (available < request.need)
      return { kind: 'refused', limit: nanoUsd(budget.limit), available: nanoUsd(available) }
    const slice = available / 8n > request.need ? available / 8n : request.need
    const amount = slice < request.want ? slice : request.want
    let [id, lease] = [...this.leases].find(([, each]) => each.budgetId === request.budget.id && each.isActive) ?? []
    if (id === undefined || lease === undefined) {
      id = request.newLeaseId
      lease = { budgetId: request.budget.id, granted: 0n, charged: 0n, isActive: true }
      this.leases.set(id, lease)
    }
    lease.granted = (lease.granted > lease.charged ? lease.granted : lease.charged) + amount
    budget.held += amount
    return {
      kind: 'granted',
      lease: { id, budgetId: request.budget.id, granted: nanoUsd(lease.granted), expiresAt: request.expiresAtMs },
    }
  }

  charge(charge: Charge): void {
    const budget = this.budgets.get(charge.budgetId)
    if (budget === undefined) throw new Error('no such budget')
    budget.used += charge.cost
    const lease = charge.leaseId === null ? undefined : this.leases.get(charge.leaseId)
    if (lease === undefined || !lease.isActive) return
    const before = rest(lease)
    lease.charged += charge.cost
    budget.held -= before - rest(lease)
  }

  async renew(_nodeId: string, leaseIds: readonly string[]): Promise<readonly string[]> {
    return leaseIds.filter((id) => this.leases.get(id)?.isActive === true)
  }

  async close(_nodeId: string, leaseIds: readonly string[]): Promise<void> {
    for (const id of leaseIds) {
      const lease = this.leases.get(id)
      const budget = lease === undefined ? undefined : this.budgets.get(lease.budgetId)
      if (lease === undefined || budget === undefined || !lease.isActive) continue
      budget.held -= rest(lease)
      lease.isActive = false
    }
  }

  async closeExpired(): Promise<number> {
    return 0
  }

  async closeOfNode(nodeId: string): Promise<number> {
    await this.close(nodeId, [...this.leases.keys()])
    return 0
  }
}

function rest(lease: { granted: bigint; charged: bigint }): bigint {
  return lease.granted > lease.charged ? lease.granted - lease.charged : 0n
}

function gateway(clockStart = 0) {
  const time = { elapsed: clockStart }
  const clock = { now: () => 1_790_000_000_000 + time.elapsed, elapsed: () => time.elapsed }
  const store = new BooksInMemory()
  const leases = new LeaseBook({ store, clock, nodeId: 'nod_1' })
  return { time, store, leases, admission: new Admission({ leases, clock }) }
}

const balance = balanceBudget('acc_1')

function settle(store: BooksInMemory, reservation: Reservation, cost: bigint): void {
  for (const charge of reservation.settle(nanoUsd(cost))) store.charge(charge)
  reservation.settled()
}

test('one grant serves many requests', async () => {
  const { store, admission } = gateway()
  store.open(balance, 1_000_000_000n)
  for (let i = 0; i < 20; i++) {
    settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 900n)
  }
  expect(store.grants).toBe(1)
  expect(store.budgets.get(balance.id)?.used).toBe(18_000n)
})

test('what is admitted at the same time never adds up to more than the budget', async () => {
  const { store, admission } = gateway()
  store.open(balance, 10_000n)
  const answers = await Promise.allSettled(
    Array.from({ length: 100 }, () => Promise.resolve(admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }))),
  )
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(10)
  const refusal = answers.find((answer) => answer.status === 'rejected')
  expect(refusal?.reason).toMatchObject({ code: 'balance_exhausted' })
})

test('a refusal names the budget, the need, what is left and when it resets, and consumes nothing', async () => {
  const { store, admission } = gateway()
  const quota = keyQuotaBudget('key_1', nanoUsd(500n), {
    reset: 'daily',
    startsAt: 0,
    endsAt: 1_790_000_000_000 + 3_600_000,
  })
  store.open(balance, 1_000_000n)
  store.open(quota, 500n)
  const refusal = await Promise.resolve(admission.admit({ budgets: [quota, balance], amount: nanoUsd(1000n) })).catch(
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(Fault)
  expect(refusal).toMatchObject({ code: 'key_quota_exhausted' })
  expect((refusal as Fault).message).toMatch(
    /\$0\.000001 and \$0\.0000005 is left.*resets at 2026-09-21T15:13:20.*1 h 0 min/,
  )
  expect(store.budgets.get(quota.id)).toEqual({ limit: 500n, used: 0n, held: 0n })
})

test('a refusal is remembered for a moment, so that an empty budget causes no storm of questions', async () => {
  const { time, store, admission } = gateway()
  store.open(balance, 0n)
  for (let i = 0; i < 50; i++) await expectRefused(admission)
  expect(store.grants).toBe(1)
  time.elapsed += 101
  await expectRefused(admission)
  expect(store.grants).toBe(2)
})

test('when the database does not answer the caller learns that, and nothing is held', async () => {
  const { store, admission } = gateway()
  store.open(balance, 1_000_000n)
  store.answers = false
  await expect(admission.admit({ budgets: [balance], amount: nanoUsd(1000n) })).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  store.answers = true
  settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 0n)
})

test('an idle lease is given back whole', async () => {
  const { time, store, leases, admission } = gateway()
  store.open(balance, 1_000_000n)
  settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 700n)
  expect(store.budgets.get(balance.id)?.held).toBeGreaterThan(0n)
  time.elapsed += 11_000
  await leases.maintain()
  expect(store.budgets.get(balance.id)).toEqual({ limit: 1_000_000n, used: 700n, held: 0n })
})

test('a lease that another node closed is not used again, and what ran on it is charged to the budget itself', async () => {
  const { store, leases, admission } = gateway()
  store.open(balance, 1_000_000n)
  const running = await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) })
  await store.close('nod_1', [...store.leases.keys()])
  await leases.maintain()
  settle(store, running, 800n)
  expect(store.budgets.get(balance.id)).toMatchObject({ used: 800n, held: 0n })
  settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 800n)
  expect(store.leases.size).toBe(2)
})

test('a lease is not used in the last fifth of its life', async () => {
  const { time, store, admission } = gateway()
  store.open(balance, 1_000_000n)
  settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 0n)
  time.elapsed += 24_000
  settle(store, await admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }), 0n)
  expect(store.grants).toBe(2)
})

type Step =
  | { readonly kind: 'admit'; readonly amount: bigint }
  | { readonly kind: 'close'; readonly which: number; readonly part: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'maintain' }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('admit' as const), amount: fc.bigInt({ min: 1n, max: 3000n }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('close' as const),
        which: fc.nat(),
        part: fc.integer({ min: 0, max: 100 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'maintain' as const }) },
  ),
  { maxLength: 60 },
)

test('whatever happens in whatever order, used + held never pass the limit, and at rest nothing is held', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.bigInt({ min: 0n, max: 20_000n }), async (sequence, limit) => {
      const { time, store, leases, admission } = gateway()
      store.open(balance, limit)
      const open: Reservation[] = []
      let spent = 0n
      for (const step of sequence) {
        if (step.kind === 'admit') {
          const answer = await Promise.resolve(
            admission.admit({ budgets: [balance], amount: nanoUsd(step.amount) }),
          ).catch(() => null)
          if (answer !== null) open.push(answer)
        } else if (step.kind === 'close' && open.length > 0) {
          const [reservation] = open.splice(step.which % open.length, 1)
          const cost = ((reservation?.amount ?? 0n) * BigInt(step.part)) / 100n
          spent += cost
          if (reservation !== undefined) settle(store, reservation, cost)
        } else if (step.kind === 'wait') {
          time.elapsed += step.ms
        } else await leases.maintain()
        const budget = store.budgets.get(balance.id)
        expect((budget?.used ?? 0n) + (budget?.held ?? 0n)).toBeLessThanOrEqual(limit)
        expect(budget?.used).toBe(spent)
        expect(budget?.held).toBeGreaterThanOrEqual(0n)
      }
      for (const reservation of open) reservation.release()
      await leases.closeAll()
      expect(store.budgets.get(balance.id)).toMatchObject({ used: spent, held: 0n })
    }),
    { numRuns: 300 },
  )
})

async function expectRefused(admission: Admission): Promise<void> {
  await expect(Promise.resolve(admission.admit({ budgets: [balance], amount: nanoUsd(1000n) }))).rejects.toMatchObject({
    code: 'balance_exhausted',
  })
}
