import { timeText } from '../../format/local-time.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { SPAN_NAMES, type BucketSize, type SpanChoice } from './span.ts'

export const MEASURES = ['cost', 'requests', 'tokens'] as const
export const SPLITS = ['model', 'key', 'group', 'none'] as const
export const FILTERS = ['key', 'group', 'model'] as const

export type Measure = (typeof MEASURES)[number]
export type Split = (typeof SPLITS)[number]
export type FilterName = (typeof FILTERS)[number]
export type UsageFilters = Readonly<Partial<Record<FilterName, string | undefined>>>

/** All that decides what the page shows, as it stands in its address. */
export interface UsageSearch {
  readonly span: SpanChoice
  /** The filters of both the chart and the table. */
  readonly filters: UsageFilters
  /** A fault code or `any`; of the table alone, as all below it. Empty: every record. */
  readonly fault: string
  /** How a request id begins. */
  readonly request: string
  /** The tag of the keys that are compared; on that page alone. */
  readonly tag: string | null
  readonly cursor: string | null
  readonly split: Split
  readonly measure: Measure
  /** null: what suits the span. */
  readonly by: BucketSize | null
  /** The buckets as a table instead of a chart. */
  readonly isTable: boolean
  /** The newest requests are asked for again and again. */
  readonly isLive: boolean
  /** The request whose record is open. */
  readonly record: string | null
}

const USUAL_SPAN = '7d'

/** Reads the address. What makes no sense is taken for not said. */
export function readUsageSearch(flat: FlatSearch): UsageSearch {
  const filters = FILTERS.flatMap((name) => {
    const value = flat[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return {
    span: readSpan(flat),
    filters: Object.fromEntries(filters),
    fault: flat['fault'] ?? '',
    request: flat['request'] ?? '',
    tag: textOrNull(flat['tag']),
    cursor: textOrNull(flat['cursor']),
    split: SPLITS.find((name) => name === flat['split']) ?? 'model',
    measure: MEASURES.find((name) => name === flat['measure']) ?? 'cost',
    by: flat['by'] === 'hour' || flat['by'] === 'day' ? flat['by'] : null,
    isTable: flat['view'] === 'table',
    isLive: flat['live'] === 'on',
    record: textOrNull(flat['record']),
  }
}

/** The address for it, without what goes without saying. */
export function writeUsageSearch(search: UsageSearch): FlatSearch {
  const { span } = search
  const said: Record<string, string | null | undefined> = {
    span: span.name === 'custom' || span.name === USUAL_SPAN ? null : span.name,
    from: span.name === 'custom' ? span.from : null,
    to: span.name === 'custom' ? span.to : null,
    ...search.filters,
    fault: search.fault,
    request: search.request,
    split: search.split === 'model' ? null : search.split,
    measure: search.measure === 'cost' ? null : search.measure,
    by: search.by,
    view: search.isTable ? 'table' : null,
    live: search.isLive ? 'on' : null,
    tag: search.tag,
    cursor: search.cursor,
    record: search.record,
  }
  const entries = Object.entries(said).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}

function readSpan(flat: FlatSearch): SpanChoice {
  const from = readTime(flat['from'])
  const to = readTime(flat['to'])
  if (from !== null || to !== null) return { name: 'custom', from, to }
  return { name: SPAN_NAMES.find((name) => name === flat['span']) ?? USUAL_SPAN }
}

/** A date alone is the midnight of UTC that begins it. */
function readTime(text: string | undefined): string | null {
  const ms = /^\d{4}-\d\d-\d\d/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(ms) ? null : timeText(ms)
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
