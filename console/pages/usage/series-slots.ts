import { hashOf, MOST_KNOWN, SLOTS, slotsOf } from '../../chart/series-colours.ts'
import { storedText, storeText } from '../../stored-text.ts'
import type { UsageSeries } from './buckets.ts'

const STORED = 'tollgate.colours'

/** The colour of each name in this browser, by the hash of the name, from visit to visit. */
const known = storedColours()

/** The colour of each series, which is its own: over seven days or thirty, and in one of them. null: the grey of the rest. */
export function seriesSlots(series: readonly UsageSeries[]): readonly (number | null)[] {
  const ofName = (id: string | null): string => hashOf(id ?? '').toString(36)
  const names = series.filter(({ isRest }) => !isRest).map(({ id }) => ofName(id))
  const before = known.size
  const slots = slotsOf(names, known)
  // Where the browser forbids storage, colours are kept while the page is open.
  if (known.size > before) storeText(STORED, JSON.stringify(Object.fromEntries(known)))
  return series.map(({ id, isRest }) => (isRest ? null : (slots[names.indexOf(ofName(id))] ?? null)))
}

function storedColours(): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(storedText(STORED) ?? '{}')
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
    const isSlot = (entry: [string, unknown]): entry is [string, number] =>
      Number.isInteger(entry[1]) && Number(entry[1]) >= 0 && Number(entry[1]) < SLOTS
    return new Map(entries.filter(isSlot).slice(0, MOST_KNOWN))
  } catch {
    return new Map()
  }
}
