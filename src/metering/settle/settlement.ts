import type { NanoUsd } from '../../core/money.ts'
import type { UsageRecord } from '../usage/usage-record.ts'

/** The end of one request, as it goes into the books: what was consumed, and which budgets pay for it. */
export interface Settlement {
  readonly record: UsageRecord
  readonly charges: readonly Charge[]
  /** The answer and its items, by their ids there, where the upstream that made it keeps it for later. */
  readonly storedResponse?:
    | { readonly id: string; readonly items: readonly string[]; readonly upstreamId: string }
    | undefined
}

/** A charge to one budget's row. `leaseId` is where the money was held; when that lease is no longer active the budget is charged directly. */
export interface Charge {
  readonly budgetId: string
  readonly leaseId: string | null
  readonly cost: NanoUsd
}

export interface SettlementStore {
  /**
   * Writes all of them in one transaction, durable when the promise resolves: usage record (skipped with everything that
   * belongs to it when its id exists, unless that one says `interrupted` and this one knows better), ledger entry for
   * `balancePaid > 0`, leases, budgets, roll-ups, alerts. The first charge of a window opens it. Returns how many charges met
   * a lease that was no longer active. Rejects when nothing of the batch is stored, or when that is not known: the same
   * batch may then be given again. With `SettlementRefused`, giving it again changes nothing.
   *
   * `mayJournal`: it is enough that the batch is durable, and in the books before anything is read or written through any
   * store of this database. The overruns are then those that were found since the last such call, of this batch or not.
   */
  settle(
    batch: readonly Settlement[],
    options?: { readonly mayJournal: boolean },
  ): Promise<{ readonly overruns: number }>
}

/** The database works, and will never take something in this batch as it is. Nothing of the batch is stored. */
export class SettlementRefused extends Error {
  override readonly name = 'SettlementRefused'
}
