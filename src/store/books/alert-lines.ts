import { ALERT_PERCENTS, type BudgetAlert } from '../../alerts/alert.ts'
import type { OpenBudget } from './open-books.ts'

/** A row of `alerts` that is to be written. */
export interface NewAlert {
  readonly id: string
  readonly kind: BudgetAlert['kind']
  readonly subjectId: string
  readonly percent: number | null
  readonly limit: bigint
  readonly used: bigint
  readonly windowMs: bigint | null
  readonly resetsAt: bigint | null
  readonly createdAt: number
}

/** The part of a budget that alerts are made of. */
export type AlertedBudget = Pick<OpenBudget, 'kind' | 'subjectId' | 'limit' | 'used' | 'windowMs' | 'endsAt'>

const DESCENDING = ALERT_PERCENTS.toReversed()

/** The highest line of a quota that was crossed since `usedBefore`; null: none, or such a budget gives no alerts. */
export function crossedLine(
  budgetId: string,
  budget: AlertedBudget,
  since: { usedBefore: bigint; nowMs: number },
): NewAlert | null {
  const { limit } = budget
  const percent = DESCENDING.find((line) => reaches(budget, line))
  if (percent === undefined || reaches({ limit, used: since.usedBefore }, percent)) return null
  return lineAlert(budgetId, budget, { percent, nowMs: since.nowMs })
}

/** The highest line that is reached under a limit that is new; null as above. */
export function reachedLine(budgetId: string, budget: AlertedBudget, nowMs: number): NewAlert | null {
  const percent = DESCENDING.find((line) => reaches(budget, line))
  return percent === undefined ? null : lineAlert(budgetId, budget, { percent, nowMs })
}

/**
 * Says that what is left of a quota was too little for a request that needs `need`, though no node else held anything of it.
 * It counts as used up then, and what `used` says is less than the limit. null: it would have sufficed, or as above.
 */
export function tooLittleLeft(
  budgetId: string,
  budget: AlertedBudget,
  by: { need: bigint; nowMs: number },
): NewAlert | null {
  return budget.limit - budget.used >= by.need ? null : lineAlert(budgetId, budget, { percent: 100, nowMs: by.nowMs })
}

function lineAlert(
  budgetId: string,
  budget: AlertedBudget,
  { percent, nowMs }: { percent: number; nowMs: number },
): NewAlert | null {
  const { kind, subjectId, limit, used, windowMs, endsAt } = budget
  if ((kind !== 'key_quota' && kind !== 'subscription') || limit <= 0n) return null
  const id = alertId(budgetId, limit, percent)
  return { id, kind, subjectId, percent, limit, used, windowMs, resetsAt: endsAt, createdAt: nowMs }
}

/** Whether this part of a limit is used. */
export function reaches({ limit, used }: { limit: bigint; used: bigint }, percent: number): boolean {
  return used * 100n >= limit * BigInt(percent)
}

/** Says that a payment of `amount` took a balance below `low`. `entry`: the number of its ledger entry. */
export function lowBalance(
  budgetId: string,
  budget: AlertedBudget,
  by: { amount: bigint; low: bigint | null; entry: bigint; nowMs: number },
): NewAlert | null {
  const balance = budget.limit - budget.used
  if (by.low === null || balance >= by.low || balance + by.amount < by.low) return null
  return lowBalanceAlert(budgetId, budget, by)
}

/** What a balance is after its ledger entry of number `entry`. */
export function lowBalanceAlert(
  budgetId: string,
  { subjectId, limit, used }: AlertedBudget,
  { entry, nowMs }: { entry: bigint; nowMs: number },
): NewAlert {
  const id = lowBalanceId(budgetId, entry)
  const none = { percent: null, windowMs: null, resetsAt: null }
  return { id, kind: 'low_balance', subjectId, limit, used, ...none, createdAt: nowMs }
}

/** Another limit has lines of its own. */
export function alertId(budgetId: string, limit: bigint, percent: number): string {
  return `${budgetId}:${limit}:${percent}`
}

const ENTRY_NUMBER_DIGITS = 12

/** Named by the entry, as it may come again after a top-up. Those of one balance sort by its number. */
export function lowBalanceId(budgetId: string, entry: bigint): string {
  return `${budgetId}:low:${String(entry).padStart(ENTRY_NUMBER_DIGITS, '0')}`
}
