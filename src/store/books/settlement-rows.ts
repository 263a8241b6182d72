/**
 * A batch of settlements on its way to the engine: three flat lists of plain values. Cloning such a list into the writer
 * thread costs the main thread half of what cloning the objects does, and the thread a fifth.
 */
export interface SettlementRows {
  readonly count: number
  /** The values of `USAGE_COLUMNS`, record after record. */
  readonly records: readonly SettlementValue[]
  /** For each charge: the number of its record in the batch, budget, lease or null, cost. In the order of the records. */
  readonly charges: readonly SettlementValue[]
  /** For each record that a balance paid for: its number in the batch, the balance's budget, the amount. Likewise in order. */
  readonly payments: readonly SettlementValue[]
  /** A balance that falls below this gives an alert; null: never. Nano-USD. */
  readonly lowBalance: bigint | null
}

/** Money is bigint; counts and times are whole numbers. */
export type SettlementValue = string | number | bigint | null

export const CHARGE_WIDTH = 4
export const PAYMENT_WIDTH = 3

/** The columns of a usage record, in the order in which a batch carries them, with what each holds. */
export const USAGE_COLUMNS = [
  ['id', 'text'],
  ['created_at', 'integer'],
  ['account_id', 'text'],
  ['key_id', 'text'],
  ['key_name', 'text'],
  ['group_id', 'text'],
  ['group_name', 'text'],
  ['model', 'text'],
  ['upstream_name', 'text'],
  ['upstream_model', 'text'],
  ['wire', 'text'],
  ['is_stream', 'integer'],
  ['outcome', 'text'],
  ['fault', 'text'],
  ['http_status', 'integer'],
  ['input_tokens', 'integer'],
  ['cache_read_tokens', 'integer'],
  ['cache_write_tokens', 'integer'],
  ['cache_write_1h_tokens', 'integer'],
  ['output_tokens', 'integer'],
  ['reasoning_tokens', 'integer'],
  ['usage_source', 'text'],
  ['is_capped', 'integer'],
  ['price_input_nano', 'integer'],
  ['price_output_nano', 'integer'],
  ['price_cache_read_nano', 'integer'],
  ['price_cache_write_nano', 'integer'],
  ['price_cache_write_1h_nano', 'integer'],
  ['multiplier_ppm', 'integer'],
  ['cost_nano', 'integer'],
  ['balance_paid_nano', 'integer'],
  ['subscriptions_paid_json', 'text'],
  ['other_charges_json', 'text'],
  ['other_tokens_json', 'text'],
  ['attempts_json', 'text'],
  ['client', 'text'],
  ['first_byte_ms', 'integer'],
  ['total_ms', 'integer'],
] as const

export type UsageColumn = (typeof USAGE_COLUMNS)[number][0]

export const USAGE_WIDTH = USAGE_COLUMNS.length

/** Where in a record this column stands. */
export function columnAt(name: UsageColumn): number {
  return USAGE_COLUMNS.findIndex(([column]) => column === name)
}

export const ID_COLUMN = columnAt('id')

/**
 * What becomes of a record whose id is there already: it stays as it is, unless it was written for a gateway that was taken
 * for dead and this one is the truth.
 */
export const ON_KNOWN_RECORD = `on conflict (id) do update set
  ${USAGE_COLUMNS.slice(1)
    .map(([name]) => `${name} = excluded.${name}`)
    .join(', ')}
  where usage_records.outcome = 'interrupted' and excluded.outcome <> 'interrupted'`
