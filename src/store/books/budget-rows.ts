import { type Selectable } from 'kysely'
import type { Budget } from '../../metering/budget.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { BudgetRow } from '../schema/tables.ts'

export type StoredBudget = Selectable<BudgetRow>

/** The row of a budget that nothing was drawn from yet. */
export function newBudgetRow(budget: Budget): BudgetRow {
  return {
    id: budget.id,
    kind: budget.kind,
    subject_id: budget.subjectId,
    limit_nano: budget.openingLimit ?? 0n,
    used_nano: 0n,
    held_nano: 0n,
    overrun_nano: 0n,
    overruns: 0,
    ends_at: budget.endsAt,
    entries: 0,
  }
}

/** The budget, locked until the end of the transaction. */
export function lockBudget(transaction: TablesTransaction, id: string): Promise<StoredBudget | undefined> {
  return transaction.selectFrom('budgets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** What is neither used nor held; less than zero after an overrun. */
export function availableIn(budget: Pick<StoredBudget, 'limit_nano' | 'used_nano' | 'held_nano'>): bigint {
  return budget.limit_nano - budget.used_nano - budget.held_nano
}

/**
 * Gives a budget another limit. One below what is already used and held is a rightful overrun: nothing more is granted, and
 * the books still balance.
 */
export function movedLimit(budget: StoredBudget, limit: bigint): Pick<BudgetRow, 'limit_nano' | 'overrun_nano'> {
  const beyond = budget.used_nano + budget.held_nano - limit
  return { limit_nano: limit, overrun_nano: beyond > budget.overrun_nano ? beyond : budget.overrun_nano }
}
