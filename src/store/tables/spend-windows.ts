import type { AccountLimits } from '../../core/account-limits.ts'
import { windowMs } from '../../core/quota-window.ts'
import { isOver } from '../books/budget-rows.ts'
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
  const budgets = await transaction
    .selectFrom('budgets')
    .selectAll()
    .where('subject_id', '=', accountId)
    .where('kind', '=', 'account_spend')
    .where((budget) => budget.or([budget('ends_at', 'is', null), budget('ends_at', '>', nowMs)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const budget of budgets) {
    const limit = spendLimit(limits, budget.window_ms)
    if (limit !== null && limit !== budget.limit_nano && !isOver(budget, nowMs)) {
      await moveLimit(transaction, budget, limit)
    }
  }
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
