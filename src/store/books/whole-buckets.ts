import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/durations.ts'
import { SUMMARY_BUCKETS_LIMIT, SUMMARY_SERIES_LIMIT, type SummaryQuery } from '../../metering/usage/usage-summary.ts'

/** A query whose span is whole buckets. */
export interface BucketQuery extends SummaryQuery {
  /** How far the reader's days begin before those of UTC: whole hours, in milliseconds. */
  readonly offsetMs: number
}

/** Widens the span. Throws RangeError for one of too many buckets, and for too many series. */
export function inWholeBuckets(query: SummaryQuery): BucketQuery {
  const offsetMs = Math.floor(((query.offsetMinutes ?? 0) * MINUTE_MS) / HOUR_MS) * HOUR_MS
  const lengthMs = query.by === 'day' ? DAY_MS : HOUR_MS
  const fromMs = Math.floor((query.fromMs + offsetMs) / lengthMs) * lengthMs - offsetMs
  const toMs = Math.ceil((query.toMs + offsetMs) / lengthMs) * lengthMs - offsetMs
  if ((toMs - fromMs) / lengthMs > SUMMARY_BUCKETS_LIMIT) {
    throw new RangeError(`the span has more than ${SUMMARY_BUCKETS_LIMIT} ${query.by}s`)
  }
  if (query.top < 1 || query.top > SUMMARY_SERIES_LIMIT) throw new RangeError(`top is 1 to ${SUMMARY_SERIES_LIMIT}`)
  return { ...query, offsetMs, fromMs, toMs }
}
