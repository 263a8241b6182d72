import type { BudgetKind } from '../../metering/budgets/budget.ts'

/** The rows that a batch touches, read under lock, changed here, written back. What is not active or does not exist is missing. */
export interface OpenBooks {
  readonly budgets: ReadonlyMap<string, OpenBudget>
  readonly leases: ReadonlyMap<string, OpenLease>
}

/** A budget in the middle of a batch. Amounts in nano-USD, times in milliseconds. */
export interface OpenBudget {
  readonly kind: BudgetKind
  readonly subjectId: string
  readonly limit: bigint
  /** How long its window lasts once it has opened; null: it has none. */
  readonly windowMs: bigint | null
  used: bigint
  held: bigint
  overrun: bigint
  overruns: bigint
  entries: bigint
  endsAt: bigint | null
}

/** An active lease in the middle of a batch. */
export interface OpenLease {
  readonly budgetId: string
  readonly granted: bigint
  charged: bigint
}
