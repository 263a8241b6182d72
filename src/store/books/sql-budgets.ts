import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { Budget, BudgetState, BudgetStore } from '../../metering/budgets/budget.ts'
import { SqlStore } from '../engine/database.ts'
import { isOver, type StoredBudget } from './budget-rows.ts'
import { windowIds } from './window-rows.ts'

/** Budgets in one statement. */
const PORTION = 100

export class SqlBudgetStore extends SqlStore implements BudgetStore {
  async states(budgets: readonly Budget[], nowMs: number): Promise<readonly BudgetState[]> {
    const states: BudgetState[] = []
    for (let start = 0; start < budgets.length; start += PORTION) {
      const portion = budgets.slice(start, start + PORTION)
      const rows = await this.#newestRows(portion)
      states.push(...portion.map((budget) => stateOf(budget, rows.get(budget.id), nowMs)))
    }
    return states
  }

  /** Reads the newest row of each budget, by its id. */
  async #newestRows(budgets: readonly Budget[]): Promise<ReadonlyMap<string, StoredBudget>> {
    const rows = await this.database.kysely
      .selectFrom('budgets')
      .selectAll()
      .where((row) =>
        row.or(
          budgets.map((budget) => {
            if (budget.window === null) return row('id', '=', budget.id)
            const [first, last] = windowIds(budget.id)
            const newest = row
              .selectFrom('budgets as windows')
              .select((window) => window.fn.max('windows.id').as('id'))
              .where('windows.id', '>=', first)
              .where('windows.id', '<=', last)
            return row('id', '=', newest)
          }),
        ),
      )
      .execute()
    return new Map(rows.map((row) => [row.window_ms === null ? row.id : row.id.slice(0, row.id.lastIndexOf(':')), row]))
  }
}

function stateOf(budget: Budget, row: StoredBudget | undefined, nowMs: number): BudgetState {
  if (row === undefined || isOver(row, nowMs)) {
    return {
      limit: budget.openingLimit ?? ZERO_NANO_USD,
      used: ZERO_NANO_USD,
      held: ZERO_NANO_USD,
      endsAt: budget.endsAt,
    }
  }
  return {
    limit: nanoUsd(row.limit_nano),
    used: nanoUsd(row.used_nano),
    held: nanoUsd(row.held_nano),
    endsAt: row.ends_at,
  }
}
