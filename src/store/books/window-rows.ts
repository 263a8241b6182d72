import { invariant } from '../../core/invariant.ts'
import { type Budget, windowRowId } from '../../metering/budgets/budget.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import { isOver, type StoredBudget } from './budget-rows.ts'

/** Numbers of windows have eight digits. */
const LAST_WINDOW = 99_999_999
/** Looks for the running window of one budget. A second one follows when another node made the next row meanwhile. */
const LOOKS_LIMIT = 4

/**
 * The row of the window that runs at `nowMs`, under lock; a new one, made by `open` under the id it is given, where there is
 * none. Nothing is locked before `open` was called, so that it may lock what the limit comes from first.
 *
 * A row is followed by exactly one, and the newest alone is looked at: the second finds the row there.
 */
export async function lockWindow(
  transaction: TablesTransaction,
  budget: Budget,
  on: { readonly nowMs: number; readonly open: (rowId: string) => Promise<void> },
): Promise<StoredBudget> {
  for (let look = 0; look < LOOKS_LIMIT; look++) {
    const newest = await newestWindow(transaction, budget.id)
    const isRunning = newest !== undefined && !isOver(newest, on.nowMs)
    const id = isRunning ? newest.id : nextWindowId(budget.id, newest?.id)
    if (!isRunning) await on.open(id)
    const row = await lockRow(transaction, 'budgets', id)
    // While it was waited for, a charge may have opened a window that is over by now.
    if (row !== undefined && !isOver(row, on.nowMs)) return row
  }
  throw new Error(`the windows of ${budget.id} end faster than they can be looked at`)
}

function newestWindow(
  transaction: TablesTransaction,
  budgetId: string,
): Promise<Pick<StoredBudget, 'id' | 'ends_at' | 'window_ms'> | undefined> {
  const [first, last] = windowIds(budgetId)
  return transaction
    .selectFrom('budgets')
    .select(['id', 'ends_at', 'window_ms'])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The ids of all windows of a budget lie between these, in the order of their numbers: both engines compare them by bytes. */
export function windowIds(budgetId: string): readonly [first: string, last: string] {
  return [windowRowId(budgetId, 1), windowRowId(budgetId, LAST_WINDOW)]
}

function nextWindowId(budgetId: string, previousId: string | undefined): string {
  const number = previousId === undefined ? 1 : Number(previousId.slice(budgetId.length + 1)) + 1
  invariant(number <= LAST_WINDOW, 'a budget has fewer windows than numbers')
  return windowRowId(budgetId, number)
}
