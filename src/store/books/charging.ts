import { crossedLine, lowBalance, type NewAlert } from './alert-lines.ts'
import type { OpenBudget, OpenLease, OpenBooks } from './open-books.ts'
import { CHARGE_WIDTH, PAYMENT_WIDTH, type SettlementRows, type SettlementValue } from '../engine/settlement-rows.ts'
import { columnAt, ID_COLUMN, USAGE_WIDTH } from './usage-columns.ts'
import { type HourSum, hourSums } from './usage-hours.ts'

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

/** What is to be written beside the records and the open books, and how many charges met no active lease. */
export interface Consequences {
  readonly entries: readonly UsageEntry[]
  readonly alerts: readonly NewAlert[]
  readonly hours: readonly HourSum[]
  readonly overruns: number
}

/**
 * Brings the records of a batch that are new (`isNew` by their number) into the open books, and returns what follows from
 * them. Both engines settle by this one function.
 */
export function chargeBatch(
  batch: SettlementRows,
  isNew: (index: number) => boolean,
  { budgets, leases }: OpenBooks,
): Consequences {
  const entries: UsageEntry[] = []
  const alerts: NewAlert[] = []
  let overruns = 0
  let charge = 0
  let payment = 0
  // A balance's entries show the balance after each, so every record's charges come right before its payment.
  for (let index = 0; index < batch.count; index++) {
    const counts = isNew(index)
    const nowMs = counts ? endOf(batch, index) : 0
    for (; batch.charges[charge] === index; charge += CHARGE_WIDTH) {
      if (!counts) continue
      const done = chargeOne(chargeAt(batch, charge), { budgets, leases, nowMs })
      if (done.isOverrun) overruns += 1
      if (done.alert !== null) alerts.push(done.alert)
    }
    for (; batch.payments[payment] === index; payment += PAYMENT_WIDTH) {
      const budgetId = batch.payments[payment + 1] as string
      const balance = budgets.get(budgetId)
      if (!counts || balance === undefined) continue
      const amount = batch.payments[payment + 2] as bigint
      balance.entries += 1n
      entries.push(entryOf(valuesOf(batch, index), balance, amount))
      const alert = lowBalance(budgetId, balance, { amount, low: batch.lowBalance, entry: balance.entries, nowMs })
      if (alert !== null) alerts.push(alert)
    }
  }
  return { entries, alerts, hours: hourSums(batch, isNew), overruns }
}

interface ChargeValues {
  readonly budgetId: string
  readonly leaseId: string | null
  readonly cost: bigint
}

/** Applies one charge. An overrun: its lease is not active any more, and the budget pays for it directly. */
function chargeOne(
  { budgetId, leaseId, cost }: ChargeValues,
  { budgets, leases, nowMs }: OpenBooks & { readonly nowMs: number },
): { readonly isOverrun: boolean; readonly alert: NewAlert | null } {
  const budget = budgets.get(budgetId)
  // A budget that was never opened is not charged; if it happens, the record keeps the charge and the proof names it.
  if (budget === undefined) return { isOverrun: true, alert: null }
  const lease = leaseId === null ? undefined : leases.get(leaseId)
  const isActive = lease !== undefined && lease.budgetId === budgetId
  const freed = isActive ? useLease(lease, cost) : 0n
  const usedBefore = budget.used
  budget.used += cost
  budget.held -= freed
  budget.overrun += cost - freed
  if (!isActive) budget.overruns += 1n
  if (budget.windowMs !== null) budget.endsAt ??= BigInt(nowMs) + budget.windowMs
  return { isOverrun: !isActive, alert: crossedLine(budgetId, budget, { usedBefore, nowMs }) }
}

/** Charges a lease; returns how much of what it held that frees. */
function useLease(lease: OpenLease, cost: bigint): bigint {
  const heldBefore = heldBy(lease.granted, lease.charged)
  lease.charged += cost
  return heldBefore - heldBy(lease.granted, lease.charged)
}

/** What a lease holds of its budget. */
export function heldBy(granted: bigint, charged: bigint): bigint {
  return granted > charged ? granted - charged : 0n
}

function entryOf(record: RecordValues, balance: OpenBudget, amount: bigint): UsageEntry {
  const requestId = record(ID_COLUMN) as string
  return {
    accountId: record(ACCOUNT) as string,
    seq: balance.entries,
    // One request has one entry, so its name is made from the request's.
    id: `led_${requestId.slice(requestId.indexOf('_') + 1)}`,
    createdAt: record(CREATED) as number,
    amount: -amount,
    balanceAfter: balance.limit - balance.used,
    requestId,
  }
}

type RecordValues = (column: number) => SettlementValue | undefined

function valuesOf(batch: SettlementRows, index: number): RecordValues {
  return (column) => batch.records[index * USAGE_WIDTH + column]
}

function chargeAt(batch: SettlementRows, at: number): ChargeValues {
  return {
    budgetId: batch.charges[at + 1] as string,
    leaseId: batch.charges[at + 2] as string | null,
    cost: batch.charges[at + 3] as bigint,
  }
}

/** When the request was over: the moment it was charged, whenever that is written. Epoch milliseconds. */
function endOf(batch: SettlementRows, index: number): number {
  const start = index * USAGE_WIDTH
  return (batch.records[start + CREATED] as number) + (batch.records[start + TOTAL_MS] as number)
}

const CREATED = columnAt('created_at')
const ACCOUNT = columnAt('account_id')
const TOTAL_MS = columnAt('total_ms')
