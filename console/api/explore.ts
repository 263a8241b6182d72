import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ExploredView, ExploreQueryView } from '../../src/contract/explore.ts'
import type { UsageRecordView } from '../../src/contract/usage.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { readKept, request } from './request.ts'

type Dimension = NonNullable<ExploreQueryView['by']>
export type ExploreChoice = Omit<ExploreQueryView, 'newest'> & { readonly by: Dimension; readonly newest?: number }

const MOST_LIVE = 200
const LIVE_MS = 3_000

/** Requests of all accounts, by one or two of their properties. */
export const exploreQuery = (choice: ExploreChoice) =>
  queryOptions({
    queryKey: ['usage', 'explore', choice],
    // With what its rows are by: while another view is on its way, these are still shown.
    queryFn: async ({ signal }) => ({
      sums: await request<ExploredView>('/api/usage/explore', { query: { ...choice }, signal }),
      by: choice.and === undefined ? [choice.by] : [choice.by, choice.and],
    }),
    placeholderData: keepPreviousData,
  })

/** The newest requests of all accounts, read again and again while they are looked at. */
export const latestRequestsQuery = (filter: Readonly<Record<string, string>>, isLive: boolean) =>
  readKept<Page<UsageRecordView>>(['usage', 'latest', filter], '/api/usage', {
    query: { account_id: '*', limit: MOST_LIVE, ...filter },
    refetchInterval: isLive ? LIVE_MS : false,
  })
