import {
  ACCOUNT_COLUMN,
  CHARGE_WIDTH,
  CREATED_COLUMN,
  ID_COLUMN,
  PAYMENT_WIDTH,
  type SettlementRows,
  USAGE_WIDTH,
} from './settlement-rows.ts'

/** A budget in the middle of a batch. Amounts in nano-USD. */
export interface BudgetState {
  readonly limit: bigint
  used: bigint
  held: bigint
  overrun: bigint
  overruns: bigint
  entries: bigint
}

/** An active lease in the middle of a batch. */
export interface LeaseState {
  readonly budgetId: string
  readonly granted: bigint
  charged: bigint
}

/** The rows that a batch touches, read under lock, changed here, written back. What is not active or does not exist is missing. */
export interface OpenBooks {
  readonly budgets: ReadonlyMap<string, BudgetState>
  readonly leases: ReadonlyMap<string, LeaseState>
}

/** An entry of the ledger that a charge gives rise to. */
export interface UsageEntry {
  readonly accountId: string
  readonly seq: bigint
  readonly id: string
  readonly createdAt: number
  readonly amount: bigint
  readonly balanceAfter: bigint
  readonly requestId: string
}

/**
 * Brings the records of a batch that are new (`isNew` by their number) into the open books, and answers the ledger entries
 * to write and how many charges met no active lease. Both engines settle by this one function.
 */
export function chargeBatch(
  batch: SettlementRows,
  isNew: (index: number) => boolean,
  books: OpenBooks,
): { readonly entries: readonly UsageEntry[]; readonly overruns: number } {
  const entries: UsageEntry[] = []
  let overruns = 0
  let charge = 0
  let payment = 0
  // A balance's entries show the balance after each, so every record's charges come right before its payment.
  for (let index = 0; index < batch.count; index++) {
    const counts = isNew(index)
    for (; batch.charges[charge] === index; charge += CHARGE_WIDTH) {
      if (counts && isOverrun(batch, charge, books)) overruns += 1
    }
    for (; batch.payments[payment] === index; payment += PAYMENT_WIDTH) {
      const entry = counts ? entryOf(batch, payment, books) : undefined
      if (entry !== undefined) entries.push(entry)
    }
  }
  return { entries, overruns }
}

/** Applies one charge. True when its lease is not active any more: the budget pays for it directly. */
function isOverrun(batch: SettlementRows, at: number, { budgets, leases }: OpenBooks): boolean {
  const budgetId = batch.charges[at + 1] as string
  const cost = batch.charges[at + 3] as bigint
  const budget = budgets.get(budgetId)
  // Nobody charges a budget that was never opened; if it happens, the record keeps the charge and the proof names it.
  if (budget === undefined) return true
  const lease = leases.get((batch.charges[at + 2] as string | null) ?? '')
  const isActive = lease !== undefined && lease.budgetId === budgetId
  const freed = isActive ? useLease(lease, cost) : 0n
  budget.used += cost
  budget.held -= freed
  budget.overrun += cost - freed
  if (!isActive) budget.overruns += 1n
  return !isActive
}

/** Charges a lease; answers how much of what it held that frees. */
function useLease(lease: LeaseState, cost: bigint): bigint {
  const heldBefore = heldBy(lease.granted, lease.charged)
  lease.charged += cost
  return heldBefore - heldBy(lease.granted, lease.charged)
}

/** What a lease holds of its budget. */
export function heldBy(granted: bigint, charged: bigint): bigint {
  return granted > charged ? granted - charged : 0n
}

function entryOf(batch: SettlementRows, at: number, { budgets }: OpenBooks): UsageEntry | undefined {
  const balance = budgets.get(batch.payments[at + 1] as string)
  if (balance === undefined) return undefined
  const record = (batch.payments[at] as number) * USAGE_WIDTH
  const requestId = batch.records[record + ID_COLUMN] as string
  balance.entries += 1n
  return {
    accountId: batch.records[record + ACCOUNT_COLUMN] as string,
    seq: balance.entries,
    // One request has one entry, so its name is made from the request's.
    id: `led_${requestId.slice(requestId.indexOf('_') + 1)}`,
    createdAt: batch.records[record + CREATED_COLUMN] as number,
    amount: -(batch.payments[at + 2] as bigint),
    balanceAfter: balance.limit - balance.used,
    requestId,
  }
}
