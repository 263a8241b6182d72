import type { Clock } from '../../core/clock.ts'
import type { Budget } from './budget.ts'
import { BudgetOnNode } from './local-budget.ts'

/**
 * The budgets that this node has to do with: for each the holder that new requests draw on, and those of earlier windows
 * while requests still run on them.
 */
export class BudgetHolders {
  readonly #current = new Map<string, BudgetOnNode>()
  /** By the id of the budget. */
  readonly #retired = new Map<string, BudgetOnNode[]>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The holder for a new request. The wall clock is read only for windows that have an end. */
  of(budget: Budget): BudgetOnNode {
    const holder = this.#current.get(budget.id)
    if (holder !== undefined && this.#goesOn(holder)) return holder
    return this.#replace(holder, new BudgetOnNode(budget))
  }

  /** Whether more may be granted for it: not when its window is over. One that was forgotten meanwhile is taken up again. */
  mayGrow(holder: BudgetOnNode): boolean {
    const { id } = holder.budget
    const current = this.#current.get(id)
    if (current === undefined && !this.#retiredOf(id).includes(holder)) this.#current.set(id, holder)
    else if (current !== holder) return false
    return this.#goesOn(holder)
  }

  /** A question or return under way, of any window of the budget: a lease must not be given back and raised at once. */
  pending(holder: BudgetOnNode): Promise<void> | null {
    if (holder.pending !== null || holder.budget.window === null) return holder.pending
    return this.#windowsOf(holder.budget.id).find(({ pending }) => pending !== null)?.pending ?? null
  }

  /**
   * The holder of the row on which the database granted what was asked for `asked`. From then on it serves new requests:
   * the window that `asked` knew was followed by another, or a clock was put back and an earlier one goes on.
   */
  ofRow(rowId: string, asked: BudgetOnNode): BudgetOnNode {
    if (asked.row === rowId) return asked
    const windows = this.#windowsOf(asked.budget.id)
    const holder =
      windows.find(({ row }) => row === rowId) ??
      windows.find(({ row }) => row === null) ??
      new BudgetOnNode(asked.budget)
    return this.#replace(this.#current.get(asked.budget.id), holder)
  }

  /** All of them, those of earlier windows included. */
  all(): readonly BudgetOnNode[] {
    return [...this.#current.values(), ...[...this.#retired.values()].flat()]
  }

  /**
   * Those with something to give back: where nothing runs, earlier windows at once and others when they were idle for long;
   * and leases of which nobody knows whether they are there.
   */
  idle(elapsed: number): readonly BudgetOnNode[] {
    const retired = [...this.#retired.values()].flat().filter((holder) => holder.isAtRest())
    const current = [...this.#current.values()].filter((holder) => holder.isIdle(elapsed) || holder.isInDoubt())
    return [...retired, ...current].filter((holder) => !holder.isBare() && this.pending(holder) === null)
  }

  /** Those that new requests draw on and nothing is asked for, for some of what they have to be given back. */
  unasked(): readonly BudgetOnNode[] {
    return [...this.#current.values()].filter((holder) => holder.lease !== null && this.pending(holder) === null)
  }

  /** This lease is there, on one of the budget's windows: nobody needs to wonder any more whether it is. */
  clearDoubt(budgetId: string, leaseId: string): void {
    for (const holder of this.#windowsOf(budgetId)) {
      if (holder.doubtfulLeaseId === leaseId) holder.doubtfulLeaseId = null
    }
  }

  /** Drops those that nobody needs any more. */
  forget(elapsed: number): void {
    for (const [id, holder] of this.#current) if (holder.isForgettable(elapsed)) this.#current.delete(id)
    for (const [id, holders] of this.#retired) {
      const needed = holders.filter((holder) => !holder.isBare())
      if (needed.length === 0) this.#retired.delete(id)
      else this.#retired.set(id, needed)
    }
  }

  /** Makes `next` the one for new requests. One that never got a row has nothing that could run on. */
  #replace(before: BudgetOnNode | undefined, next: BudgetOnNode): BudgetOnNode {
    if (before === next) return next
    const { id } = next.budget
    this.#current.set(id, next)
    const retired = this.#retiredOf(id).filter((holder) => holder !== next)
    if (before !== undefined && before.row !== null) retired.push(before)
    if (retired.length > 0) this.#retired.set(id, retired)
    else this.#retired.delete(id)
    return next
  }

  #goesOn(holder: BudgetOnNode): boolean {
    return holder.endsAt === null || !holder.isOver(this.#clock.now())
  }

  #windowsOf(budgetId: string): readonly BudgetOnNode[] {
    const current = this.#current.get(budgetId)
    return current === undefined ? this.#retiredOf(budgetId) : [current, ...this.#retiredOf(budgetId)]
  }

  #retiredOf(budgetId: string): readonly BudgetOnNode[] {
    return this.#retired.get(budgetId) ?? []
  }
}
