import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { ImportNotes } from '../import-notes.ts'
import { dividedBy, floorOf, minus, type Rational, rational, times, wholeOf } from '../rational.ts'

const NANO = rational(1_000_000_000n)

/** Makes nano-USD of units of quota, rounded down where a unit is a fraction of them. */
export class QuotaInUsd {
  readonly #perUsd: Rational
  /** What was cut off of all amounts together; each is a fraction of the same denominator. */
  #rest = rational(0n)
  #rounded = 0

  constructor(perUsd: Rational) {
    this.#perUsd = perUsd
  }

  nano(quota: bigint): NanoUsd {
    const exact = dividedBy(times(rational(quota), NANO), this.#perUsd)
    const whole = floorOf(exact)
    if (wholeOf(exact) === null) {
      const { over, under } = minus(exact, rational(whole))
      this.#rest = rational(this.#rest.over + over, under)
      this.#rounded += 1
    }
    return nanoUsd(whole)
  }

  /** Once all amounts are read: says how many were rounded, and by how much in all. */
  noteRest(notes: ImportNotes): void {
    if (this.#rounded === 0) return
    const unit = `1 unit is 1/${String(this.#perUsd.over / this.#perUsd.under)} USD`
    const rest = -floorOf(rational(-this.#rest.over, this.#rest.under))
    const amounts = this.#rounded === 1 ? '1 amount is' : `${this.#rounded} amounts are`
    notes.approximate('rounding', `${unit}; ${amounts} cut by ${rest} nano-USD in all, rounded up`)
  }
}
