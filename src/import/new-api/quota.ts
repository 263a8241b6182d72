import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { ImportNotes } from '../import-notes.ts'
import { dividedBy, floorOf, type Rational, rational, times, wholeOf } from '../rational.ts'

const NANO = rational(1_000_000_000n)

/** Makes nano-USD of units of quota, and notes where that is not exact. */
export class QuotaInUsd {
  readonly #perUsd: Rational
  readonly #notes: ImportNotes
  #isRounded = false

  constructor(perUsd: Rational, notes: ImportNotes) {
    this.#perUsd = perUsd
    this.#notes = notes
  }

  nano(quota: bigint): NanoUsd {
    const exact = dividedBy(times(rational(quota), NANO), this.#perUsd)
    if (wholeOf(exact) === null && !this.#isRounded) {
      this.#isRounded = true
      this.#notes.approximate('rounding', `1 unit is 1/${String(this.#perUsd.over / this.#perUsd.under)} USD`)
    }
    return nanoUsd(floorOf(exact))
  }
}
