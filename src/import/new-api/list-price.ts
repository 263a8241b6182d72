import type { ModelPrices } from '../../core/price-rules.ts'
import { cataloguePrice } from '../catalogue-price.ts'
import type { ImportNotes, ImportSettings } from '../import-plan.ts'
import type { Rational } from '../rational.ts'

export interface PricesAbout {
  readonly settings: ImportSettings
  readonly notes: ImportNotes
}

/** The price that the shipped list has for a model of which the database says none, where that is accepted. */
export function listed(
  name: string,
  about: PricesAbout,
  advice = 'take it with --accept catalogue',
): ModelPrices | null {
  return cataloguePrice(name, (catalogue) => catalogue.priceOf(name), { ...about, source: 'database', advice })
}

/** What costs nothing is named, since a price of 0 is easily one that was never set. */
export function noteFree(name: string, price: Rational, notes: ImportNotes): void {
  if (price.over === 0n) notes.note('models', name, 'cost nothing there, and so here')
}
