import type { AccountLimits } from '../../core/account-limits.ts'
import { windowMs } from '../../core/quota-window.ts'
import type { BudgetKind } from '../../metering/budgets/budget.ts'
import { isOver, type StoredBudget } from '../books/budget-rows.ts'
import { lockLimits } from '../books/limits-in-force.ts'
import { moveLimit } from '../books/moved-limits.ts'
import type { TablesTransaction } from '../engine/database.ts'

/** What may be spent in a window of this length. null: there is no limit for such windows. */
export function spendLimit(limits: Pick<AccountLimits, 'spend'> | null, lengthMs: number | null): bigint | null {
  return limits?.spend.find(({ window }) => windowMs(window) === lengthMs)?.usd ?? null
}

/** Gives the open spend windows of an account the limits that hold for it now. To be called after they were changed. */
export async function moveSpendWindows(
  transaction: TablesTransaction,
  accountId: string,
  nowMs: number,
): Promise<void> {
  const limits = await lockLimits(transaction, accountId, nowMs)
  if (limits === null) return
  await moveOpenLimits(transaction, { subjectId: accountId, kinds: ['account_spend'], nowMs }, (budget) =>
    spendLimit(limits, budget.window_ms),
  )
}

/**
 * Gives the periods and windows of a subject that are not over another limit; null: it has none any more. Returns the rows
 * whose limit is another now.
 */
export async function moveOpenLimits(
  transaction: TablesTransaction,
  { subjectId, kinds, nowMs }: { readonly subjectId: string; readonly kinds: BudgetKind[]; readonly nowMs: number },
  limitOf: (budget: StoredBudget) => bigint | null,
): Promise<readonly StoredBudget[]> {
  const budgets = await transaction
    .selectFrom('budgets')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('kind', 'in', kinds)
    .where((budget) => budget.or([budget('ends_at', 'is', null), budget('ends_at', '>', nowMs)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const moved: StoredBudget[] = []
  for (const budget of budgets) {
    const limit = limitOf(budget)
    if (limit === null || limit === budget.limit_nano || isOver(budget, nowMs)) continue
    moved.push(await moveLimit(transaction, budget, limit))
  }
  return moved
}

/** Moves the windows of every account that has one open, after the installation's limits were changed. */
export async function moveAllSpendWindows(transaction: TablesTransaction, nowMs: number): Promise<void> {
  const rows = await transaction
    .selectFrom('budgets')
    .select('subject_id')
    .distinct()
    .where('kind', '=', 'account_spend')
    .where((budget) => budget.or([budget('ends_at', 'is', null), budget('ends_at', '>', nowMs)]))
    .orderBy('subject_id')
    .execute()
  for (const { subject_id: accountId } of rows) await moveSpendWindows(transaction, accountId, nowMs)
}
