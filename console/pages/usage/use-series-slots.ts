import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { UsageSummaryView } from '../../../src/contract/usage.ts'
import { usageSummaryQuery } from '../../api/usage.ts'
import { slotsOf } from '../../chart/series-colours.ts'
import type { UsageView } from './use-usage-search.ts'

/**
 * The colours of the series that the account used most in thirty days: a week and one of its days, or one model of it, show
 * a name in one colour. undefined: not known yet. Where it cannot be read, those that are shown are taken.
 */
export function useSeriesSlots(
  view: UsageView,
  summary: UseQueryResult<UsageSummaryView>,
): ReadonlyMap<string, number> | undefined {
  const isSplit = view.search.split !== 'none'
  // Read once: who is the tenth of thirty days changes while the page is open, and colours do not.
  const most = useQuery({ ...usageSummaryQuery(view.colourQuery), staleTime: Infinity, enabled: isSplit })
  const isOlder = most.isPlaceholderData && !summary.isPlaceholderData
  const source = most.error === null ? (isOlder ? undefined : most.data) : summary.data
  return useMemo(() => {
    if (!isSplit) return new Map()
    return source && slotsOf(source.series.flatMap(({ id }) => (id === null ? [] : [id])))
  }, [isSplit, source])
}
