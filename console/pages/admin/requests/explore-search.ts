import type { ExploreChoice } from '../../../api/explore.ts'
import type { FlatSearch } from '../../../table/table-search.ts'

export const DIMENSIONS = [
  'account',
  'key',
  'group',
  'model',
  'upstream',
  'credential',
  'protocol',
  'client',
  'tag',
  'fault',
] as const
export type Dimension = (typeof DIMENSIONS)[number]
export const SPANS = ['1', '7', '30'] as const
export type SpanDays = (typeof SPANS)[number]

const HOUR_MS = 3_600_000
/** So many requests the server sums one by one, unless more are asked for, and at most. */
export const SUMMED = 20_000
export const MOST_SUMMED = 200_000

/** What the explorer shows, as its address says it. */
export interface ExploreSearch {
  readonly by: Dimension
  readonly and: Dimension | null
  readonly days: SpanDays
  readonly filters: { readonly [Each in Dimension]?: string }
  /** Whether as many requests as the server allows are summed one by one, where no sums are kept. */
  readonly isDeep: boolean
  /** A part of what a provider said, or its ID of a request, in the list of requests; null: any. */
  readonly said: string | null
}

/** What is not said, or wrong, is as at the first visit. */
export function readExploreSearch(flat: FlatSearch): ExploreSearch {
  const set = DIMENSIONS.flatMap((each) => (flat[each] === undefined ? [] : [[each, flat[each]] as const]))
  const filters: ExploreSearch['filters'] = Object.fromEntries(set)
  const by = DIMENSIONS.find((each) => each === flat['by']) ?? 'model'
  const and = DIMENSIONS.find((each) => each === flat['and']) ?? null
  return {
    by,
    and: and === by ? null : and,
    days: SPANS.find((each) => each === flat['days']) ?? '7',
    filters,
    isDeep: flat['newest'] !== undefined,
    said: flat['said'] ?? null,
  }
}

export function writeExploreSearch({ by, and, days, filters, isDeep, said }: ExploreSearch): FlatSearch {
  return {
    ...(by === 'model' ? {} : { by }),
    ...(and === null ? {} : { and }),
    ...(days === '7' ? {} : { days }),
    ...filters,
    ...(isDeep ? { newest: String(MOST_SUMMED) } : {}),
    ...(said === null ? {} : { said }),
  }
}

/** Adds one part of a row as a filter; the view goes on by what is left. */
export function narrowed(search: ExploreSearch, dimension: Dimension, value: string): ExploreSearch {
  const filters = { ...search.filters, [dimension]: value }
  const free = (each: Dimension): boolean => filters[each] === undefined
  const by = free(search.by) ? search.by : NEXT.find(free)
  const and = search.and !== null && search.and !== by && free(search.and) ? search.and : null
  return { ...search, by: by ?? search.by, and, filters }
}

/** What is asked next, once a part is chosen. */
const NEXT = ['model', 'group', 'account', 'upstream', 'key'] as const

/** The query of the API; the span begins with a whole hour, so that the same view asks the same for an hour. */
export function queryOf({ by, and, days, filters, isDeep }: ExploreSearch, nowMs: number): ExploreChoice {
  const from = Math.floor(nowMs / HOUR_MS) * HOUR_MS - Number(days) * 24 * HOUR_MS
  const newest = isDeep ? { newest: MOST_SUMMED } : {}
  return { by, ...(and === null ? {} : { and }), from: new Date(from).toISOString(), ...filters, ...newest }
}
