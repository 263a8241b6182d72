import type { NanoUsd } from '../core/money.ts'
import type { UsageRecord } from './usage-record.ts'

/** The end of one request, as it goes into the books: what was consumed, and which budgets pay for it. */
export interface Settlement {
  readonly record: UsageRecord
  readonly charges: readonly Charge[]
}

/** A charge to one budget. `leaseId` is where the money was held; when that lease is no longer active the budget is charged directly. */
export interface Charge {
  readonly budgetId: string
  readonly leaseId: string | null
  readonly cost: NanoUsd
}

export interface SettlementStore {
  /**
   * Writes all of them in one transaction, durable when the promise fulfils: usage record (skipped with everything that
   * belongs to it when its id exists), ledger entry for `balancePaid > 0`, leases, budgets. Answers how many charges met
   * a lease that was no longer active. Rejects when nothing of the batch is stored, or when that is not known: the same
   * batch may then be given again.
   */
  settle(batch: readonly Settlement[]): Promise<{ readonly overruns: number }>
}
