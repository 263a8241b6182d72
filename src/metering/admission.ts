import type { Clock } from '../core/clock.ts'
import { Fault } from '../core/faults.ts'
import { formatUsd, type NanoUsd } from '../core/money.ts'
import type { Budget } from './budget.ts'
import type { BudgetOnNode } from './budget-on-node.ts'
import type { LeaseBook, ReplenishAnswer } from './lease-book.ts'
import { Reservation } from './reservation.ts'

/** A request that had to wait for grants looks at most this often; each look follows a grant that somebody got. */
const LOOKS_LIMIT = 256

/** What a request asks for before it is sent: `amount`, more than zero, from each of its budgets. None: it is free for good. */
export interface AdmissionRequest {
  readonly budgets: readonly Budget[]
  readonly amount: NanoUsd
}

/**
 * Admits a request or throws the one fault that stops it; refused means that nothing was consumed. Answers at once when
 * this node's leases cover the amount, which is nearly always, else after asking the database.
 */
export class Admission {
  readonly #leases: LeaseBook
  readonly #clock: Clock

  constructor(options: { leases: LeaseBook; clock: Clock }) {
    this.#leases = options.leases
    this.#clock = options.clock
  }

  admit(request: AdmissionRequest): Reservation | Promise<Reservation> {
    const answer = this.#leases.take(request.budgets, request.amount)
    if (answer.kind === 'taken') return new Reservation(answer.holders, request.amount)
    return this.#admitAfterGrants(request, answer.holders)
  }

  async #admitAfterGrants(request: AdmissionRequest, shortAtFirst: readonly BudgetOnNode[]): Promise<Reservation> {
    let short = shortAtFirst
    for (let look = 0; look < LOOKS_LIMIT; look++) {
      for (const holder of short) {
        const answer = await this.#replenish(holder, request.amount)
        if (answer.kind === 'refused') throw this.#exhausted(holder.budget, request.amount, answer.available)
      }
      const answer = this.#leases.take(request.budgets, request.amount)
      if (answer.kind === 'taken') return new Reservation(answer.holders, request.amount)
      short = answer.holders
    }
    throw storeUnavailable(undefined)
  }

  async #replenish(holder: BudgetOnNode, amount: NanoUsd): Promise<ReplenishAnswer> {
    try {
      return await this.#leases.replenish(holder, amount)
    } catch (error) {
      throw storeUnavailable(error)
    }
  }

  #exhausted(budget: Budget, needed: NanoUsd, available: NanoUsd): Fault {
    const amounts = `This request may cost up to $${formatUsd(needed)} and $${formatUsd(available)} is left`
    if (budget.kind === 'balance') {
      return new Fault(
        'balance_exhausted',
        `${amounts} of the account's balance. Top up the account (or ask its administrator to), or send a smaller request.`,
      )
    }
    const reset =
      budget.endsAt === null
        ? 'It does not reset by itself.'
        : `It resets at ${new Date(budget.endsAt).toISOString()} (in ${hoursAndMinutes(budget.endsAt - this.#clock.now())}).`
    return new Fault(
      'key_quota_exhausted',
      `${amounts} of this API key's quota. ${reset} Raise the key's quota limit, use another key, or send a smaller request.`,
    )
  }
}

function storeUnavailable(cause: unknown): Fault {
  return new Fault('store_unavailable', 'The gateway cannot reach its database right now. Try again in a moment.', {
    retryAfterSeconds: 2,
    cause,
  })
}

function hoursAndMinutes(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
