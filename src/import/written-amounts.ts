import { type NanoUsd, nanoUsd } from '../core/money.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import { priceOfMillion } from '../core/prices.ts'
import { modelPricesOf, objectionToWritten, type WrittenPrices } from '../metering/prices/written-prices.ts'
import type { ImportNotes } from './import-notes.ts'
import type { ImportSettings } from './import-settings.ts'
import { nearest, type Rational, wholeOf } from './rational.ts'

/** Exact amounts in nano-USD: of a million tokens, or of one request or image. */
export type Amounts = {
  readonly [Name in Exclude<keyof WrittenPrices, 'tiers' | 'service_tiers' | 'inference_geo' | 'per_call'>]?: Rational
}

/** Makes prices of exact amounts, and notes those that are none here. */
export class WrittenAmounts {
  readonly #name: string
  readonly #about: { readonly settings: ImportSettings; readonly notes: ImportNotes }

  constructor(name: string, about: { settings: ImportSettings; notes: ImportNotes }) {
    this.#name = name
    this.#about = about
  }

  /** `amounts`: in nano-USD, of a million tokens or of one request or image. `tiers`: by length. */
  prices(amounts: Amounts, tiers: readonly { above: number; amounts: Amounts }[] = []): ModelPrices | null {
    const { settings, notes } = this.#about
    const all = [amounts, ...tiers.map((tier) => tier.amounts)].flatMap((each) => Object.values(each))
    if (all.some((amount) => wholeOf(amount) === null) && !settings.accepted.has('price')) {
      notes.note(
        'models',
        this.#name,
        'have a price finer than one nano-USD per million tokens: --accept price rounds it',
      )
      return null
    }
    const written = {
      ...rounded(amounts),
      tiers: tiers.map(({ above, amounts: own }) => ({ above_input_tokens: above, ...rounded(own) })),
    }
    const objection = objectionToWritten(written)
    if (objection === null) return modelPricesOf(written)
    notes.note(
      'models',
      this.#name,
      `have a price that cannot be charged (${objection.path.join('.')} takes ${objection.takes})`,
    )
    return null
  }
}

const OF_ONE = ['per_request', 'per_image', 'per_second']

function rounded(amounts: Amounts): Readonly<Record<string, NanoUsd | null>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const nano = nanoUsd(nearest(amount))
      return [name, OF_ONE.includes(name) ? priceOfMillion(nano) : nano]
    }),
  )
}
