import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SummaryQueryView, UsageQuery, UsageRecordView, UsageSummaryView } from '../../src/contract/usage.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, type QueryValue, readIfThere, readKept, request, withQuery } from './request.ts'
import { SITE_PATH } from '../site.ts'

/** What narrows the records. */
export type UsageFilterQuery = Pick<
  UsageQuery,
  'account_id' | 'key' | 'group' | 'model' | 'fault' | 'request' | 'from' | 'to'
>

export type UsageRecordsQuery = UsageFilterQuery & Pick<UsageQuery, 'cursor'> & { readonly limit?: number }

export type UsageSummaryQuery = Pick<
  SummaryQueryView,
  'key' | 'group' | 'model' | 'from' | 'to' | 'by' | 'split' | 'offset_minutes'
>

/** Pages without a record that are passed over before the reader is asked to go on. */
const MOST_EMPTY_PAGES = 5

/** A page of usage records, newest first. The API answers a rare filter in steps, some of them empty: those are passed over. */
export const usageRecordsQuery = (query: UsageRecordsQuery) =>
  queryOptions({
    queryKey: ['usage', 'records', query],
    queryFn: async ({ signal }) => {
      let found = await readRecords(query, signal)
      for (let step = 0; step < MOST_EMPTY_PAGES && found.data.length === 0 && found.next_cursor !== null; step += 1) {
        found = await readRecords({ ...query, cursor: found.next_cursor }, signal)
      }
      return found
    },
    placeholderData: keepPreviousData,
  })

/** `kept_since`: on the last page, since when records are kept, where older ones were deleted. */
export type UsagePage = Page<UsageRecordView> & { readonly kept_since: string | null }

function readRecords(query: UsageRecordsQuery, signal: AbortSignal): Promise<UsagePage> {
  return request<UsagePage>('/api/usage', { query: plain(query), signal })
}

/** Sums by hour or day. */
export const usageSummaryQuery = (query: UsageSummaryQuery) =>
  readKept<UsageSummaryView>(['usage', 'summary', query], '/api/usage/summary', { query: plain(query) })

/** The record of one request; null: there is none. */
export const usageRecordQuery = (id: string) =>
  readIfThere<UsageRecordView>(['usage', 'record', id], apiPath`/api/usage/${id}`, {
    // A record is written once and never edited.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** One page of records; a fault that came more often is not counted further. */
const MOST_COUNTED = 100

/** How many requests of a day ended with a fault. */
export const sameFaultQuery = (query: Required<Pick<UsageQuery, 'fault' | 'from' | 'to'>>) =>
  queryOptions({
    queryKey: ['usage', 'same', query],
    queryFn: async ({ signal }) => {
      const page = await request<Page<UsageRecordView>>('/api/usage', {
        query: { ...plain(query), limit: MOST_COUNTED },
        signal,
      })
      return { count: page.data.length, isMore: page.next_cursor !== null }
    },
  })

/** Where the whole filter can be had as CSV: a plain link. */
export function usageCsvLink(query: UsageFilterQuery): string {
  return SITE_PATH + withQuery('/api/usage.csv', plain(query))
}

function plain(query: object): Readonly<Record<string, QueryValue>> {
  return { ...query }
}
