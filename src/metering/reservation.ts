import { invariant } from '../core/invariant.ts'
import type { NanoUsd } from '../core/money.ts'
import type { BudgetOnNode } from './budget-on-node.ts'
import type { Charge } from './settlement.ts'

/**
 * Money held for one running request, the same amount in each of its budgets. It is closed once: settled with what the
 * request cost, or released when nothing was consumed.
 */
export class Reservation {
  readonly amount: NanoUsd
  readonly #holders: readonly BudgetOnNode[]
  #isOpen = true

  constructor(holders: readonly BudgetOnNode[], amount: NanoUsd) {
    this.#holders = holders
    this.amount = amount
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Closes it with the request's cost; the charges then go to the settle queue, and `settled` is called once they are durable. */
  settle(cost: NanoUsd): readonly Charge[] {
    this.#close()
    return this.#holders.map((holder) => ({
      budgetId: holder.budget.id,
      leaseId: holder.charge(this.amount, cost),
      cost,
    }))
  }

  /** The charges of `settle` are in the database. */
  settled(): void {
    for (const holder of this.#holders) holder.settled()
  }

  /** Closes it without a charge: the request was never sent, or no target took it. */
  release(): void {
    this.#close()
    for (const holder of this.#holders) holder.release(this.amount)
  }

  #close(): void {
    invariant(this.#isOpen, 'a reservation is closed once')
    this.#isOpen = false
  }
}
