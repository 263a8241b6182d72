import { WAITING_FOR_MONEY_LIMIT } from '../../core/limits.ts'

/** Requests that wait for money which others hold, and may not need in the end. */
export class WaitingForMoney {
  readonly #byBudget = new Map<string, Set<() => void>>()
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /**
   * Resolves to true when something came free of one of these budgets; to false when nothing did for so many milliseconds, or
   * when there is no budget or no room to wait.
   */
  async wait(budgetIds: readonly string[], forMs: number): Promise<boolean> {
    if (budgetIds.length === 0 || forMs <= 0 || this.#count >= WAITING_FOR_MONEY_LIMIT) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake = () => resolve(true)
    const timer = setTimeout(() => resolve(false), forMs)
    this.#count += 1
    for (const id of budgetIds) this.#of(id).add(wake)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#count -= 1
      for (const id of budgetIds) this.#leave(id, wake)
    }
  }

  /** Some of this budget came free. */
  freed(budgetId: string): void {
    for (const wake of this.#byBudget.get(budgetId) ?? []) wake()
  }

  #of(id: string): Set<() => void> {
    const waiting = this.#byBudget.get(id) ?? new Set()
    this.#byBudget.set(id, waiting)
    return waiting
  }

  #leave(id: string, wake: () => void): void {
    const waiting = this.#byBudget.get(id)
    waiting?.delete(wake)
    if (waiting?.size === 0) this.#byBudget.delete(id)
  }
}
