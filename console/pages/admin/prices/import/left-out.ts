import { LEFT_OUT_REASONS, type LeftOut } from '../../../../../src/price-lists/listed-price.ts'
import type { CatalogueEntries } from './catalogue-entry.ts'

/** Prices of a catalogue that are left out for one reason. */
export interface LeftOutFor {
  readonly because: LeftOut['because']
  /** The count over all models together. */
  readonly count: number
  /** Each once, those of the most models first. */
  readonly fields: readonly string[]
}

/** What of a catalogue is not imported, by the reason: what may cost an admin money first. */
export function leftOutOf({ entries, unpriced }: CatalogueEntries): readonly LeftOutFor[] {
  return byReason([...entries, ...unpriced].flatMap((entry) => entry.left))
}

/** Gathers what was left out of some prices by its reason. */
export function byReason(left: readonly LeftOut[]): readonly LeftOutFor[] {
  return LEFT_OUT_REASONS.flatMap((because): LeftOutFor[] => {
    const own = left.filter((each) => each.because === because)
    const counts = Map.groupBy(own, ({ field }) => field)
    const fields = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([field]) => field)
    return own.length === 0 ? [] : [{ because, count: own.length, fields }]
  })
}
