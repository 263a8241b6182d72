import type { UsageSearch } from './usage-search.ts'

/** A person looks at the list; one page of it is cheap. */
export const LIVE_RECORDS_MS = 3_000
/** The sums of a long span cost more, and move little. */
export const LIVE_SUMMARY_MS = 15_000

/**
 * How often the page is asked for again, in milliseconds; false: never. An open record and a later page stand still: what
 * is being read does not move away. Windows in the background do not ask.
 */
export function pollMs(search: Pick<UsageSearch, 'isLive' | 'record' | 'cursor'>, everyMs: number): number | false {
  return search.isLive && search.record === null && search.cursor === null ? everyMs : false
}
