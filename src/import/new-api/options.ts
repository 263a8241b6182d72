import {
  readRational,
  type Rational,
  rational,
  dividedBy,
  floorOf,
  minus,
  times,
  wholeOf,
  NANO,
  NOTHING,
  numbersIn,
} from '../rational.ts'
import { entriesOf, jsonOf, type SourceReader, textIn } from '../source.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { ImportNotes } from '../import-plan.ts'

/** Settings of new-api and one-api: a table of names and texts, of which only those that were changed are there. */
export type Options = ReadonlyMap<string, string>

/** Remembers which of them were asked for, so that the others can be named. */
class AskedOptions extends Map<string, string> {
  readonly #asked = new Set<string>()

  override get(name: string): string | undefined {
    this.#asked.add(name)
    return super.get(name)
  }

  get left(): readonly string[] {
    return [...this.keys()].filter((name) => !this.#asked.has(name)).sort()
  }
}

export async function readOptions(source: SourceReader): Promise<AskedOptions> {
  const options = new AskedOptions()
  for await (const row of source.rows('options', ['key', 'value']))
    options.set(textIn(row, 'key'), textIn(row, 'value'))
  return options
}

/** A map of numbers, such as ratios by model; null where the option was not changed, and its values are built into the source. */
export function ratiosIn(options: Options, name: string): ReadonlyMap<string, Rational> | null {
  const value = jsonOf(options.get(name) ?? '')
  return value === undefined ? null : numbersIn(entriesOf(value))
}

/** What a million units of quota are worth in USD is 10⁶ ÷ this. */
export function quotaPerUsd(options: Options): Rational {
  const set = readRational(options.get('QuotaPerUnit')?.trim() ?? '')
  return set !== null && set.over > 0n ? set : rational(STANDARD_QUOTA_PER_USD)
}

export const STANDARD_QUOTA_PER_USD = 500_000n

/** Makes nano-USD of units of quota, rounded down where a unit is a fraction of them. */
export class QuotaInUsd {
  readonly #perUsd: Rational
  /** What was cut off of all amounts together; each is a fraction of the same denominator. */
  #rest = NOTHING
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
