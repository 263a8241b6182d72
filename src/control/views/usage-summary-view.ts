import type { UsageSummaryView } from '../../contract/usage.ts'
import { formatUsd } from '../../core/money.ts'
import type { UsageTotals } from '../../metering/usage/usage-store.ts'
import type { UsageBucket, UsageSummary } from '../../metering/usage/usage-summary.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** Sums for a chart: one row of values for each bucket, one value for each series that has something in it. */
export function usageSummaryView(summary: UsageSummary, by: 'hour' | 'day', isSplit: boolean): UsageSummaryView {
  const series = isSplit
    ? [
        ...summary.series,
        ...(summary.rest === null
          ? []
          : [{ id: null, name: null, end: null, total: summary.rest.total, buckets: summary.rest.buckets }]),
      ]
    : [{ id: null, name: null, end: null, total: summary.total, buckets: summary.buckets }]
  return {
    from: timeOnWire(summary.fromMs),
    to: timeOnWire(summary.toMs),
    by,
    totals: totalsView(summary.total),
    series: series.map(({ id, name, end, total }) => ({ id, name, end, totals: totalsView(total) })),
    buckets: bucketsView(series.map(({ buckets }) => buckets)),
  }
}

function bucketsView(ofSeries: readonly (readonly UsageBucket[])[]): UsageSummaryView['buckets'] {
  const byTime = new Map<number, UsageSummaryView['buckets'][number]>()
  for (const [series, buckets] of ofSeries.entries()) {
    for (const { startsAt, totals } of buckets) {
      const bucket = byTime.get(startsAt) ?? { at: timeOnWire(startsAt), values: [] }
      bucket.values.push({ series, ...totalsView(totals) })
      byTime.set(startsAt, bucket)
    }
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([, bucket]) => bucket)
}

function totalsView(totals: UsageTotals): UsageSummaryView['totals'] {
  return {
    requests: totals.requests,
    failed: totals.failed,
    input_tokens: totals.inputTokens,
    cache_read_tokens: totals.cacheReadTokens,
    output_tokens: totals.outputTokens,
    cost: formatUsd(totals.cost),
  }
}
