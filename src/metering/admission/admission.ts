import type { Clock } from '../../core/clock.ts'
import type { Fault } from '../../core/faults.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { AdmissionRequest } from './admission-request.ts'
import type { Budget } from '../budgets/budget.ts'
import type { LocalBudget } from '../budgets/local-budget.ts'
import { balanceExhausted, capExhausted, limitReached, type Shortage, subscriptionExhausted } from './exhaustion.ts'
import type { CountedUse, KeyLimits } from '../limits/key-limits.ts'
import type { LeaseBook, ReplenishAnswer } from '../budgets/lease-book.ts'
import { Reservation } from './reservation.ts'

/** A request that had to wait for grants looks at most this often; each look follows a grant. */
const LOOKS_LIMIT = 256

interface Refused {
  readonly localBudget: LocalBudget
  readonly answer: Extract<ReplenishAnswer, { kind: 'refused' }>
}

/**
 * Admits a request or throws the one fault that stops it; refused means that nothing was consumed, of any limit. Returns at
 * once when this node's leases cover the amount, which is nearly always, else after asking the database.
 */
export class Admission {
  readonly #leases: LeaseBook
  readonly #limits: KeyLimits
  readonly #clock: Clock

  constructor(options: { leases: LeaseBook; limits: KeyLimits; clock: Clock }) {
    this.#leases = options.leases
    this.#limits = options.limits
    this.#clock = options.clock
  }

  admit(request: AdmissionRequest): Reservation | Promise<Reservation> {
    const attempt = this.#attempt(request, 0)
    return attempt.kind === 'admitted' ? attempt.reservation : this.#admitAfterGrants(request, attempt.localBudgets)
  }

  /**
   * Holds `amount` more for a running request, from the budgets it began with, or from the next that can pay. Returns
   * what stands in the way, or null when it is held; at once where this node's leases cover it.
   */
  extend(reservation: Reservation, amount: NanoUsd): null | Promise<Fault | null> {
    const answer = this.#leases.raise(reservation.localBudgets, amount)
    if (answer === 'raised') {
      reservation.grew(amount)
      return null
    }
    return this.#extendAfterGrants(reservation, { amount, short: answer.short })
  }

  /** Counts, then every budget, in one synchronous step: nothing is taken unless everything is. */
  #attempt(request: AdmissionRequest, source: number): Attempt {
    const { key, account, tokens } = request
    const limit = this.#limits.refusal(key, tokens)
    if (limit !== null) throw limitReached(limit, tokens, 'key')
    const shared = account === undefined ? null : this.#limits.refusal(account, tokens)
    if (shared !== null) throw limitReached(shared, tokens, 'account')
    const paying = request.sources[source]
    const budgets = paying === undefined ? request.caps : [...request.caps, ...paying.budgets]
    const answer = this.#leases.take(budgets, request.amount)
    if (answer.kind === 'short') return { kind: 'short', localBudgets: answer.localBudgets }
    const own = this.#limits.begin(key, tokens)
    const use = account === undefined ? own : together(own, this.#limits.begin(account, tokens))
    return {
      kind: 'admitted',
      reservation: new Reservation(request, { localBudgets: answer.localBudgets, source, use }),
    }
  }

  async #admitAfterGrants(request: AdmissionRequest, shortAtFirst: readonly LocalBudget[]): Promise<Reservation> {
    let short = shortAtFirst
    let source = 0
    const refusals: Refused[] = []
    for (let look = 0; look < LOOKS_LIMIT; look++) {
      const refused = await this.#replenishAll(short, request.amount)
      // A window that ended a moment ago is followed by another, which the next look finds.
      if (refused !== null && !refused.answer.isOver && refused.answer.available < request.amount) {
        const { budget } = refused.localBudget
        if (this.#isCap(request, budget)) throw capExhausted(budget, this.#shortage(request, refused))
        refusals.push(refused)
        source += 1
        if (source >= request.sources.length) throw this.#noFunds(request, refusals)
      }
      const attempt = this.#attempt(request, source)
      if (attempt.kind === 'admitted') return attempt.reservation
      short = attempt.localBudgets
    }
    throw plainFault('store_unavailable')
  }

  async #extendAfterGrants(
    reservation: Reservation,
    ask: { amount: NanoUsd; short: readonly LocalBudget[] },
  ): Promise<Fault | null> {
    const { amount } = ask
    const asked = { ...reservation.request, amount }
    const refusals: Refused[] = []
    let short = ask.short
    for (let look = 0; look < LOOKS_LIMIT; look++) {
      const refused = await this.#replenishAll(short, amount)
      // It ended meanwhile: there is nothing left to hold for.
      if (!reservation.isOpen) return null
      if (refused !== null && !this.#moveOn(reservation, refused)) {
        return this.#isCap(asked, refused.localBudget.budget)
          ? capExhausted(refused.localBudget.budget, this.#shortage(asked, refused))
          : this.#noFunds(asked, [...refusals, refused])
      }
      if (refused !== null) refusals.push(refused)
      const answer = this.#leases.raise(reservation.localBudgets, amount)
      if (answer === 'raised') {
        reservation.grew(amount)
        return null
      }
      short = answer.short
    }
    return plainFault('store_unavailable')
  }

  /** Asks for more of each; returns the first that is refused. */
  async #replenishAll(short: readonly LocalBudget[], amount: NanoUsd): Promise<Refused | null> {
    for (const localBudget of short) {
      let answer: ReplenishAnswer
      try {
        answer = await this.#leases.replenish(localBudget, amount)
      } catch (error) {
        throw plainFault('store_unavailable', { cause: error })
      }
      if (answer.kind === 'refused') return { localBudget, answer }
    }
    return null
  }

  /** The balance is the last that may pay. Where a subscription was asked before, it is the one that ran out. */
  #noFunds(request: AdmissionRequest, refusals: readonly Refused[]): Fault {
    const [first] = refusals
    const last = refusals.at(-1)
    const balance = this.#shortage(request, last)
    const subscription = request.sources.find((source) => source.subscriptionId !== null)
    if (subscription === undefined) return balanceExhausted(balance)
    return subscriptionExhausted(this.#shortage(request, first), balance)
  }

  #moveOn(reservation: Reservation, { localBudget, answer }: Refused): boolean {
    const { isOver } = answer
    return reservation.moveOn(localBudget, { isOver, holderOf: (budget) => this.#leases.holderOf(budget) })
  }

  #isCap(request: AdmissionRequest, budget: Budget): boolean {
    return request.caps.some((cap) => cap.id === budget.id)
  }

  #shortage(request: AdmissionRequest, refused: Refused | undefined): Shortage {
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
      advice: request.advice?.(available) ?? null,
    }
  }
}

/** One use for a key and its account; null where neither counts. */
function together(one: CountedUse | null, other: CountedUse | null): CountedUse | null {
  if (one === null || other === null) return one ?? other
  return {
    end(tokens) {
      one.end(tokens)
      other.end(tokens)
    },
    undo() {
      one.undo()
      other.undo()
    },
  }
}

const NOTHING = { available: ZERO_NANO_USD, limit: ZERO_NANO_USD, endsAt: null }

type Attempt =
  | { readonly kind: 'admitted'; readonly reservation: Reservation }
  | { readonly kind: 'short'; readonly localBudgets: readonly LocalBudget[] }
