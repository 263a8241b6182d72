import type { Clock } from '../core/clock.ts'
import type { NanoUsd } from '../core/money.ts'
import { beginOf, DaySpend } from './day-spend.ts'
import type { Spender } from './spender.ts'

/** The part of a cap from which admins hear that it is near. */
export const SPEND_CAP_NEAR = 0.8

export interface SpendCapOptions {
  readonly spend?: DaySpend | undefined
  /** Left out: of an upstream. */
  readonly of?: Spender['kind']
  /** A cap that is not enforced. */
  readonly isShadow?: boolean
}

/** What may be spent at one place in a day of UTC, and what was. */
export class SpendCap {
  readonly perDay: NanoUsd
  readonly of: Spender['kind']
  /** Whether the cap is not enforced. */
  readonly isShadow: boolean
  readonly #spend: DaySpend
  readonly #clock: Clock

  /** `spend`: where what other processes spend is added up too; absent: here alone. */
  constructor(perDay: NanoUsd, clock: Clock, options: SpendCapOptions = {}) {
    const { spend = new DaySpend(clock), of = 'upstream', isShadow = false } = options
    this.perDay = perDay
    this.of = of
    this.isShadow = isShadow
    this.#spend = spend
    this.#clock = clock
  }

  add(cost: NanoUsd): void {
    this.#spend.add(cost)
  }

  get spentToday(): NanoUsd {
    return this.#spend.today
  }

  get isReached(): boolean {
    return this.#spend.reaches(this.perDay)
  }

  /** 1: all that may be spent is. */
  get usedPart(): number {
    return this.perDay === 0n ? 1 : Number(this.#spend.today) / Number(this.perDay)
  }

  /** When more may be spent: `now`, which is a reading of `Clock.elapsed`, or midnight UTC. */
  opensAt(now: number): number {
    if (!this.isReached) return now
    return now + beginOf(this.#spend.day + 1) - this.#clock.now()
  }
}

/** Whether so much is four fifths of a cap, or more. */
export function isNearCap(spentToday: NanoUsd, perDay: NanoUsd): boolean {
  return perDay === 0n || Number(spentToday) / Number(perDay) >= SPEND_CAP_NEAR
}
