import { NODE_LIFE_MS, NODE_USABLE_PART } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { windowMs } from '../../core/quota-window.ts'
import { type Budget, type GrantAnswer, isOverAt, type Lease, type LeasedRow, type ShrinkWish } from './budget.ts'

/** How long a lease without a request is kept before it is given back. */
const IDLE_MS = 10_000
/** How long an unused budget is remembered: longer than any request waits for an answer about it. */
const FORGOTTEN_AFTER_MS = 60_000
const SMALLEST_APPETITE = 32n
const LARGEST_APPETITE = 65_536n
/** What is taken in between one and two of these makes up `lately`. */
const LATELY_MS = 5_000
/** What is kept of a lease lasts for so many times as long as what was charged lately took. */
const KEPT_FOR_LATER = 4n
/** Grants that follow each other faster than this mean that the slices are too small. */
const QUICK_SUCCESSION_MS = 2_000

/**
 * One row of a budget as this node sees it: the lease it has, what was charged to it, what running requests have reserved.
 * For a budget with a window that is one window; the first grant tells which. Free money is `granted − charged − reserved`.
 * Times are readings of `Clock.elapsed`, in milliseconds, where nothing else is said.
 */
export class LocalBudget {
  readonly budget: Budget
  lease: Lease | null = null
  #refusal: BudgetRefusal | null = null
  /** A grant or a return that is under way: nothing else is asked for meanwhile. */
  pending: Promise<void> | null = null
  /** Whether its lease is being given back. */
  isLeaving = false
  /** The lease of a grant whose answer never came: perhaps there is none, and only its name is known. */
  unconfirmedLeaseId: string | null = null
  /** null: not known yet. */
  row: string | null
  /** When its window ends, by the wall clock in epoch milliseconds; null while that is not known, and without a window. */
  endsAt: number | null = null
  #usableUntil = 0
  /** Charged to the lease named by `#chargedLeaseId`, which is remembered after the lease was lost. */
  #charged: bigint = 0n
  #chargedLeaseId: string | null = null
  #reserved: bigint = 0n
  #timesFreed = 0
  #unsettled = 0
  #usedAt = 0
  #grantedAt = -Infinity
  #appetite = SMALLEST_APPETITE
  /** The mark below which the next slice is asked for while there is still enough for others. */
  #lowMark: bigint = 0n
  /** What the database said last that is used of the row beside this node's charges to its lease; null: it was not asked yet. */
  #usedElsewhere: bigint | null = null
  /** What the database said last that the lease is granted; `lease.granted` is less while some of it is being given back. */
  #knownGrant: NanoUsd = ZERO_NANO_USD
  /** Questions with a number below this were asked before the lease came into doubt: their answers make nothing usable. */
  #countsFrom = 0
  /** When refusals count from: they are out of date as soon as there may be more. */
  #refusalsFrom = 0
  #lately: LeasePeriod = { since: -Infinity, charged: 0n, mostReserved: 0n }
  #before: LeasePeriod = this.#lately

  constructor(budget: Budget) {
    this.budget = budget
    this.row = budget.window === null ? budget.id : null
  }

  /** Where a charge goes. Nothing is ever held, and so nothing charged, before the row of a window is known. */
  get rowId(): string {
    return this.row ?? this.budget.id
  }

  free(elapsed: number): bigint {
    const left = this.lease !== null && elapsed < this.#usableUntil ? this.lease.granted - this.#charged : 0n
    // What was charged beyond the lease is used, not held: the next grant comes on top of it.
    return (left > 0n ? left : 0n) - this.#reserved
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
    return this.#refusal === null || elapsed >= this.#refusal.untilElapsed
  }

  /** Whether its window is over, by the wall clock in epoch milliseconds. */
  isOver(nowMs: number): boolean {
    const { window } = this.budget
    return isOverAt(this.endsAt, window === null ? null : windowMs(window), nowMs)
  }

  /** Takes over what the database granted. Charges already settled on the same lease stay counted. */
  accept({ lease, endsAt, usedElsewhere }: Granted, asked: { readonly elapsed: number; readonly nowMs: number }): void {
    if (this.#chargedLeaseId !== lease.id) this.#beginCharges()
    this.#chargedLeaseId = lease.id
    this.lease = lease
    this.row = lease.budgetId
    this.#knownGrant = lease.granted
    this.#usedElsewhere = usedElsewhere
    this.#refusal = null
    this.#usableUntil = usableUntil(asked.elapsed)
    this.#grantedAt = asked.elapsed
    this.#setLowMark()
    // The database was asked at a moment when we thought it over, and says it is not.
    if (this.isOver(asked.nowMs)) this.endsAt = null
    this.#learnEnd(endsAt)
  }

  reserve(amount: NanoUsd, elapsed: number): void {
    this.#reserved += amount
    this.#usedAt = elapsed
    if (this.#reserved > this.#lately.mostReserved) this.#lately.mostReserved = this.#reserved
  }

  release(amount: NanoUsd): void {
    this.#reserved -= amount
    this.#timesFreed += 1
  }

  /**
   * Turns a reservation into a charge, which opens a window that no charge opened before. Returns the lease that carries
   * it; null when there never was one. `chargedAtMs`: epoch milliseconds.
   */
  charge(reserved: NanoUsd, cost: NanoUsd, chargedAtMs: number): string | null {
    this.release(reserved)
    this.#unsettled += 1
    const { window } = this.budget
    if (window !== null && this.endsAt === null && cost > 0n) this.endsAt = chargedAtMs + windowMs(window)
    // A lease that is over for us may still be open in the database: then it is the one that holds this money.
    if (this.#chargedLeaseId !== null) this.#charged += cost
    return this.#chargedLeaseId
  }

  settled(): void {
    this.#unsettled -= 1
  }

  /** How many reservations were released or charged. */
  get timesFreed(): number {
    return this.#timesFreed
  }

  get reserved(): NanoUsd {
    return this.#reserved === 0n ? ZERO_NANO_USD : nanoUsd(this.#reserved)
  }

  /** The lease was still active in the database at `elapsed`. */
  extend(elapsed: number, { endsAt, usedElsewhere }: LeasedRow): void {
    this.#usableUntil = Math.max(this.#usableUntil, usableUntil(elapsed))
    this.#usedElsewhere = usedElsewhere
    this.#learnEnd(endsAt)
  }

  /** Nothing more is taken from the lease while it is not known whether it is still there. */
  suspend(): void {
    this.#usableUntil = 0
  }

  /** Suspends it until a question with this number or a later one is answered. */
  doubt(question: number): void {
    this.suspend()
    this.#countsFrom = question
    this.forgetRefusals(question)
  }

  /** The database refused more, asked this question. Nothing is remembered when there may be more since. */
  refuse(refusal: BudgetRefusal, question: number): void {
    if (question >= this.#refusalsFrom) this.#refusal = refusal
    // Charges of this node that are not in the books yet may stand on either side: what is known already is not taken back.
    this.#usedElsewhere = max(this.#usedElsewhere ?? 0n, refusal.used - this.#charged)
  }

  /**
   * What is used of the row: by this node until now, and by others as the database said it last, with a grant or when the lease
   * was looked after; null: it was not asked yet.
   */
  get used(): NanoUsd | null {
    return this.#usedElsewhere === null ? null : nanoUsd(this.#usedElsewhere + this.#charged)
  }

  /** When its window ends, as far as that is known; null: it is not, or there is none. */
  get resetsAt(): number | null {
    return this.endsAt ?? this.#refusal?.endsAt ?? null
  }

  /** What was refused to an earlier question than this one may be granted now. */
  forgetRefusals(question: number): void {
    this.#refusal = null
    this.#refusalsFrom = question
  }

  /** The last refusal; null: none, or more was granted since. */
  get refusal(): BudgetRefusal | null {
    return this.#refusal
  }

  /** Whether an answer to this question still says something about the lease. */
  isAnsweredBy(question: number): boolean {
    return !this.isLeaving && question >= this.#countsFrom
  }

  /**
   * What its lease has beyond what is likely to be needed: that is as much again as was reserved at once lately, and enough
   * to go on for a while as it was charged lately. null: nothing worth giving back. What the wish gives up is not free from
   * then on, whatever becomes of it.
   */
  releaseSurplus(elapsed: number): ShrinkWish | null {
    this.#turnStretches(elapsed)
    const { lease } = this
    if (lease === null || elapsed - this.#grantedAt < IDLE_MS) return null
    const most = max(this.#before.mostReserved, this.#lately.mostReserved)
    const kept = most + max(most, (this.#charged - this.#before.charged) * KEPT_FOR_LATER)
    const there = lease.granted - this.#charged
    const to = there > kept * 2n ? nanoUsd(this.#charged + kept) : lease.granted
    if (to !== lease.granted) {
      this.lease = { ...lease, granted: to }
      this.#appetite = SMALLEST_APPETITE
      this.#setLowMark()
    }
    return to === this.#knownGrant ? null : { leaseId: lease.id, from: this.#knownGrant, to }
  }

  /** What the lease is granted after `releaseSurplus`. */
  shrunk(granted: NanoUsd): void {
    if (this.lease === null) return
    this.lease = { ...this.lease, granted }
    this.#knownGrant = granted
  }

  /** The lease is over: whatever still runs is charged to the next lease, or to the budget itself. */
  lose(): void {
    this.lease = null
    this.#usableUntil = 0
  }

  /** A request asks for money here. */
  touch(elapsed: number): void {
    this.#usedAt = elapsed
  }

  isIdle(elapsed: number): boolean {
    return this.isAtRest() && elapsed - this.#usedAt > IDLE_MS
  }

  isForgettable(elapsed: number): boolean {
    return this.isBare() && elapsed - this.#usedAt > FORGOTTEN_AFTER_MS
  }

  /** No request runs on it. */
  isAtRest(): boolean {
    return this.#reserved === 0n && this.#unsettled === 0 && this.pending === null
  }

  /** Has no lease but perhaps one. */
  isInDoubt(): boolean {
    return this.lease === null && this.unconfirmedLeaseId !== null
  }

  /** Whether it is at rest and holds nothing in the database. */
  isBare(): boolean {
    return this.lease === null && this.unconfirmedLeaseId === null && this.isAtRest()
  }

  #setLowMark(): void {
    const free = (this.lease?.granted ?? 0n) - this.#charged - this.#reserved
    this.#lowMark = max(free, 0n) / 4n
  }

  #turnStretches(elapsed: number): void {
    if (elapsed - this.#lately.since < LATELY_MS) return
    this.#before = this.#lately
    this.#lately = { since: elapsed, charged: this.#charged, mostReserved: this.#reserved }
  }

  #beginCharges(): void {
    this.#charged = 0n
    this.#lately.charged = 0n
    this.#before.charged = 0n
  }

  /** What the database says counts more than what this node took from its own first charge. */
  #learnEnd(endsAt: number | null): void {
    if (this.budget.window !== null && endsAt !== null) this.endsAt = endsAt
  }
}

/** A stretch of time: what had been charged to the lease when it began, and the most that was reserved at once in it. */
interface LeasePeriod {
  readonly since: number
  charged: bigint
  mostReserved: bigint
}

/** `untilElapsed`: as long as it is remembered. */
export interface BudgetRefusal {
  readonly untilElapsed: number
  readonly limit: NanoUsd
  /** What the database had beyond this node's lease; less than zero where more is used than there is. */
  readonly beyondLease: NanoUsd
  /** What was used of the row, by all nodes. */
  readonly used: NanoUsd
  readonly endsAt: number | null
  /** No request waited for it, so the database does not know yet that a request is refused. */
  readonly isAheadOfNeed: boolean
}

type Granted = Extract<GrantAnswer, { kind: 'granted' }>

/** A lease is as good as the node's life: others may think it dead when nothing was heard of it for longer. */
function usableUntil(heardAtElapsed: number): number {
  return heardAtElapsed + NODE_LIFE_MS * NODE_USABLE_PART
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
