import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KeySpendPageView } from '../../src/contract/usage.ts'
import { request, withQuery, type QueryValue } from './request.ts'

/** Of when, and of which groups and models. */
export type KeySpendSpan = Readonly<Partial<Record<'from' | 'to' | 'group' | 'model', string | undefined>>>

/** A page of the keys that were used in a span, with what they cost in the time before it. */
export const keySpendQuery = (query: KeySpendSpan & Readonly<Record<string, QueryValue>>) =>
  queryOptions({
    queryKey: ['usage', 'keys', query],
    queryFn: ({ signal }) => request<KeySpendPageView>('/api/usage/keys', { query, signal }),
    placeholderData: keepPreviousData,
  })

/** Where all of them can be had as CSV: a plain link. */
export function keySpendCsvLink(span: KeySpendSpan): string {
  return withQuery('/api/usage/keys.csv', span)
}
