import type { Clock } from '../../core/clock.ts'
import type { Budget } from './budget.ts'
import { LocalBudget } from './local-budget.ts'

/**
 * The budgets that this node has to do with: for each the localBudget that new requests draw on, and those of earlier windows
 * while requests still run on them.
 */
export class LocalBudgets {
  readonly #current = new Map<string, LocalBudget>()
  /** Earlier windows, by the id of the budget. */
  readonly #retired = new Map<string, LocalBudget[]>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The localBudget for a new request. The wall clock is read only for windows that have an end. */
  of(budget: Budget): LocalBudget {
    const localBudget = this.#current.get(budget.id)
    if (localBudget !== undefined && this.#goesOn(localBudget)) return localBudget
    return this.#replace(localBudget, new LocalBudget(budget))
  }

  /** Whether more may be granted for it: not when its window is over. One that was forgotten meanwhile is taken up again. */
  mayGrow(localBudget: LocalBudget): boolean {
    const { id } = localBudget.budget
    const current = this.#current.get(id)
    if (current === undefined && !this.#retiredOf(id).includes(localBudget)) this.#current.set(id, localBudget)
    else if (current !== localBudget) return false
    return this.#goesOn(localBudget)
  }

  /** A question or return under way, of any window of the budget: a lease must not be given back and raised at once. */
  pending(localBudget: LocalBudget): Promise<void> | null {
    if (localBudget.pending !== null || localBudget.budget.window === null) return localBudget.pending
    return this.#windowsOf(localBudget.budget.id).find(({ pending }) => pending !== null)?.pending ?? null
  }

  /**
   * The localBudget of the row on which the database granted what was asked for `asked`. From then on it serves new requests:
   * the window that `asked` knew was followed by another, or a clock was put back and an earlier one goes on.
   */
  ofRow(rowId: string, asked: LocalBudget): LocalBudget {
    if (asked.row === rowId) return asked
    const windows = this.#windowsOf(asked.budget.id)
    const localBudget =
      windows.find(({ row }) => row === rowId) ??
      windows.find(({ row }) => row === null) ??
      new LocalBudget(asked.budget)
    return this.#replace(this.#current.get(asked.budget.id), localBudget)
  }

  /** All of them, those of earlier windows included. */
  all(): readonly LocalBudget[] {
    return [...this.#current.values(), ...[...this.#retired.values()].flat()]
  }

  /**
   * Budgets with something to give back: where nothing runs, earlier windows at once and others when they were idle for long;
   * and leases that may or may not exist.
   */
  idle(elapsed: number): readonly LocalBudget[] {
    const retired = [...this.#retired.values()].flat().filter((localBudget) => localBudget.isAtRest())
    const current = [...this.#current.values()].filter(
      (localBudget) => localBudget.isIdle(elapsed) || localBudget.isInDoubt(),
    )
    return [...retired, ...current].filter((localBudget) => !localBudget.isBare() && this.pending(localBudget) === null)
  }

  /** Budgets that new requests draw on and nothing is asked for, for some of what they have to be given back. */
  unasked(): readonly LocalBudget[] {
    return [...this.#current.values()].filter(
      (localBudget) => localBudget.lease !== null && this.pending(localBudget) === null,
    )
  }

  /** Takes the doubt off a lease that is there, on one of the budget's windows. */
  clearDoubt(budgetId: string, leaseId: string): void {
    for (const localBudget of this.#windowsOf(budgetId)) {
      if (localBudget.unconfirmedLeaseId === leaseId) localBudget.unconfirmedLeaseId = null
    }
  }

  /** Drops the unused ones. */
  forget(elapsed: number): void {
    for (const [id, localBudget] of this.#current) if (localBudget.isForgettable(elapsed)) this.#current.delete(id)
    for (const [id, localBudgets] of this.#retired) {
      const needed = localBudgets.filter((localBudget) => !localBudget.isBare())
      if (needed.length === 0) this.#retired.delete(id)
      else this.#retired.set(id, needed)
    }
  }

  /** Makes `next` the one for new requests. One that never got a row has nothing that could run on. */
  #replace(before: LocalBudget | undefined, next: LocalBudget): LocalBudget {
    if (before === next) return next
    const { id } = next.budget
    this.#current.set(id, next)
    const retired = this.#retiredOf(id).filter((localBudget) => localBudget !== next)
    if (before !== undefined && before.row !== null) retired.push(before)
    if (retired.length > 0) this.#retired.set(id, retired)
    else this.#retired.delete(id)
    return next
  }

  #goesOn(localBudget: LocalBudget): boolean {
    return localBudget.endsAt === null || !localBudget.isOver(this.#clock.now())
  }

  #windowsOf(budgetId: string): readonly LocalBudget[] {
    const current = this.#current.get(budgetId)
    return current === undefined ? this.#retiredOf(budgetId) : [current, ...this.#retiredOf(budgetId)]
  }

  #retiredOf(budgetId: string): readonly LocalBudget[] {
    return this.#retired.get(budgetId) ?? []
  }
}
