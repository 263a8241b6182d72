// Rows of the tables of sums over usage records, which the settle keeps (`books/roll-ups.ts`).

/** What a row may be the sum of. Hours and days are of UTC; a name is empty where the records have none. */
interface SummedOver {
  key_id: string
  account_id: string
  hour_at: number
  day_at: number
  group_id: string
  model: string
  upstream: string
  credential: string
  /** Empty: the requests ended well. */
  fault: string
  /** Each sum is that over its lanes. */
  lane: number
}

type SumsOver<Figures, Names extends keyof SummedOver> = Figures & Pick<SummedOver, Names>

export type UsageHourRow = SumsOver<UsageFigures, 'key_id' | 'hour_at' | 'group_id' | 'model' | 'account_id'>
export type AccountHourRow = SumsOver<UsageFigures, 'account_id' | 'hour_at' | 'group_id' | 'model'>
export type AllHoursRow = SumsOver<UsageFigures, 'hour_at' | 'group_id' | 'model' | 'lane'>
export type UsageDayRow = SumsOver<UsageFigures, 'key_id' | 'day_at' | 'group_id' | 'model' | 'account_id'>
/** What the upstream that was asked last cost. */
export type UpstreamHourRow = SumsOver<
  CostFigures & CacheFigures,
  'hour_at' | 'upstream' | 'group_id' | 'model' | 'fault' | 'lane'
>
/** What the credential that was used last cost. */
export type CredentialDayRow = SumsOver<CostFigures, 'day_at' | 'upstream' | 'credential' | 'fault' | 'lane'>

/** Input of requests whose upstream says what it read from its cache: with affinity (`kept`), and without (`free`). */
export interface CacheFigures {
  kept_input_tokens: number
  kept_cached_tokens: number
  free_input_tokens: number
  free_cached_tokens: number
}

export interface CostFigures {
  requests: number
  failed: number
  cost_nano: bigint
  /** What requests cost at their providers, where that is known. */
  provider_cost_nano: bigint
  /** What those were charged. */
  costed_nano: bigint
}

export interface UsageFigures {
  requests: number
  failed: number
  /** Input tokens of all kinds. */
  input_tokens: number
  cache_read_tokens: number
  output_tokens: number
  cost_nano: bigint
  balance_paid_nano: bigint
}
