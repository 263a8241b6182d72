import type { Clock } from '../../core/clock.ts'
import type { Fault } from '../../core/faults.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { AdmissionRequest } from './admission-request.ts'
import type { Budget } from '../budgets/budget.ts'
import type { LocalBudget } from '../budgets/local-budget.ts'
import { balanceExhausted, capExhausted, limitReached, type Shortage, subscriptionExhausted } from './exhaustion.ts'
import { type CountedUse, together } from '../limits/counted-use.ts'
import { type KeyLimits, LimitTaken } from '../limits/key-limits.ts'
import type { EstimatedTokens, Limited } from '../limits/limit-terms.ts'
import type { LeaseBook, ReplenishAnswer } from '../budgets/lease-book.ts'
import { Portions } from './portions.ts'
import { type HeldAtFirst, Reservation } from './reservation.ts'
import { WaitingForMoney } from './waiting-for-money.ts'

/** A request that had to wait for grants looks at most this often; each look follows a grant. */
const LOOKS_LIMIT = 256

interface RefusedAdmission {
  readonly localBudget: LocalBudget
  readonly answer: Extract<ReplenishAnswer, { kind: 'refused' }>
}

/** A budget that this node has too little of, and how much a request needs of it. */
interface Short {
  readonly localBudget: LocalBudget
  readonly amount: NanoUsd
}

export interface AdmissionOptions {
  readonly leases: LeaseBook
  readonly limits: KeyLimits
  readonly clock: Clock
  /** How long a request may wait for money that running requests hold and may not need, in milliseconds; 0: not at all. */
  readonly patienceMs?: number
}

/**
 * Admits a request or throws the one fault that stops it; refused means that nothing was consumed, of any limit. Returns at
 * once when this node's leases cover all that it may cost, which is nearly always, else after asking the database. Where
 * there is less, a request that can do with less holds what is there.
 */
export class Admission {
  readonly #leases: LeaseBook
  readonly #limits: KeyLimits
  readonly #clock: Clock
  readonly #patienceMs: number
  readonly #waiting = new WaitingForMoney()
  /** Budgets of requests that run exclusively. */
  readonly #taken = new Set<string>()
  /** The requests that are. */
  readonly #exclusive = new WeakSet<Reservation>()

  constructor(options: AdmissionOptions) {
    this.#leases = options.leases
    this.#limits = options.limits
    this.#clock = options.clock
    this.#patienceMs = options.patienceMs ?? 0
  }

  /** `patienceMs`: as long as any request waits, unless given. */
  admit(request: AdmissionRequest, patienceMs = this.#patienceMs): Reservation | Promise<Reservation> {
    const counting = this.#limits.isExact === true ? this.#countOnAllNodes(request) : null
    if (counting === null) return this.#admit(request, patienceMs)
    return this.#admitCounted(request, { counting, patienceMs })
  }

  #countOnAllNodes({ key, account, tokens }: AdmissionRequest): Promise<CountedUse | null> | null {
    return this.#limits.countOnAllNodes(account === undefined ? [key] : [key, account], tokens)
  }

  async #admitCounted(
    request: AdmissionRequest,
    { counting, patienceMs }: { counting: Promise<CountedUse | null>; patienceMs: number },
  ): Promise<Reservation> {
    const counted = await counting.catch((error: unknown) => {
      if (!(error instanceof LimitTaken)) throw error
      throw limitReached(error.refusal, request.tokens, error.of === 0 ? 'key' : 'account')
    })
    if (counted === null) return this.#admit(request, patienceMs)
    try {
      return await this.#admit({ ...request, counted }, patienceMs)
    } catch (fault) {
      // The next request of the same caller may go to another node.
      await counted.undo()
      throw fault
    }
  }

  #admit(request: AdmissionRequest, patienceMs: number): Reservation | Promise<Reservation> {
    this.#checkLimits(request)
    const [paying] = request.sources
    const budgets = paying === undefined ? request.caps : [...request.caps, ...paying.budgets]
    const answer = this.#leases.take(budgets, request.amount)
    if (answer.kind === 'short') return this.#admitAfterGrants(request, patienceMs)
    const caps = request.caps.length
    return this.#reservation(request, {
      amount: request.amount,
      caps: caps === 0 ? [] : answer.localBudgets.slice(0, caps),
      paying:
        paying === undefined
          ? []
          : [
              {
                source: 0,
                localBudgets: caps === 0 ? answer.localBudgets : answer.localBudgets.slice(caps),
                amount: request.amount,
              },
            ],
    })
  }

  /**
   * Holds `amount` more for a running request, from the budgets it began with and from the next that can pay: what one has
   * left is used before the next. Returns null when all of it is held, at once where this node's leases cover it; else how
   * much is, and what stands in the way of the rest.
   */
  extend(reservation: Reservation, amount: NanoUsd): null | Promise<Extension> {
    const answer = this.#leases.raise(reservation.localBudgets, amount)
    if (answer === 'raised') {
      reservation.grew(amount)
      return null
    }
    return this.#extendAfterGrants(reservation, amount)
  }

  /** Whether a request holds less than it may cost, so that no other such request runs beside it. */
  isExclusive(reservation: Reservation): boolean {
    return this.#exclusive.has(reservation)
  }

  /**
   * Holds `amount` more for a running request whose cost turned out to have no bound; where there is less, it runs exclusively from then
   * on, as soon as it can and if anything is left then. Resolves to false when it cannot within so many milliseconds, or ended.
   */
  async extendOrRunExclusively(reservation: Reservation, amount: NanoUsd, patienceMs: number): Promise<boolean> {
    const until = this.#clock.elapsed() + patienceMs
    const wanted = reservation.amount + amount
    const ids = reservation.allLocalBudgets.map(({ budget }) => budget.id)
    for (let look = 0; look < LOOKS_LIMIT && reservation.isOpen; look++) {
      const extended = this.extend(reservation, nanoUsd(wanted - reservation.amount))
      if (extended === null || (await extended).fault === null) return reservation.isOpen
      if (!ids.some((id) => this.#taken.has(id))) {
        if (!reservation.isOpen || !this.#leases.isAnyLeft(reservation.localBudgets)) return false
        this.#makeExclusive(reservation)
        return true
      }
      if (!(await this.#waiting.wait(ids, until - this.#clock.elapsed()))) return false
    }
    return false
  }

  #checkLimits({ key, account, tokens, counted }: AdmissionRequest): void {
    if (counted !== undefined) return
    const limit = this.#limits.refusal(key, tokens)
    if (limit !== null) throw limitReached(limit, tokens, 'key')
    const shared = account === undefined ? null : this.#limits.refusal(account, tokens)
    if (shared !== null) throw limitReached(shared, tokens, 'account')
  }

  #reservation(request: AdmissionRequest, held: HeldAtFirst): Reservation {
    let use: CountedUse | null
    try {
      use = this.#count(request)
    } catch (fault) {
      new Reservation(request, { ...held, use: null, onClosed: this.#onClosed }).release('never_sent')
      throw fault
    }
    return new Reservation(request, { ...held, use, onClosed: this.#onClosed })
  }

  /** Throws the fault where another thread has taken what was free when the limits were checked. */
  #count({ key, account, tokens, counted }: AdmissionRequest): CountedUse | null {
    if (counted !== undefined) return counted
    const own = this.#begin(key, tokens, 'key')
    if (account === undefined) return own
    try {
      const other = this.#begin(account, tokens, 'account')
      return own === null || other === null ? (own ?? other) : together([own, other])
    } catch (fault) {
      void own?.undo()
      throw fault
    }
  }

  #begin(limited: Limited, tokens: EstimatedTokens, of: 'key' | 'account'): CountedUse | null {
    try {
      return this.#limits.begin(limited, tokens)
    } catch (error) {
      throw error instanceof LimitTaken ? limitReached(error.refusal, tokens, of) : error
    }
  }

  readonly #onClosed = (reservation: Reservation): void => {
    if (this.#waiting.isEmpty) return
    for (const localBudget of reservation.allLocalBudgets) this.#waiting.freed(localBudget.budget.id)
  }

  /** Counts, then every budget, in one synchronous step: nothing is taken unless everything is. */
  #attempt(request: AdmissionRequest, portions: Portions): Reservation | readonly Short[] {
    this.#checkLimits(request)
    const taken = portions.taken()
    const amount = nanoUsd(taken.reduce((sum, portion) => sum + portion.amount, 0n))
    const caps = request.caps.map((budget) => this.#leases.holderOf(budget))
    const paying = taken.map((portion) => ({
      ...portion,
      localBudgets: (request.sources[portion.source]?.budgets ?? []).map((budget) => this.#leases.holderOf(budget)),
    }))
    // All that is there has to be known before a part of it is taken.
    const there = nanoUsd(portions.total)
    const wanted = [
      ...caps.map((localBudget) => ({ localBudget, amount: there, taken: amount })),
      ...portions.there().flatMap(({ source, amount: of }) =>
        (request.sources[source]?.budgets ?? []).map((budget) => ({
          localBudget: this.#leases.holderOf(budget),
          amount: of,
          taken: taken.find((portion) => portion.source === source)?.amount ?? ZERO_NANO_USD,
        })),
      ),
    ]
    const short = this.#leases.takeEach(wanted)
    if (short !== null) return short
    const reservation = this.#reservation(request, { amount, caps, paying })
    if (portions.mustBeExclusive) this.#makeExclusive(reservation)
    return reservation
  }

  /** No other request that has to run exclusively begins on these budgets before this one has ended. */
  #makeExclusive(reservation: Reservation): void {
    const ids = reservation.allLocalBudgets.map(({ budget }) => budget.id)
    for (const id of ids) this.#taken.add(id)
    this.#exclusive.add(reservation)
    reservation.whenClosed(() => {
      for (const id of ids) this.#taken.delete(id)
    })
  }

  async #admitAfterGrants(request: AdmissionRequest, patienceMs: number): Promise<Reservation> {
    const until = this.#clock.elapsed() + patienceMs
    let portions = new Portions(request)
    let refusals: RefusedAdmission[] = []
    let last: RefusedAdmission | null = null
    let freedBefore = this.#timesFreed(request)
    const startAgain = () => {
      portions = new Portions(request)
      refusals = []
      freedBefore = this.#timesFreed(request)
    }
    for (let look = 0; look < LOOKS_LIMIT; look++) {
      const attempt = this.#isKeptOut(request, portions) ? [] : this.#attempt(request, portions)
      if (attempt instanceof Reservation) {
        const emptied = last
        if (emptied !== null) attempt.lacks = () => this.#faultOf(request, { emptied, refusals })
        return attempt
      }
      const refused = await this.#replenishAll(attempt, portions.least)
      if (attempt.length > 0 && (refused === null || refused.answer.isOver)) continue
      last = refused ?? last
      if (refused !== null && portions.lower(refused.localBudget.budget, refused.answer.available)) {
        if (!this.#isCap(request, refused.localBudget.budget)) refusals.push(refused)
        continue
      }
      // Too little, or another runs exclusively: what runs may end with less than it holds, if it has not by now.
      if (this.#timesFreed(request) === freedBefore) {
        const waited = await this.#waiting.wait(this.#heldByOthers(request), until - this.#clock.elapsed())
        if (!waited) throw this.#faultOf(request, { emptied: last, refusals })
      }
      startAgain()
    }
    // Others were always faster, where there was enough for it.
    const isEnough = last === null || last.answer.available >= portions.least
    throw isEnough ? plainFault('store_unavailable') : this.#faultOf(request, { emptied: last, refusals })
  }

  /** Budgets of the request that running requests hold something of. */
  #heldByOthers(request: AdmissionRequest): readonly string[] {
    return budgetsOf(request)
      .filter((budget) => this.#leases.holderOf(budget).reserved > 0n)
      .map(({ id }) => id)
  }

  /** How often something of the request's budgets came free, to be compared with later. */
  #timesFreed(request: AdmissionRequest): number {
    return budgetsOf(request).reduce((sum, budget) => sum + this.#leases.holderOf(budget).timesFreed, 0)
  }

  #isKeptOut(request: AdmissionRequest, portions: Portions): boolean {
    if (this.#taken.size === 0 || !portions.mustBeExclusive) return false
    return budgetsOf(request).some(({ id }) => this.#taken.has(id))
  }

  /** `emptied`: the budget that was asked last; null where none was. */
  #faultOf(
    request: AdmissionRequest,
    { emptied, refusals }: { emptied: RefusedAdmission | null; refusals: readonly RefusedAdmission[] },
  ): Fault {
    if (emptied !== null && this.#isCap(request, emptied.localBudget.budget)) {
      return capExhausted(emptied.localBudget.budget, this.#shortage(request, emptied))
    }
    return this.#noFunds(request, emptied === null ? refusals : [...refusals, emptied])
  }

  async #extendAfterGrants(reservation: Reservation, amount: NanoUsd): Promise<Extension> {
    const refusals: RefusedAdmission[] = []
    let rest = amount
    /** What is tried: the rest, or what a budget that has less than that has left. */
    let ask = amount
    let emptied: RefusedAdmission | null = null
    for (let look = 0; look < LOOKS_LIMIT; look++) {
      const answer = this.#leases.raise(reservation.localBudgets, ask)
      if (answer === 'raised') {
        reservation.grew(ask)
        rest = nanoUsd(rest - ask)
        if (rest === 0n) return NOTHING_LACKS
      } else {
        const refused = await this.#replenishAll(answer.short.map((localBudget) => ({ localBudget, amount: ask })))
        // It ended meanwhile: there is nothing left to hold for.
        if (!reservation.isOpen) return NOTHING_LACKS
        if (refused === null) continue
        emptied = refused
        ask = refused.answer.available
        if (!refused.answer.isOver && ask > 0n) continue
      }
      ask = rest
      if (emptied === null) continue
      if (!this.#moveOn(reservation, emptied)) {
        return { lacking: rest, fault: this.#faultOf({ ...reservation.request, amount: rest }, { emptied, refusals }) }
      }
      refusals.push(emptied)
      emptied = null
    }
    return { lacking: rest, fault: plainFault('store_unavailable') }
  }

  /** Asks for more of each; returns the first that is refused. */
  async #replenishAll(short: readonly Short[], forRequest?: NanoUsd): Promise<RefusedAdmission | null> {
    for (const { localBudget, amount } of short) {
      let answer: ReplenishAnswer
      try {
        answer = await this.#leases.replenish(localBudget, amount, forRequest)
      } catch (error) {
        throw plainFault('store_unavailable', { cause: error })
      }
      const isEnough = answer.kind === 'refused' && !answer.isOver && answer.available >= amount
      if (answer.kind === 'refused' && !isEnough) return { localBudget, answer }
    }
    return null
  }

  /** The balance is the last that may pay. Where a subscription was asked before, it is the one that ran out. */
  #noFunds(request: AdmissionRequest, refusals: readonly RefusedAdmission[]): Fault {
    const [first] = refusals
    const last = refusals.at(-1)
    const balance = this.#shortage(request, last)
    const subscription = request.sources.find((source) => source.subscriptionId !== null)
    if (subscription === undefined) return balanceExhausted(balance)
    return subscriptionExhausted(this.#shortage(request, first), balance)
  }

  #moveOn(reservation: Reservation, { localBudget, answer }: RefusedAdmission): boolean {
    const { isOver } = answer
    return reservation.moveOn(localBudget, { isOver, holderOf: (budget) => this.#leases.holderOf(budget) })
  }

  #isCap(request: AdmissionRequest, budget: Budget): boolean {
    return request.caps.some((cap) => cap.id === budget.id)
  }

  #shortage(request: AdmissionRequest, refused: RefusedAdmission | undefined): Shortage {
    const { available, limit, endsAt } = refused?.answer ?? NOTHING
    // A refusal that is remembered may be older than the charge that opened the window.
    const resetsAt = endsAt ?? refused?.localBudget.endsAt ?? null
    return {
      needed: request.amount,
      available,
      limit,
      endsAt: resetsAt,
      window: refused?.localBudget.budget.window ?? null,
      nowMs: this.#clock.now(),
      advice: request.advice?.(available) ?? {},
    }
  }
}

function budgetsOf({ caps, sources }: AdmissionRequest): readonly Budget[] {
  return [...caps, ...sources.flatMap(({ budgets }) => budgets)]
}

const NOTHING = { available: ZERO_NANO_USD, limit: ZERO_NANO_USD, endsAt: null }

/** What of an extension is not held, and why. */
export interface Extension {
  readonly lacking: NanoUsd
  /** null: nothing is lacking. */
  readonly fault: Fault | null
}

const NOTHING_LACKS: Extension = { lacking: ZERO_NANO_USD, fault: null }
