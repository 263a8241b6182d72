import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { LEASE_LIFE_MS, LEASE_USABLE_PART, REFUSAL_MEMORY_MS } from '../core/limits.ts'
import { type NanoUsd, nanoUsd } from '../core/money.ts'
import type { Budget, LeaseStore } from './budget.ts'
import { BudgetOnNode } from './budget-on-node.ts'

/**
 * This node's leases. Money is taken from them in memory, in one synchronous step for all budgets of a request; the
 * database is asked only when a lease runs low, which is ahead of need wherever possible.
 */
export class LeaseBook {
  readonly #budgets = new Map<string, BudgetOnNode>()
  readonly #store: LeaseStore
  readonly #clock: Clock
  readonly #nodeId: string

  constructor(options: { store: LeaseStore; clock: Clock; nodeId: string }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#nodeId = options.nodeId
  }

  /** Takes `amount` from every budget, or from none. `short`: these have too little on this node; see `replenish`. */
  take(budgets: readonly Budget[], amount: NanoUsd): TakeAnswer {
    const elapsed = this.#clock.elapsed()
    const holders = budgets.map((budget) => this.#onNode(budget))
    const short = holders.filter((holder) => !holder.covers(amount, elapsed))
    if (short.length > 0) return { kind: 'short', holders: short }
    for (const holder of holders) {
      holder.reserve(amount, elapsed)
      if (holder.runsLow(elapsed)) void this.replenish(holder, amount).catch(ignoreAheadOfNeed)
    }
    return { kind: 'taken', holders }
  }

  /**
   * Asks the database for enough that `amount` can be taken. Rejects when the store does not answer. One question is under
   * way for each budget at a time: everybody who asks meanwhile waits for that one and looks again.
   */
  async replenish(holder: BudgetOnNode, amount: NanoUsd): Promise<ReplenishAnswer> {
    const elapsed = this.#clock.elapsed()
    const refusal = holder.refusal
    if (refusal !== null && elapsed < refusal.untilElapsed && amount > refusal.available) {
      return { kind: 'refused', limit: refusal.limit, available: refusal.available }
    }
    if (holder.pending !== null) {
      await holder.pending
      return { kind: 'look_again' }
    }
    const grant = this.#grant(holder, amount, elapsed)
    holder.pending = grant.then(noValue, noValue)
    try {
      return await grant
    } finally {
      holder.pending = null
    }
  }

  async #grant(holder: BudgetOnNode, amount: NanoUsd, askedAtElapsed: number): Promise<ReplenishAnswer> {
    const nowMs = this.#clock.now()
    const need = holder.missing(amount, askedAtElapsed)
    const answer = await this.#store.grant({
      nodeId: this.#nodeId,
      budget: holder.budget,
      newLeaseId: newId('lse', nowMs),
      need,
      want: nanoUsd(max(need, holder.wanted(amount, askedAtElapsed))),
      nowMs,
      expiresAtMs: nowMs + LEASE_LIFE_MS,
    })
    if (answer.kind === 'granted') {
      holder.accept(answer.lease, { elapsed: askedAtElapsed, usableUntil: usableUntil(askedAtElapsed) })
      return { kind: 'look_again' }
    }
    const own = holder.free(this.#clock.elapsed())
    const available = nanoUsd(answer.available + (own > 0n ? own : 0n))
    holder.refusal = { untilElapsed: this.#clock.elapsed() + REFUSAL_MEMORY_MS, limit: answer.limit, available }
    return { kind: 'refused', limit: answer.limit, available }
  }

  /** Extends the leases in use and gives idle ones back. To be called several times in a lease's life. */
  async maintain(): Promise<void> {
    const elapsed = this.#clock.elapsed()
    const inUse: string[] = []
    const idle: BudgetOnNode[] = []
    for (const [id, holder] of this.#budgets) {
      holder.dropLost(elapsed)
      if (holder.isIdle(elapsed)) idle.push(holder)
      else if (holder.lease !== null) inUse.push(holder.lease.id)
      if (holder.isForgettable(elapsed)) this.#budgets.delete(id)
    }
    await this.#giveBack(idle)
    if (inUse.length === 0) return
    const renewed = new Set(await this.#store.renew(this.#nodeId, inUse, this.#clock.now() + LEASE_LIFE_MS))
    for (const holder of this.#budgets.values()) {
      if (holder.lease === null || !inUse.includes(holder.lease.id)) continue
      if (renewed.has(holder.lease.id)) holder.extend(usableUntil(elapsed))
      else holder.lose()
    }
  }

  /** Gives everything back: the node is about to leave. Reservations must be closed and settled before. */
  async closeAll(): Promise<void> {
    await this.#giveBack([...this.#budgets.values()])
    // Those that were given up because they could not be renewed in time may still be open.
    await this.#store.closeOfNode(this.#nodeId)
  }

  async #giveBack(holders: readonly BudgetOnNode[]): Promise<void> {
    const leased = holders.filter((holder) => holder.lease !== null)
    if (leased.length === 0) return
    const ids = leased.flatMap((holder) => holder.lease?.id ?? [])
    const closing = this.#store.close(this.#nodeId, ids)
    for (const holder of leased) {
      holder.lose()
      // A grant must not raise the lease that is being closed.
      holder.pending = closing.then(noValue, noValue)
    }
    try {
      await closing
    } finally {
      for (const holder of leased) holder.pending = null
    }
  }

  #onNode(budget: Budget): BudgetOnNode {
    let holder = this.#budgets.get(budget.id)
    if (holder === undefined) {
      holder = new BudgetOnNode(budget)
      this.#budgets.set(budget.id, holder)
    }
    return holder
  }
}

export type TakeAnswer =
  | { readonly kind: 'taken'; readonly holders: readonly BudgetOnNode[] }
  | { readonly kind: 'short'; readonly holders: readonly BudgetOnNode[] }

export type ReplenishAnswer =
  | { readonly kind: 'look_again' }
  | { readonly kind: 'refused'; readonly limit: NanoUsd; readonly available: NanoUsd }

function usableUntil(fromElapsed: number): number {
  return fromElapsed + LEASE_LIFE_MS * LEASE_USABLE_PART
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function noValue(): void {}

// A grant that was asked for ahead of need has nobody waiting: the next request that needs it asks again and hears why.
function ignoreAheadOfNeed(): void {}
