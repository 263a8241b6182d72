import { slotsOf } from '../../chart/series-colours.ts'
import type { UsageSeries } from './buckets.ts'

/** While the page is open a name keeps its colour: from seven days to thirty, and into one of them. */
const known = new Map<string, number>()

/** The colour of each series; null: the grey of the rest. */
export function seriesSlots(series: readonly UsageSeries[]): readonly (number | null)[] {
  const names = series.filter(({ isRest }) => !isRest).map(({ id }) => id ?? '')
  const slots = slotsOf(names, known)
  return series.map(({ id, isRest }) => (isRest ? null : (slots[names.indexOf(id ?? '')] ?? null)))
}
