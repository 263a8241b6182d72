import type { TablesTransaction } from '../engine/database.ts'
import type { AlertRow } from '../schema/alert-tables.ts'
import {
  type AlertedBudget,
  lowBalance,
  lowBalanceAlert,
  lowBalanceId,
  type NewAlert,
  reachedLine,
  tooLittleLeft,
} from './alert-lines.ts'
import type { StoredBudget } from './budget-rows.ts'

/** Alerts that no settle writes. Each is written in the transaction that gives rise to it, which holds the budget's lock. */

/**
 * Writes that a grant of `need` was refused: a quota that could not have covered it counts as used up, whatever nodes hold of it;
 * a balance is low, unless that was said since it was raised last. An empty budget may be asked many times a second: once
 * an alert exists, that costs one look-up and writes nothing.
 */
export async function alertOfRefusal(
  transaction: TablesTransaction,
  row: StoredBudget,
  by: { readonly need: bigint; readonly low: bigint | null; readonly nowMs: number },
): Promise<void> {
  const budget = alertedBudget(row)
  if (row.kind !== 'balance') {
    const alert = tooLittleLeft(row.id, budget, by)
    if (alert !== null) await writeAlert(transaction, alert)
    return
  }
  // What was never credited did not run low.
  if (by.low === null || budget.limit <= 0n || budget.limit - budget.used >= by.need) return
  if (await isToldOf(transaction, row)) return
  await writeAlert(transaction, lowBalanceAlert(row.id, budget, { entry: BigInt(row.entries), nowMs: by.nowMs }))
}

/** `row` as it is with its new limit. */
export async function alertOfMovedLimit(
  transaction: TablesTransaction,
  row: StoredBudget,
  nowMs: number,
): Promise<void> {
  const alert = reachedLine(row.id, alertedBudget(row), nowMs)
  if (alert !== null) await writeAlert(transaction, alert)
}

/** Writes that an entry other than usage took a balance below `low`; `row` as it is after that. `change`: less than zero. */
export async function alertOfPosting(
  transaction: TablesTransaction,
  row: StoredBudget,
  by: { readonly change: bigint; readonly low: bigint | null; readonly nowMs: number },
): Promise<void> {
  const { change, low, nowMs } = by
  const alert = lowBalance(row.id, alertedBudget(row), { amount: -change, low, entry: BigInt(row.entries), nowMs })
  if (alert !== null) await writeAlert(transaction, alert)
}

/** Whether owners know that their balance is low: nothing came in since the last alert. */
async function isToldOf(transaction: TablesTransaction, row: StoredBudget): Promise<boolean> {
  const last = await transaction
    .selectFrom('alerts')
    .select(['id', 'limit_nano'])
    .where('id', '>=', lowBalanceId(row.id, 0n))
    .where('id', '<=', lowBalanceId(row.id, BigInt(row.entries)))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || last.limit_nano < row.limit_nano) return false
  // Entries other than usage move the limit, so nearly always this is the answer, and no entry need be looked at.
  if (last.limit_nano === row.limit_nano) return true
  const raising = await transaction
    .selectFrom('ledger_entries')
    .select('seq')
    .where('account_id', '=', row.subject_id)
    .where('seq', '>', Number(last.id.slice(last.id.lastIndexOf(':') + 1)))
    .where('amount_nano', '>', 0n)
    .limit(1)
    .executeTakeFirst()
  return raising === undefined
}

async function writeAlert(transaction: TablesTransaction, alert: NewAlert): Promise<void> {
  const known = await transaction.selectFrom('alerts').select('id').where('id', '=', alert.id).executeTakeFirst()
  if (known !== undefined) return
  const { id, kind, subjectId, percent, limit, used, windowMs, resetsAt, createdAt } = alert
  const times = { window_ms: numberOrNull(windowMs), resets_at: numberOrNull(resetsAt), created_at: createdAt }
  await insertAlerts(transaction, [
    { id, kind, subject_id: subjectId, percent, limit_nano: limit, used_nano: used, ...times },
  ])
}

/** Writes alerts with what they have. Those that are there stay as they are. Returns how many were not. */
export async function insertAlerts(
  tables: Pick<TablesTransaction, 'insertInto'>,
  alerts: readonly (Pick<AlertRow, 'id' | 'kind' | 'subject_id' | 'created_at'> & Partial<AlertRow>)[],
): Promise<number> {
  if (alerts.length === 0) return 0
  const none = { percent: null, limit_nano: 0n, used_nano: 0n, window_ms: null, resets_at: null, about: null }
  const written = await tables
    .insertInto('alerts')
    .values(alerts.map((alert) => ({ ...none, ...alert })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return written.length
}

function alertedBudget(row: StoredBudget): AlertedBudget {
  return {
    kind: row.kind,
    subjectId: row.subject_id,
    limit: row.limit_nano,
    used: row.used_nano,
    windowMs: bigintOrNull(row.window_ms),
    endsAt: bigintOrNull(row.ends_at),
  }
}

function bigintOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(value)
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}
