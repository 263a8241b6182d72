import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { REFUSAL_MEMORY_MS } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { Budget, GrantAnswer, LeaseStore, ShrinkWish } from './budget.ts'
import { LocalBudgets } from './local-budgets.ts'
import type { LocalBudget, BudgetRefusal } from './local-budget.ts'

/** So many grants that fail in a row, with none between that is answered, are a failure of the store: one may wait for a lock. */
const FAILED_GRANTS = 3

/**
 * The leases of this node. Money is taken from them in memory, in one synchronous step for all budgets of a request; the
 * database is asked only when a lease runs low, which is ahead of need wherever possible.
 */
export class LeaseBook {
  readonly #localBudgets: LocalBudgets
  readonly #store: LeaseStore
  readonly #clock: Clock
  readonly #node: LeaseHolder
  #maintenance: Promise<void> | null = null
  /** Numbers the questions, so that an answer to a question asked too early is recognised. */
  #questions = 0
  #grants = 0
  #failedGrants = 0
  #grantFailure: unknown = null

  constructor(options: { store: LeaseStore; clock: Clock; node: LeaseHolder }) {
    this.#localBudgets = new LocalBudgets(options.clock)
    this.#store = options.store
    this.#clock = options.clock
    this.#node = options.node
  }

  /** Times that the database granted money to this node, since it began. */
  get grants(): number {
    return this.#grants
  }

  /**
   * What the store said of the last grants, where several in a row failed; null: they did not. After each maintenance one more
   * that fails is enough, and one that is answered is the end of it.
   */
  get failure(): unknown {
    return this.#failedGrants < FAILED_GRANTS ? null : this.#grantFailure
  }

  /** Takes `amount` from every budget, or from none. `short`: these have too little on this node; see `replenish`. */
  take(budgets: readonly Budget[], amount: NanoUsd): TakeAnswer {
    const localBudgets: LocalBudget[] = []
    for (const budget of budgets) localBudgets.push(this.#localBudgets.of(budget))
    const short = this.#reserve(localBudgets, amount)
    return short === null ? { kind: 'taken', localBudgets } : { kind: 'short', localBudgets: short }
  }

  /**
   * Takes `amount` more on the very rows that a request began with, from all or from none. A window that has ended
   * meanwhile gives what is left of its lease.
   */
  raise(localBudgets: readonly LocalBudget[], amount: NanoUsd): 'raised' | { readonly short: readonly LocalBudget[] } {
    const short = this.#reserve(localBudgets, amount)
    return short === null ? 'raised' : { short }
  }

  /** Takes from each where all cover their amounts, or nothing from any. Returns those that cannot; null when all is taken. */
  takeEach(wanted: readonly WantedAmount[]): readonly WantedAmount[] | null {
    if (!this.#node.isAlive) return wanted
    const elapsed = this.#clock.elapsed()
    const short = wanted.filter(({ localBudget, amount }) => !localBudget.covers(amount, elapsed))
    if (short.length > 0) return short
    for (const { localBudget, taken } of wanted) this.#reserveOn(localBudget, taken, elapsed)
    return null
  }

  /** Whether what was charged has left something of each of their leases, reserved or not. */
  isAnyLeft(localBudgets: readonly LocalBudget[]): boolean {
    const elapsed = this.#clock.elapsed()
    return localBudgets.every((localBudget) => localBudget.free(elapsed) + localBudget.reserved > 0n)
  }

  /** The local budget on which a request draws that begins now. */
  holderOf(budget: Budget): LocalBudget {
    return this.#localBudgets.of(budget)
  }

  /**
   * Asks the database for enough that `amount` can be taken. Rejects when the store does not answer. One question is under
   * way for each budget at a time: all that ask meanwhile wait for that one and looks again. `forRequest`: with less than this
   * the request is refused.
   */
  replenish(localBudget: LocalBudget, amount: NanoUsd, forRequest = amount): Promise<ReplenishAnswer> {
    return this.#replenish(localBudget, amount, forRequest)
  }

  /** `forRequest`: null for what is asked ahead of need. */
  async #replenish(localBudget: LocalBudget, amount: NanoUsd, forRequest: NanoUsd | null): Promise<ReplenishAnswer> {
    const isAheadOfNeed = forRequest === null
    if (!this.#node.isAlive) throw new Error('this node may spend nothing before it has renewed its life')
    const elapsed = this.#clock.elapsed()
    if (!this.#localBudgets.mayGrow(localBudget)) return windowExpired(localBudget, elapsed)
    const { refusal } = localBudget
    const isRemembered = refusal !== null && elapsed < refusal.untilElapsed && (isAheadOfNeed || !refusal.isAheadOfNeed)
    if (isRemembered) {
      const answer = refusedBy(refusal, localBudget.free(elapsed))
      if (amount > answer.available) return answer
    }
    localBudget.touch(elapsed)
    const pending = this.#localBudgets.pending(localBudget)
    if (pending !== null) {
      await pending
      return { kind: 'look_again' }
    }
    const grant = this.#grant(localBudget, amount, { elapsed, forRequest })
    localBudget.pending = grant.then(noValue, noValue)
    try {
      return await grant
    } finally {
      localBudget.pending = null
    }
  }

  /**
   * Something happened that may have closed leases of these budgets (a limit was lowered): nothing more is taken from them
   * until the database has said which are left. Rejects when it does not answer; they are out of use then all the same.
   */
  async reconsider(isConcerned: (budget: Budget) => boolean): Promise<void> {
    const concerned = this.#localBudgets.all().filter(({ budget }) => isConcerned(budget))
    const question = this.#nextQuestion()
    for (const localBudget of concerned) localBudget.doubt(question)
    const unasked = concerned.filter((localBudget) => this.#localBudgets.pending(localBudget) === null)
    await this.#alone(unasked, this.#look(concerned))
  }

  /** There may be more to spend of these budgets (a balance was topped up): the next request asks the database again. */
  forgetRefusals(isConcerned: (budget: Budget) => boolean): void {
    const question = this.#nextQuestion()
    for (const localBudget of this.#localBudgets.all()) {
      if (isConcerned(localBudget.budget)) localBudget.forgetRefusals(question)
    }
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
    for (const localBudget of this.#localBudgets.all()) {
      localBudget.lose()
      localBudget.unconfirmedLeaseId = null
    }
  }

  /** Gives everything back: the node is about to leave. Reservations must be closed and settled before. */
  async closeAll(): Promise<void> {
    await this.#maintenance?.catch(noValue)
    await Promise.all(this.#localBudgets.all().flatMap(({ pending }) => pending ?? []))
    await this.#giveBack(this.#localBudgets.all())
    await this.#store.closeOfNodes([this.#node.id])
  }

  /** Returns those that cannot cover the amount; null when it is reserved on all of them. */
  #reserve(localBudgets: readonly LocalBudget[], amount: NanoUsd): readonly LocalBudget[] | null {
    if (!this.#node.isAlive) return localBudgets
    const elapsed = this.#clock.elapsed()
    let short: LocalBudget[] | null = null
    for (const localBudget of localBudgets) if (!localBudget.covers(amount, elapsed)) (short ??= []).push(localBudget)
    if (short !== null) return short
    for (const localBudget of localBudgets) this.#reserveOn(localBudget, amount, elapsed)
    return null
  }

  #reserveOn(localBudget: LocalBudget, amount: NanoUsd, elapsed: number): void {
    localBudget.reserve(amount, elapsed)
    if (localBudget.runsLow(elapsed)) void this.#replenish(localBudget, amount, null).catch(ignoreAheadOfNeed)
  }

  async #grant(
    localBudget: LocalBudget,
    amount: NanoUsd,
    { elapsed, forRequest }: { elapsed: number; forRequest: NanoUsd | null },
  ): Promise<ReplenishAnswer> {
    const nowMs = this.#clock.now()
    const need = localBudget.missing(amount, elapsed)
    // Should the last question have opened a lease, this one raises it: so there is never more than one in doubt.
    const newLeaseId = localBudget.unconfirmedLeaseId ?? newId('lse', nowMs)
    const nodeId = this.#node.id
    const question = this.#nextQuestion()
    let answer: GrantAnswer
    try {
      answer = await this.#store.grant({
        nodeId,
        budget: localBudget.budget,
        newLeaseId,
        need,
        want: nanoUsd(max(need, localBudget.wanted(amount, elapsed))),
        forRequest,
        nowMs,
      })
    } catch (error) {
      if (nodeId === this.#node.id) localBudget.unconfirmedLeaseId = newLeaseId
      this.#failedGrants += 1
      this.#grantFailure = error
      throw error
    }
    this.#failedGrants = 0
    this.#grantFailure = null
    // Granted to an earlier life of this node: the others close it.
    if (nodeId !== this.#node.id) return { kind: 'look_again' }
    if (answer.kind === 'granted') {
      this.#grants += 1
      const granted = this.#localBudgets.ofRow(answer.lease.budgetId, localBudget)
      granted.accept(answer, { elapsed, nowMs })
      this.#localBudgets.clearDoubt(localBudget.budget.id, answer.lease.id)
      // What was granted before the lease came into doubt may be closed by now.
      if (!localBudget.isAnsweredBy(question) || !granted.isAnsweredBy(question)) {
        granted.doubt(this.#nextQuestion())
        await this.#look([granted])
      }
      return { kind: 'look_again' }
    }
    const { limit, endsAt, used, available: beyondLease } = answer
    const answeredAt = this.#clock.elapsed()
    const isAheadOfNeed = forRequest === null
    const refusal = { untilElapsed: answeredAt + REFUSAL_MEMORY_MS, limit, beyondLease, used, endsAt, isAheadOfNeed }
    localBudget.refuse(refusal, question)
    return refusedBy(refusal, localBudget.free(answeredAt))
  }

  async #maintain(): Promise<void> {
    await this.#look(this.#localBudgets.all())
    await this.#giveBack(this.#localBudgets.idle(this.#clock.elapsed()))
    await this.#shrink(this.#localBudgets.unasked())
    this.#localBudgets.forget(this.#clock.elapsed())
    // The store has just taken a heartbeat and answered: the next grant may succeed, and finds out.
    this.#failedGrants = Math.min(this.#failedGrants, FAILED_GRANTS - 1)
  }

  /** Looks which of their leases are still there. */
  async #look(localBudgets: readonly LocalBudget[]): Promise<void> {
    const elapsed = this.#clock.elapsed()
    const question = this.#nextQuestion()
    const leased = new Map<string, LocalBudget>()
    for (const localBudget of localBudgets)
      if (localBudget.lease !== null) leased.set(localBudget.lease.id, localBudget)
    if (leased.size === 0) return
    const active = await this.#store.active(this.#node.id, [...leased.keys()])
    for (const [id, localBudget] of leased) {
      const row = active.get(id)
      if (localBudget.lease?.id !== id) continue
      if (row === undefined) localBudget.lose()
      else if (localBudget.isAnsweredBy(question)) localBudget.extend(elapsed, row)
    }
  }

  /** Money that lies here unused may be what another node's requests lack. */
  async #shrink(localBudgets: readonly LocalBudget[]): Promise<void> {
    const elapsed = this.#clock.elapsed()
    const wishes = new Map<LocalBudget, ShrinkWish>()
    for (const localBudget of localBudgets) {
      const wish = localBudget.releaseSurplus(elapsed)
      if (wish !== null) wishes.set(localBudget, wish)
    }
    if (wishes.size === 0) return
    await this.#alone([...wishes.keys()], this.#returnSurplus(wishes))
  }

  /** Where this fails the money stays given up, and the next maintenance wishes the same again. */
  async #returnSurplus(wishes: ReadonlyMap<LocalBudget, ShrinkWish>): Promise<void> {
    const granted = await this.#store.shrink(this.#node.id, [...wishes.values()])
    for (const [localBudget, { leaseId }] of wishes) {
      const amount = granted.get(leaseId)
      if (localBudget.lease?.id !== leaseId) continue
      if (amount === undefined) localBudget.lose()
      else localBudget.shrunk(amount)
    }
  }

  /** Nothing else is asked for these while this is under way. */
  async #alone<T>(localBudgets: readonly LocalBudget[], doing: Promise<T>): Promise<T> {
    const pending = doing.then(noValue, noValue)
    for (const localBudget of localBudgets) localBudget.pending = pending
    try {
      return await doing
    } finally {
      for (const localBudget of localBudgets) localBudget.pending = null
    }
  }

  #nextQuestion(): number {
    this.#questions += 1
    return this.#questions
  }

  /** Whether they were given back is not known when that fails: then they are asked about the next time. */
  async #giveBack(localBudgets: readonly LocalBudget[]): Promise<void> {
    const ids = localBudgets.flatMap(({ lease, unconfirmedLeaseId }) =>
      [lease?.id ?? [], unconfirmedLeaseId ?? []].flat(),
    )
    if (ids.length === 0) return
    // A grant must not raise the lease that is being closed.
    await this.#alone(localBudgets, this.#close(localBudgets, ids))
  }

  async #close(localBudgets: readonly LocalBudget[], ids: readonly string[]): Promise<void> {
    const closed = new Set(ids)
    for (const localBudget of localBudgets) {
      localBudget.suspend()
      localBudget.isLeaving = true
    }
    try {
      await this.#store.close(this.#node.id, ids)
      for (const localBudget of localBudgets) {
        if (localBudget.lease !== null && closed.has(localBudget.lease.id)) localBudget.lose()
        localBudget.unconfirmedLeaseId = null
      }
    } finally {
      for (const localBudget of localBudgets) localBudget.isLeaving = false
    }
  }
}

/** The node that holds leases. `id`: another one after it was taken for dead. `isAlive`: while not, nothing may be spent from its leases. */
export interface LeaseHolder {
  readonly id: string
  readonly isAlive: boolean
}

/** An amount of one budget. */
export interface WantedAmount {
  readonly localBudget: LocalBudget
  /** What has to be there, and how much of that is taken. */
  readonly amount: NanoUsd
  readonly taken: NanoUsd
}

export type TakeAnswer =
  | { readonly kind: 'taken'; readonly localBudgets: readonly LocalBudget[] }
  | { readonly kind: 'short'; readonly localBudgets: readonly LocalBudget[] }

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

/** `free`: of the lease by now, since requests end while a refusal is remembered. */
function refusedBy(
  { limit, beyondLease, endsAt }: BudgetRefusal,
  free: bigint,
): Extract<ReplenishAnswer, { kind: 'refused' }> {
  // Less than nothing is free where requests run on money that no lease covers any more: they come first.
  return { kind: 'refused', limit, available: nanoUsd(max(beyondLease + free, 0n)), endsAt, isOver: false }
}

/** Only windows end; any other budget has got another localBudget, which the next look finds. */
function windowExpired(localBudget: LocalBudget, elapsed: number): ReplenishAnswer {
  const { budget, endsAt } = localBudget
  if (budget.window === null) return { kind: 'look_again' }
  const available = nanoUsd(max(localBudget.free(elapsed), 0n))
  return { kind: 'refused', limit: budget.openingLimit ?? ZERO_NANO_USD, available, endsAt, isOver: true }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function noValue(): void {}

// A grant that was asked for ahead of need has no request waiting: the next request that needs it asks again and hears why.
function ignoreAheadOfNeed(): void {}
