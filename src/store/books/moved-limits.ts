import type { TablesTransaction } from '../engine/database.ts'
import { movedLimit, type StoredBudget } from './budget-rows.ts'
import { closeLeasesOf } from './sql-leases.ts'

/**
 * Gives a budget that is locked another limit. What nodes have leased would still be spent, so leases that no longer fit are
 * closed: only what is running comes on top.
 */
export async function moveLimit(
  transaction: TablesTransaction,
  budget: StoredBudget,
  limit: bigint,
): Promise<StoredBudget> {
  const fits = budget.used_nano + budget.held_nano <= limit
  if (!fits) await closeLeasesOf(transaction, budget.id)
  const moved = movedLimit(fits ? budget : { ...budget, held_nano: 0n }, limit)
  await transaction.updateTable('budgets').set(moved).where('id', '=', budget.id).execute()
  return { ...budget, ...moved }
}
