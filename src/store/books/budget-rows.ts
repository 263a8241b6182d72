import { type Selectable } from 'kysely'
import { windowMs } from '../../core/quota-window.ts'
import { type Budget, isOverAt } from '../../metering/budgets/budget.ts'
import type { BudgetRow } from '../schema/tables.ts'

export type StoredBudget = Selectable<BudgetRow>

/** The row of a budget that nothing was drawn from yet. For a budget with a window, `id` names the row of one of them. */
export function newBudgetRow(budget: Budget, id: string = budget.id): BudgetRow {
  return {
    id,
    kind: budget.kind,
    subject_id: budget.subjectId,
    limit_nano: budget.openingLimit ?? 0n,
    used_nano: 0n,
    held_nano: 0n,
    overrun_nano: 0n,
    brought_nano: 0n,
    retired_nano: 0n,
    overruns: 0,
    ends_at: budget.endsAt,
    window_ms: budget.window === null ? null : windowMs(budget.window),
    entries: 0,
  }
}

/** What is neither used nor held; less than zero after an overrun. */
export function availableIn(budget: Pick<StoredBudget, 'limit_nano' | 'used_nano' | 'held_nano'>): bigint {
  return budget.limit_nano - budget.used_nano - budget.held_nano
}

/** Whether a window or period is over. What is drawn next has a row of its own, and no grant ever comes back to this one. */
export function isOver(budget: Pick<StoredBudget, 'ends_at' | 'window_ms'>, nowMs: number): boolean {
  return isOverAt(budget.ends_at, budget.window_ms, nowMs)
}

/**
 * Gives a budget another limit. What is used and held beyond it is a rightful overrun: nothing more is granted, and the
 * books still balance.
 */
export function movedLimit(budget: StoredBudget, limit: bigint): Pick<BudgetRow, 'limit_nano' | 'overrun_nano'> {
  const beyond = budget.used_nano + budget.held_nano - limit
  return { limit_nano: limit, overrun_nano: beyond > budget.overrun_nano ? beyond : budget.overrun_nano }
}
