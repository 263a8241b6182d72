import type { Clock } from '../core/clock.ts'
import { DAY_MS } from '../core/durations.ts'
import { type NanoUsd, nanoUsd } from '../core/money.ts'

const NOTHING = nanoUsd(0n)

/** The days of UTC since 1970 began. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS)
}

/** When a day of UTC begins, in epoch milliseconds. */
export function beginOf(day: number): number {
  return day * DAY_MS
}

/**
 * What one spender (a credential, a target, an upstream) cost in the present day of UTC: by all processes as the store last
 * said, and by this one since then.
 */
export class DaySpend {
  readonly #clock: Clock
  #day: number
  /** Spent by this process, on its way to the store. */
  #underWay: NanoUsd = NOTHING
  /** Spent by this process, not on its way yet. */
  #fresh: NanoUsd = NOTHING
  /** Spent by all, as far as it is stored, and what is fresh. */
  #sum: NanoUsd = NOTHING

  constructor(clock: Clock) {
    this.#clock = clock
    this.#day = dayOf(clock.now())
  }

  add(cost: NanoUsd): void {
    this.#turn()
    this.#fresh = nanoUsd(this.#fresh + cost)
    this.#sum = nanoUsd(this.#sum + cost)
  }

  get today(): NanoUsd {
    this.#turn()
    return this.#sum
  }

  /** Whether so much was spent today. Asked by every request, so the time is read only where it was: a new day has less. */
  reaches(amount: NanoUsd): boolean {
    if (this.#sum < amount) return false
    this.#turn()
    return this.#sum >= amount
  }

  get day(): number {
    this.#turn()
    return this.#day
  }

  /** What is to be stored of `day`; it is given again until `stored` says that it is. */
  take(day: number): NanoUsd {
    this.#turn()
    if (this.#day !== day) return NOTHING
    this.#underWay = nanoUsd(this.#underWay + this.#fresh)
    this.#fresh = NOTHING
    return this.#underWay
  }

  /** What all processes spent on `day`, with what was taken here. */
  stored(day: number, total: NanoUsd): void {
    this.#turn()
    if (this.#day !== day) return
    this.#underWay = NOTHING
    this.#sum = nanoUsd(total + this.#fresh)
  }

  #turn(): void {
    const today = dayOf(this.#clock.now())
    if (today === this.#day) return
    this.#day = today
    this.#underWay = NOTHING
    this.#fresh = NOTHING
    this.#sum = NOTHING
  }
}
