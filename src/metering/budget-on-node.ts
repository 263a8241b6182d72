import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import type { Budget, Lease } from './budget.ts'

/** How long a lease without a request is kept before it is given back. */
const IDLE_MS = 10_000
const SMALLEST_APPETITE = 32n
const LARGEST_APPETITE = 65_536n
/** Grants that follow each other faster than this mean that the slices are too small. */
const QUICK_SUCCESSION_MS = 2_000

/**
 * One budget as this node sees it: the lease it has, what was charged to it, what running requests have reserved.
 * Free money is `granted − charged − reserved`. Times are readings of `Clock.elapsed`, in milliseconds.
 */
export class BudgetOnNode {
  readonly budget: Budget
  lease: Lease | null = null
  refusal: { untilElapsed: number; limit: NanoUsd; available: NanoUsd } | null = null
  pending: Promise<void> | null = null
  #usableUntil = 0
  /** Charged to the lease named by `#chargedLeaseId`, which is remembered after the lease was lost. */
  #charged: bigint = 0n
  #chargedLeaseId: string | null = null
  #reserved: bigint = 0n
  #unsettled = 0
  #usedAt = 0
  #grantedAt = -Infinity
  #appetite = SMALLEST_APPETITE
  /** Under this the next slice is asked for while there is still enough for others. */
  #lowMark: bigint = 0n

  constructor(budget: Budget) {
    this.budget = budget
  }

  free(elapsed: number): bigint {
    const granted = this.lease !== null && elapsed < this.#usableUntil ? this.lease.granted - this.#charged : 0n
    return granted - this.#reserved
  }

  covers(amount: NanoUsd, elapsed: number): boolean {
    return this.lease !== null && elapsed < this.#usableUntil && this.free(elapsed) >= amount
  }

  /** What a grant must add so that `amount` can be taken; always more than zero. */
  missing(amount: NanoUsd, elapsed: number): NanoUsd {
    const missing = amount - this.free(elapsed)
    return nanoUsd(missing > 0n ? missing : 1n)
  }

  /** How much to ask for: many times `amount`, more when slices run out fast. */
  wanted(amount: NanoUsd, elapsed: number): NanoUsd {
    const isQuick = elapsed - this.#grantedAt < QUICK_SUCCESSION_MS
    if (isQuick && this.#appetite < LARGEST_APPETITE) this.#appetite *= 2n
    else if (!isQuick && this.#appetite > SMALLEST_APPETITE) this.#appetite /= 2n
    return nanoUsd(amount * this.#appetite)
  }

  runsLow(elapsed: number): boolean {
    if (this.pending !== null || this.free(elapsed) >= this.#lowMark) return false
    return this.refusal === null || elapsed >= this.refusal.untilElapsed
  }

  /** Takes over what the database granted. Charges already settled on the same lease stay counted. */
  accept(lease: Lease, time: { elapsed: number; usableUntil: number }): void {
    if (this.#chargedLeaseId !== lease.id) this.#charged = 0n
    this.#chargedLeaseId = lease.id
    this.lease = lease
    this.refusal = null
    this.#usableUntil = time.usableUntil
    this.#grantedAt = time.elapsed
    const free = lease.granted - this.#charged - this.#reserved
    this.#lowMark = free > 0n ? free / 4n : 0n
  }

  reserve(amount: NanoUsd, elapsed: number): void {
    this.#reserved += amount
    this.#usedAt = elapsed
  }

  release(amount: NanoUsd): void {
    this.#reserved -= amount
  }

  /** Turns a reservation into a charge. Answers the lease that carries it; null when there never was one. */
  charge(reserved: NanoUsd, cost: NanoUsd): string | null {
    this.#reserved -= reserved
    this.#unsettled += 1
    // A lease that is over for us may still be open in the database: then it is the one that holds this money.
    if (this.#chargedLeaseId !== null) this.#charged += cost
    return this.#chargedLeaseId
  }

  settled(): void {
    this.#unsettled -= 1
  }

  get reserved(): NanoUsd {
    return this.#reserved === 0n ? ZERO_NANO_USD : nanoUsd(this.#reserved)
  }

  extend(usableUntil: number): void {
    this.#usableUntil = usableUntil
  }

  /** The lease is over: whatever still runs is charged to the next lease, or to the budget itself. */
  lose(): void {
    this.lease = null
    this.#usableUntil = 0
  }

  /** A lease that could not be extended in time may have been closed by another node. */
  dropLost(elapsed: number): void {
    if (this.lease !== null && elapsed >= this.#usableUntil) this.lose()
  }

  isIdle(elapsed: number): boolean {
    return this.lease !== null && this.#isAtRest() && elapsed - this.#usedAt > IDLE_MS
  }

  isForgettable(elapsed: number): boolean {
    return this.lease === null && this.#isAtRest() && elapsed - this.#usedAt > IDLE_MS
  }

  #isAtRest(): boolean {
    return this.#reserved === 0n && this.#unsettled === 0 && this.pending === null
  }
}
