import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { UsageRecordsQuery, UsageSummaryQuery } from '../../api/usage.ts'
import { timeZoneHere } from '../../format/local-time.ts'
import { useIsNarrow } from '../../ui/use-media.ts'
import { useNow } from '../../ui/use-now.ts'
import { bucketSizesOf, dayOffsetOf, spanOf, type BucketSize, type Span } from './span.ts'
import { readUsageSearch, writeUsageSearch, type UsageSearch } from './usage-search.ts'

export interface UsageView {
  readonly search: UsageSearch
  readonly span: Span
  readonly timeZone: string
  /** The sizes that the span allows, the usual one first. */
  readonly sizes: readonly BucketSize[]
  readonly by: BucketSize
  readonly offset: { readonly minutes: number; readonly isShifted: boolean }
  readonly recordsQuery: UsageRecordsQuery
  readonly summaryQuery: UsageSummaryQuery
  /** Asks for the series that have a colour of their own: the largest of thirty days, whatever is looked at. */
  readonly colourQuery: UsageSummaryQuery
  /** Whether anything but the span narrows what is shown. */
  readonly isFiltered: boolean
  /** null: not known, after a reload in the middle. */
  readonly pageNumber: number | null
  /** Goes to the same page with something changed; back to the first records, when other ones are asked for. */
  change(change: Partial<UsageSearch>, how?: { readonly isReplacing?: boolean }): void
  goNext(cursor: string): void
  goPrevious(): void
}

/** Requests as cards are eight times as high as rows: so many are a page. */
const ROWS_OF_CARDS = 15

/** What changes nothing about which records there are. */
const ONLY_LOOKS: ReadonlySet<string> = new Set(['split', 'measure', 'by', 'isTable', 'isLive', 'record', 'cursor'])

/** All that the usage page shows, read from its address and in the reader's time zone. */
export function useUsageSearch(): UsageView {
  const search = readUsageSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const nowMs = useNow()
  const isNarrow = useIsNarrow()
  /** The cursors of the pages before this one, as they were walked. */
  const trail = useRef<(string | null)[]>([])
  const timeZone = timeZoneHere()
  const span = spanOf(search.span, nowMs, timeZone)
  const sizes = bucketSizesOf(span, nowMs)
  const by = sizes.find((size) => size === search.by) ?? sizes[0] ?? 'day'
  const offset = dayOffsetOf(span, nowMs, timeZone)
  const change: UsageView['change'] = (part, how = {}) => {
    const isOther = Object.keys(part).some((name) => !ONLY_LOOKS.has(name))
    if (isOther) trail.current = []
    const next = writeUsageSearch({ ...search, ...(isOther ? { cursor: null } : {}), ...part })
    void navigate({ to: '.', search: next, replace: how.isReplacing === true, resetScroll: false })
  }
  const filter = { ...search.filters, from: span.from, ...(span.to === null ? {} : { to: span.to }) }
  return {
    search,
    span,
    timeZone,
    sizes,
    by,
    offset,
    recordsQuery: {
      ...filter,
      ...(search.fault === '' ? {} : { fault: search.fault }),
      ...(search.request === '' ? {} : { request: search.request }),
      ...(search.cursor === null ? {} : { cursor: search.cursor }),
      ...(isNarrow ? { limit: ROWS_OF_CARDS } : {}),
    },
    summaryQuery: { ...filter, by, split: search.split, offset_minutes: offset.minutes },
    colourQuery: {
      from: spanOf({ name: '30d' }, nowMs, timeZone).from,
      by: 'day',
      split: search.split,
      offset_minutes: dayOffsetOf({ from: '', to: null }, nowMs, timeZone).minutes,
    },
    isFiltered: Object.keys(search.filters).length > 0 || search.fault !== '' || search.request !== '',
    pageNumber: search.cursor === null ? 1 : trail.current.length === 0 ? null : trail.current.length + 1,
    change,
    goNext: (cursor) => {
      trail.current = [...trail.current, search.cursor]
      change({ cursor })
    },
    goPrevious: () => {
      const cursor = trail.current.at(-1) ?? null
      trail.current = trail.current.slice(0, -1)
      change({ cursor })
    },
  }
}
