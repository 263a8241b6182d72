import type { UsageTotals } from './usage-totals.ts'

/** Sums of usage by time. What is absent may be anything. */
export interface SummaryQuery {
  /** null: of all accounts. */
  readonly accountId: string | null
  /** Epoch milliseconds; widened to whole hours or, by day, to whole days. */
  readonly fromMs: number
  readonly toMs: number
  readonly by: 'hour' | 'day'
  /** What is separated beside the time; null: nothing. */
  readonly split: 'key' | 'model' | 'group' | null
  readonly keyId?: string | undefined
  readonly groupId?: string | undefined
  readonly model?: string | undefined
  /** So many of them, those that cost most in the span. 1 to 50. */
  readonly top: number
  /** How far the reader's days begin before those of UTC, in minutes; taken to the whole hour. */
  readonly offsetMinutes?: number | undefined
}

/** Epoch milliseconds; its end is not in it. */
export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

export interface UsageSummary {
  /** The span that is summed: `query`'s, widened. Epoch milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  readonly total: UsageTotals
  /** Buckets in the order of time, those without a request left out. */
  readonly buckets: readonly UsageBucket[]
  /** The dearest first, equal ones by their id; none without a split. */
  readonly series: readonly UsageSeries[]
  /** What is in `total` and in no series; null: nothing. */
  readonly rest: Pick<UsageSeries, 'total' | 'buckets'> | null
}

export interface UsageBucket {
  /** When the hour or day begins. Epoch milliseconds. */
  readonly startsAt: number
  readonly totals: UsageTotals
}

export interface UsageSeries {
  /** The key's or group's id, or the model's name; empty: records without one. */
  readonly id: string
  /** The name now; null: it is gone, or has none. */
  readonly name: string | null
  /** The last four characters of a key’s secret, which tell it from others of its name; null: it is not a key, or gone. */
  readonly end: string | null
  readonly total: UsageTotals
  readonly buckets: readonly UsageBucket[]
}

/** Forty days by the hour, or years by the day: more than a chart can show. */
export const SUMMARY_BUCKETS_LIMIT = 1_000
export const SUMMARY_SERIES_LIMIT = 50
