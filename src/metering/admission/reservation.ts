import type { Fault } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { AdmissionRequest } from './admission-request.ts'
import type { Budget } from '../budgets/budget.ts'
import type { LocalBudget } from '../budgets/local-budget.ts'
import type { CountedUse } from '../limits/counted-use.ts'
import type { Charge } from '../settle/settlement.ts'
import type { SubscriptionPayment } from '../usage/usage-record.ts'

/** How a settled reservation is paid. `balancePaid` and `subscriptionsPaid` add up to the cost. */
export interface SettledPayment {
  readonly charges: readonly Charge[]
  readonly balancePaid: NanoUsd
  readonly subscriptionsPaid: readonly SubscriptionPayment[]
}

/** What is held for a request at first. */
export interface HeldAtFirst {
  /** The amount on each cap, and by all who pay together. */
  readonly amount: NanoUsd
  readonly caps: readonly LocalBudget[]
  /** The sources that hold something, in order. */
  readonly paying: readonly {
    readonly source: number
    readonly localBudgets: readonly LocalBudget[]
    readonly amount: NanoUsd
  }[]
}

interface Accounted {
  readonly use: CountedUse | null
  /** Called when it has closed and its money is free. */
  readonly onClosed: (reservation: Reservation) => void
}

/** Some of the money held: on these budgets, for this payer. */
interface ReservedPart {
  readonly localBudgets: readonly LocalBudget[]
  /** The source of the part that pays: the subscription, or null for the balance. */
  readonly subscriptionId: string | null
  amount: bigint
}

/**
 * Money held for one running request. It grows while the request is streamed, and is closed once: settled with what the
 * request cost, or released when nothing was consumed.
 *
 * The same amount is held by every cap and by those who pay. Where what is held comes from several in turn (a subscription
 * that ran out, a window that ended), the cost fills them in that order, and the last bears what is beyond.
 */
export class Reservation {
  readonly request: AdmissionRequest
  /** One line of parts for each cap, and one for those who pay. */
  readonly #caps: readonly ReservedPart[][]
  readonly #paying: ReservedPart[]
  #use: CountedUse | null
  #source: number
  #amount: bigint
  #isOpen = true
  readonly #onClosed: (reservation: Reservation) => void
  #whenClosed: () => void = noValue
  /** The fault of a request that can do nothing with what it holds: of what had less than it may cost. */
  lacks: () => Fault = lackOfBalance

  constructor(request: AdmissionRequest, admitted: HeldAtFirst & Accounted) {
    this.request = request
    const { caps, paying, amount } = admitted
    this.#caps = caps.map((localBudget) => [{ localBudgets: [localBudget], subscriptionId: null, amount }])
    this.#paying = paying.map(({ source, localBudgets, amount: held }) => ({
      localBudgets,
      subscriptionId: request.sources[source]?.subscriptionId ?? null,
      amount: held,
    }))
    this.#source = paying.at(-1)?.source ?? 0
    this.#amount = amount
    this.#use = admitted.use
    this.#onClosed = admitted.onClosed
  }

  /** Sets what is called when it closes, before anyone that waits for its money. */
  whenClosed(then: () => void): void {
    this.#whenClosed = then
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Everything held at present. */
  get amount(): NanoUsd {
    return nanoUsd(this.#amount)
  }

  /** Where more is to be held: the newest part of every line. */
  get localBudgets(): readonly LocalBudget[] {
    return this.#lines().flatMap((line) => line.at(-1)?.localBudgets ?? [])
  }

  /** All that it draws on or drew on. */
  get allLocalBudgets(): readonly LocalBudget[] {
    return this.#lines().flatMap((line) => line.flatMap(({ localBudgets }) => localBudgets))
  }

  /** So much more is now held on each of `localBudgets`. */
  grew(amount: NanoUsd): void {
    this.#amount += amount
    for (const line of this.#lines()) {
      const newest = line.at(-1)
      if (newest !== undefined) newest.amount += amount
    }
  }

  /**
   * Leaves a local budget that has no more to give: goes on to the window that follows where it `isOver`, else to the next that pays.
   * False: there is none. Nothing is held there yet.
   */
  moveOn(from: LocalBudget, to: { isOver: boolean; holderOf: (budget: Budget) => LocalBudget }): boolean {
    const { isOver, holderOf } = to
    if (this.#paying.at(-1)?.localBudgets.includes(from)) {
      if (!isOver) this.#source += 1
      const next = this.request.sources[this.#source]
      if (next === undefined) return false
      this.#paying.push({ localBudgets: next.budgets.map(holderOf), subscriptionId: next.subscriptionId, amount: 0n })
      return true
    }
    const line = this.#caps.find((parts) => parts.at(-1)?.localBudgets.includes(from))
    const fresh = holderOf(from.budget)
    if (line === undefined || fresh === from) return false
    line.push({ localBudgets: [fresh], subscriptionId: null, amount: 0n })
    return true
  }

  /** The request of the other is held by this one from now on, and is counted as it was. The other's money is free. */
  takePlaceOf(other: Reservation): void {
    this.#use = other.#use
    other.#use = null
    other.release('never_sent')
  }

  /** The client is gone: the request keeps its money until it is closed, and no place among those that run at once. */
  leave(): void {
    this.#use?.leave()
  }

  /**
   * Closes it with the request's cost; the charges then go to the settle queue, and `settled` is called once they are
   * durable. `tokens`: what was really used, for the limit on tokens. `chargedAtMs`: epoch milliseconds.
   */
  settle(cost: NanoUsd, at: { chargedAtMs: number; tokens: number }): SettledPayment {
    this.#close(at.tokens)
    const charges: Charge[] = []
    for (const line of this.#caps) chargeLine(line, cost, { chargedAtMs: at.chargedAtMs, charges })
    const paid = chargeLine(this.#paying, cost, { chargedAtMs: at.chargedAtMs, charges })
    this.#tell()
    return { charges, ...this.#payments(paid) }
  }

  /** Parts of one payer together: it has several where a window ended on the way. */
  #payments(paid: readonly bigint[]): Omit<SettledPayment, 'charges'> {
    let balancePaid = ZERO_NANO_USD
    const subscriptionsPaid: SubscriptionPayment[] = []
    for (const [index, { subscriptionId }] of this.#paying.entries()) {
      const amount = nanoUsd(paid[index] ?? 0n)
      const before = subscriptionsPaid.at(-1)
      if (subscriptionId === null) balancePaid = amount
      else if (before?.subscriptionId === subscriptionId) {
        subscriptionsPaid.splice(-1, 1, { subscriptionId, paid: nanoUsd(before.paid + amount) })
      } else if (amount > 0n) subscriptionsPaid.push({ subscriptionId, paid: amount })
    }
    return { balancePaid, subscriptionsPaid }
  }

  /** The charges of `settle` are in the database. */
  settled(): void {
    for (const line of this.#lines())
      for (const part of line) for (const localBudget of part.localBudgets) localBudget.settled()
  }

  /** Closes it without a charge. A request that was never sent has counted for no limit either. */
  release(because: 'never_sent' | 'upstream_refused'): void {
    this.#close(because === 'never_sent' ? null : 0)
    for (const line of this.#lines()) {
      for (const { localBudgets, amount } of line)
        for (const localBudget of localBudgets) localBudget.release(nanoUsd(amount))
    }
    this.#tell()
  }

  #tell(): void {
    this.#whenClosed()
    this.#onClosed(this)
  }

  #lines(): readonly ReservedPart[][] {
    return this.#caps.length === 0 ? [this.#paying] : [...this.#caps, this.#paying]
  }

  /** `tokens` null: as if it had never been admitted. */
  #close(tokens: number | null): void {
    invariant(this.#isOpen, 'a reservation is closed once')
    this.#isOpen = false
    if (tokens === null) void this.#use?.undo()
    else this.#use?.end(tokens)
  }
}

/** Spreads the cost over the parts of one line; returns what each of them bears. */
function chargeLine(
  line: readonly ReservedPart[],
  cost: NanoUsd,
  to: { chargedAtMs: number; charges: Charge[] },
): readonly bigint[] {
  // A part that nothing was held on bears nothing, as long as there is another.
  const last = line.findLastIndex((part) => part.amount > 0n)
  let rest: bigint = cost
  return line.map((part, index) => {
    const borne = index < last ? smaller(rest, part.amount) : index === last ? rest : 0n
    rest -= borne
    for (const localBudget of part.localBudgets) {
      const share = nanoUsd(borne)
      const leaseId = localBudget.charge(nanoUsd(part.amount), share, to.chargedAtMs)
      if (share > 0n || line.length === 1) to.charges.push({ budgetId: localBudget.rowId, leaseId, cost: share })
    }
    return borne
  })
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function noValue(): void {}

function lackOfBalance(): Fault {
  return plainFault('balance_exhausted')
}
