/**
 * Sums of closed spans, by what charts of all accounts ask for: hours that lie together by their time, days, and blocks of
 * days. They are made from the sums of hours by `fill-spans.ts`, behind the settlements; without them those are read.
 */
export interface SpanTable {
  readonly table: 'usage_account_spans' | 'usage_account_model_spans' | 'usage_upstream_spans'
  /** The sums of hours that they are made of. */
  readonly source: 'usage_account_hours' | 'usage_upstream_hours'
  /** By what rows of one span differ. */
  readonly columns: readonly string[]
  readonly figures: readonly string[]
  /** How long the spans are, each a multiple of the one before. All begin at a multiple of their length. */
  readonly lengths: readonly number[]
  /** A column of `OTHERS`: where it is given, what the dearest can have cost at most is summed instead of the cost. */
  readonly others?: (typeof OTHERS)[keyof typeof OTHERS]
}

/** Of `usage_account_spans`: what all models, or all groups, but the dearest cost an account at least. */
export const OTHERS = { model: 'other_models_nano', group: 'other_groups_nano' } as const

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Spans that are looked at together: a multiple of every length. */
export const WINDOW_MS = 16 * DAY_MS

/** What sums by who called have. */
export const OF_CALLERS = [
  'requests',
  'failed',
  'cost_nano',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
] as const

export const ACCOUNT_SPANS: SpanTable = {
  table: 'usage_account_spans',
  source: 'usage_account_hours',
  columns: ['account_id'],
  figures: OF_CALLERS,
  lengths: [HOUR_MS, 6 * HOUR_MS, DAY_MS, 4 * DAY_MS, WINDOW_MS],
}

/** Of hours there would be as many rows as there are sums of hours. */
export const ACCOUNT_MODEL_SPANS: SpanTable = {
  table: 'usage_account_model_spans',
  source: 'usage_account_hours',
  columns: ['account_id', 'group_id', 'model'],
  figures: OF_CALLERS,
  lengths: [DAY_MS, 4 * DAY_MS, WINDOW_MS],
}

/** Few rows a day: longer spans would save nothing. */
export const UPSTREAM_SPANS: SpanTable = {
  table: 'usage_upstream_spans',
  source: 'usage_upstream_hours',
  columns: ['upstream', 'group_id', 'model', 'fault'],
  figures: ['requests', 'failed', 'cost_nano', 'provider_cost_nano', 'costed_nano'],
  lengths: [DAY_MS],
}

/** In the order in which they are made: those of accounts keep something of those of their models. */
export const SPAN_TABLES: readonly SpanTable[] = [UPSTREAM_SPANS, ACCOUNT_MODEL_SPANS, ACCOUNT_SPANS]
