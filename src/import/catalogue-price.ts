import type { ModelPrices } from '../core/price-rules.ts'
import type { ImportNotes, ImportSettings } from './import-plan.ts'

/**
 * The price that the shipped list has for a model, where that is accepted; else a note that it has one, and null. `find`: looks
 * the model up. `source`: what says no price. `advice`: what to do.
 */
export function cataloguePrice(
  name: string,
  find: (catalogue: NonNullable<ImportSettings['catalogue']>) => ModelPrices | null,
  about: {
    readonly settings: ImportSettings
    readonly notes: ImportNotes
    readonly source: string
    readonly advice: string
  },
): ModelPrices | null {
  const { settings, notes, source, advice } = about
  const { catalogue, accepted } = settings
  const price = catalogue == null ? null : find(catalogue)
  if (catalogue == null || price === null) return null
  if (accepted.has('catalogue')) {
    notes.approximate('catalogue', `${name}, by ${catalogue.named}`)
    return price
  }
  const has = `and one in the price list that is shipped here (${catalogue.named})`
  notes.note('models', name, `have no price in the ${source}, ${has}: ${advice}`)
  return null
}
