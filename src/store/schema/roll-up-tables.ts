// Rows of the tables of sums over usage records, which the settle keeps (`books/roll-ups.ts`).

/** The sum of usage records of one key in one hour, by group and model (empty where the record has none). */
export interface UsageHourRow extends UsageFigures {
  key_id: string
  hour_at: number
  group_id: string
  model: string
  account_id: string
}

/** The sum of usage records of one account in one hour, by group and model. */
export interface AccountHourRow extends UsageFigures {
  account_id: string
  hour_at: number
  group_id: string
  model: string
}

/** The sum of usage records of all accounts in one hour, by group and model: what each has is the sum over the lanes. */
export interface AllHoursRow extends UsageFigures {
  hour_at: number
  group_id: string
  model: string
  lane: number
}

/** The sum of usage records of one key in one day, UTC, by group and model. */
export interface UsageDayRow extends UsageFigures {
  key_id: string
  day_at: number
  group_id: string
  model: string
  account_id: string
}

/** What the upstream that was asked last cost, by how the requests ended (empty: well). Sums over the lanes, as above. */
export interface UpstreamHourRow extends CostFigures, CacheFigures {
  hour_at: number
  upstream: string
  group_id: string
  model: string
  fault: string
  lane: number
}

/** What the credential that was used last cost in one day, UTC, by how the requests ended. Sums over the lanes. */
export interface CredentialDayRow extends CostFigures {
  day_at: number
  upstream: string
  credential: string
  fault: string
  lane: number
}

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
