import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { REFUSAL_MEMORY_MS } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { Budget, GrantAnswer, LeaseStore, ShrinkWish } from './budget.ts'
import { BudgetHolders } from './budget-holders.ts'
import type { BudgetOnNode } from './local-budget.ts'

/**
 * This node's leases. Money is taken from them in memory, in one synchronous step for all budgets of a request; the
 * database is asked only when a lease runs low, which is ahead of need wherever possible.
 */
export class LeaseBook {
  readonly #holders: BudgetHolders
  readonly #store: LeaseStore
  readonly #clock: Clock
  readonly #node: LeaseHolder
  #maintenance: Promise<void> | null = null
  /** Numbers the questions, so that an answer can be told from one that was asked for too early. */
  #questions = 0

  constructor(options: { store: LeaseStore; clock: Clock; node: LeaseHolder }) {
    this.#holders = new BudgetHolders(options.clock)
    this.#store = options.store
    this.#clock = options.clock
    this.#node = options.node
  }

  /** Takes `amount` from every budget, or from none. `short`: these have too little on this node; see `replenish`. */
  take(budgets: readonly Budget[], amount: NanoUsd): TakeAnswer {
    const holders: BudgetOnNode[] = []
    for (const budget of budgets) holders.push(this.#holders.of(budget))
    const short = this.#reserve(holders, amount)
    return short === null ? { kind: 'taken', holders } : { kind: 'short', holders: short }
  }

  /**
   * Takes `amount` more on the very rows that a request began with, from all or from none. A window that has ended
   * meanwhile gives what is left of its lease.
   */
  raise(holders: readonly BudgetOnNode[], amount: NanoUsd): 'raised' | { readonly short: readonly BudgetOnNode[] } {
    const short = this.#reserve(holders, amount)
    return short === null ? 'raised' : { short }
  }

  /** On what a request draws that begins now. */
  holderOf(budget: Budget): BudgetOnNode {
    return this.#holders.of(budget)
  }

  /**
   * Asks the database for enough that `amount` can be taken. Rejects when the store does not answer. One question is under
   * way for each budget at a time: everybody who asks meanwhile waits for that one and looks again.
   */
  replenish(holder: BudgetOnNode, amount: NanoUsd): Promise<ReplenishAnswer> {
    return this.#replenish(holder, amount, false)
  }

  async #replenish(holder: BudgetOnNode, amount: NanoUsd, isAheadOfNeed: boolean): Promise<ReplenishAnswer> {
    if (!this.#node.isAlive) throw new Error('this node may spend nothing before it has renewed its life')
    const elapsed = this.#clock.elapsed()
    if (!this.#holders.mayGrow(holder)) return grownOld(holder, elapsed)
    const { refusal } = holder
    const isRemembered = refusal !== null && elapsed < refusal.untilElapsed && (isAheadOfNeed || !refusal.isAheadOfNeed)
    if (isRemembered && amount > refusal.available) return refused(refusal)
    holder.touch(elapsed)
    const pending = this.#holders.pending(holder)
    if (pending !== null) {
      await pending
      return { kind: 'look_again' }
    }
    const grant = this.#grant(holder, amount, { elapsed, isAheadOfNeed })
    holder.pending = grant.then(noValue, noValue)
    try {
      return await grant
    } finally {
      holder.pending = null
    }
  }

  /**
   * Something happened that may have closed leases of these budgets (a limit was lowered): nothing more is taken from them
   * until the database has said which are left. Rejects when it does not answer; they are out of use then all the same.
   */
  async reconsider(isConcerned: (budget: Budget) => boolean): Promise<void> {
    const concerned = this.#holders.all().filter(({ budget }) => isConcerned(budget))
    const question = this.#nextQuestion()
    for (const holder of concerned) holder.doubt(question)
    const unasked = concerned.filter((holder) => this.#holders.pending(holder) === null)
    await this.#alone(unasked, this.#look(concerned))
  }

  /** Looks which leases are still there, and gives back what is not needed. To be called several times in a node's life. */
  async maintain(): Promise<void> {
    this.#maintenance ??= this.#maintain().finally(() => {
      this.#maintenance = null
    })
    return this.#maintenance
  }

  /** The node goes on under another id, and all that was leased to the old one is closed. Running requests keep their holds. */
  loseAll(): void {
    for (const holder of this.#holders.all()) {
      holder.lose()
      holder.doubtfulLeaseId = null
    }
  }

  /** Gives everything back: the node is about to leave. Reservations must be closed and settled before. */
  async closeAll(): Promise<void> {
    await this.#maintenance?.catch(noValue)
    await Promise.all(this.#holders.all().flatMap(({ pending }) => pending ?? []))
    await this.#giveBack(this.#holders.all())
    await this.#store.closeOfNodes([this.#node.id])
  }

  /** Answers those that cannot cover the amount; null when it is reserved on all of them. */
  #reserve(holders: readonly BudgetOnNode[], amount: NanoUsd): readonly BudgetOnNode[] | null {
    if (!this.#node.isAlive) return holders
    const elapsed = this.#clock.elapsed()
    let short: BudgetOnNode[] | null = null
    for (const holder of holders) if (!holder.covers(amount, elapsed)) (short ??= []).push(holder)
    if (short !== null) return short
    for (const holder of holders) {
      holder.reserve(amount, elapsed)
      if (holder.runsLow(elapsed)) void this.#replenish(holder, amount, true).catch(ignoreAheadOfNeed)
    }
    return null
  }

  async #grant(
    holder: BudgetOnNode,
    amount: NanoUsd,
    { elapsed, isAheadOfNeed }: { elapsed: number; isAheadOfNeed: boolean },
  ): Promise<ReplenishAnswer> {
    const nowMs = this.#clock.now()
    const need = holder.missing(amount, elapsed)
    // Should the last question have opened a lease, this one raises it: so there is never more than one in doubt.
    const newLeaseId = holder.doubtfulLeaseId ?? newId('lse', nowMs)
    const nodeId = this.#node.id
    const question = this.#nextQuestion()
    let answer: GrantAnswer
    try {
      answer = await this.#store.grant({
        nodeId,
        budget: holder.budget,
        newLeaseId,
        need,
        want: nanoUsd(max(need, holder.wanted(amount, elapsed))),
        forRequest: isAheadOfNeed ? null : amount,
        nowMs,
      })
    } catch (error) {
      if (nodeId === this.#node.id) holder.doubtfulLeaseId = newLeaseId
      throw error
    }
    // Granted to an earlier life of this node: the others close it.
    if (nodeId !== this.#node.id) return { kind: 'look_again' }
    if (answer.kind === 'granted') {
      const granted = this.#holders.ofRow(answer.lease.budgetId, holder)
      granted.accept(answer, { elapsed, nowMs })
      this.#holders.clearDoubt(holder.budget.id, answer.lease.id)
      // What was granted before the lease came into doubt may be closed by now.
      if (!holder.isAnsweredBy(question) || !granted.isAnsweredBy(question)) {
        granted.doubt(this.#nextQuestion())
        await this.#look([granted])
      }
      return { kind: 'look_again' }
    }
    const { limit, endsAt } = answer
    const answeredAt = this.#clock.elapsed()
    // Less than nothing is free where requests run on money that no lease covers any more: they come first.
    const available = nanoUsd(max(answer.available + holder.free(answeredAt), 0n))
    holder.refusal = { untilElapsed: answeredAt + REFUSAL_MEMORY_MS, limit, available, endsAt, isAheadOfNeed }
    return refused(holder.refusal)
  }

  async #maintain(): Promise<void> {
    await this.#look(this.#holders.all())
    await this.#giveBack(this.#holders.idle(this.#clock.elapsed()))
    await this.#shrink(this.#holders.unasked())
    this.#holders.forget(this.#clock.elapsed())
  }

  /** Which of their leases are still there. */
  async #look(holders: readonly BudgetOnNode[]): Promise<void> {
    const elapsed = this.#clock.elapsed()
    const question = this.#nextQuestion()
    const leased = new Map<string, BudgetOnNode>()
    for (const holder of holders) if (holder.lease !== null) leased.set(holder.lease.id, holder)
    if (leased.size === 0) return
    const active = await this.#store.active(this.#node.id, [...leased.keys()])
    for (const [id, holder] of leased) {
      const endsAt = active.get(id)
      if (holder.lease?.id !== id) continue
      if (endsAt === undefined) holder.lose()
      else if (holder.isAnsweredBy(question)) holder.extend(elapsed, endsAt)
    }
  }

  /** Money that lies here unused may be what another node's requests lack. */
  async #shrink(holders: readonly BudgetOnNode[]): Promise<void> {
    const elapsed = this.#clock.elapsed()
    const wishes = new Map<BudgetOnNode, ShrinkWish>()
    for (const holder of holders) {
      const wish = holder.giveUpSurplus(elapsed)
      if (wish !== null) wishes.set(holder, wish)
    }
    if (wishes.size === 0) return
    await this.#alone([...wishes.keys()], this.#fulfil(wishes))
  }

  /** Where this fails the money stays given up, and the next maintenance wishes the same again. */
  async #fulfil(wishes: ReadonlyMap<BudgetOnNode, ShrinkWish>): Promise<void> {
    const granted = await this.#store.shrink(this.#node.id, [...wishes.values()])
    for (const [holder, { leaseId }] of wishes) {
      const amount = granted.get(leaseId)
      if (holder.lease?.id !== leaseId) continue
      if (amount === undefined) holder.lose()
      else holder.shrunk(amount)
    }
  }

  /** Nothing else is asked for these while this is under way. */
  async #alone<T>(holders: readonly BudgetOnNode[], doing: Promise<T>): Promise<T> {
    const pending = doing.then(noValue, noValue)
    for (const holder of holders) holder.pending = pending
    try {
      return await doing
    } finally {
      for (const holder of holders) holder.pending = null
    }
  }

  #nextQuestion(): number {
    this.#questions += 1
    return this.#questions
  }

  /** Whether they were given back is not known when that fails: then they are asked about the next time. */
  async #giveBack(holders: readonly BudgetOnNode[]): Promise<void> {
    const ids = holders.flatMap(({ lease, doubtfulLeaseId }) => [lease?.id ?? [], doubtfulLeaseId ?? []].flat())
    if (ids.length === 0) return
    // A grant must not raise the lease that is being closed.
    await this.#alone(holders, this.#close(holders, ids))
  }

  async #close(holders: readonly BudgetOnNode[], ids: readonly string[]): Promise<void> {
    const closed = new Set(ids)
    for (const holder of holders) {
      holder.suspend()
      holder.isLeaving = true
    }
    try {
      await this.#store.close(this.#node.id, ids)
      for (const holder of holders) {
        if (holder.lease !== null && closed.has(holder.lease.id)) holder.lose()
        holder.doubtfulLeaseId = null
      }
    } finally {
      for (const holder of holders) holder.isLeaving = false
    }
  }
}

/** This node. `id`: another one after it was taken for dead. `isAlive`: while not, nothing may be spent from its leases. */
export interface LeaseHolder {
  readonly id: string
  readonly isAlive: boolean
}

export type TakeAnswer =
  | { readonly kind: 'taken'; readonly holders: readonly BudgetOnNode[] }
  | { readonly kind: 'short'; readonly holders: readonly BudgetOnNode[] }

/**
 * `isOver`: nothing is granted there because its window has ended, whatever the next one has; see `holderOf`.
 * `endsAt`: when the period or window ends; null: never, or that is not known before its first charge.
 */
export type ReplenishAnswer =
  | { readonly kind: 'look_again' }
  | {
      readonly kind: 'refused'
      readonly limit: NanoUsd
      readonly available: NanoUsd
      readonly endsAt: number | null
      readonly isOver: boolean
    }

function refused({ limit, available, endsAt }: Refused): ReplenishAnswer {
  return { kind: 'refused', limit, available, endsAt, isOver: false }
}

type Refused = Pick<Extract<ReplenishAnswer, { kind: 'refused' }>, 'limit' | 'available' | 'endsAt'>

/** Only windows end; any other budget has got another holder, which the next look finds. */
function grownOld(holder: BudgetOnNode, elapsed: number): ReplenishAnswer {
  const { budget, endsAt } = holder
  if (budget.window === null) return { kind: 'look_again' }
  const available = nanoUsd(max(holder.free(elapsed), 0n))
  return { kind: 'refused', limit: budget.openingLimit ?? ZERO_NANO_USD, available, endsAt, isOver: true }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function noValue(): void {}

// A grant that was asked for ahead of need has nobody waiting: the next request that needs it asks again and hears why.
function ignoreAheadOfNeed(): void {}
