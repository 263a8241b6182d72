/** An admission on leases in memory, with a clock by hand. */
import { type CountedLimits, NO_COUNTS } from '../../src/core/counted-limits.ts'
import { Fault } from '../../src/core/faults.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { Admission } from '../../src/metering/admission/admission.ts'
import type { AdmissionRequest } from '../../src/metering/admission/admission-request.ts'
import type { Reservation } from '../../src/metering/admission/reservation.ts'
import { balanceBudget, subscriptionBudget } from '../../src/metering/budgets/budget.ts'
import { LeaseBook } from '../../src/metering/budgets/lease-book.ts'
import type { ClusterCounts } from '../../src/metering/limits/cluster-counts.ts'
import { KeyLimits } from '../../src/metering/limits/key-limits.ts'
import { LeasesInMemory } from './leases-in-memory.ts'

export const START = Date.UTC(2026, 8, 21, 14, 13, 20)
export const balance = balanceBudget('acc_1')
export const plan = subscriptionBudget('sub_1', nanoUsd(5_000n), '5h')
export const paidByBalance = { subscriptionId: null, budgets: [balance] }
export const paidByPlan = { subscriptionId: 'sub_1', budgets: [plan] }
export const NO_LIMITS: CountedLimits = { ...NO_COUNTS }

export function gateway({
  patienceMs = 0,
  cluster = null,
}: { patienceMs?: number; cluster?: ClusterCounts | null } = {}) {
  const time = { elapsed: 0, now: START }
  const clock = { now: () => time.now, elapsed: () => time.elapsed }
  const store = new LeasesInMemory()
  const limits = new KeyLimits({ clock, share: () => ({ index: 0, count: 1 }), cluster })
  const leases = new LeaseBook({ store, clock, node: { id: 'nod_1', isAlive: true } })
  return { time, store, limits, admission: new Admission({ leases, limits, clock, patienceMs }) }
}

export function asking(over: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const key = { id: 'key_1', rateLimit: null }
  return { key, tokens: { input: 10, output: 0 }, amount: nanoUsd(1_000n), caps: [], sources: [paidByBalance], ...over }
}

export async function refusalOf(admission: Admission, request: AdmissionRequest): Promise<Fault> {
  try {
    await admission.admit(request)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it was admitted')
}

export function settle(store: LeasesInMemory, reservation: Reservation, cost: bigint) {
  const closing = reservation.settle(nanoUsd(cost), { chargedAtMs: START, tokens: 10 })
  for (const charge of closing.charges) store.charge(charge, START)
  reservation.settled()
  return closing
}

/** An admission that can do with as little as 100, and leaves something to others beyond `comfortable`. */
export function elastic(
  amount: bigint,
  comfortable: bigint | null,
  over: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  const less = () => ({ least: nanoUsd(100n), comfortable: comfortable === null ? null : nanoUsd(comfortable) })
  return asking({ amount: nanoUsd(amount), less, ...over })
}
