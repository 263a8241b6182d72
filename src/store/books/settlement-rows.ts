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
  ['other_charges_json', 'text'],
  ['attempts_json', 'text'],
  ['client', 'text'],
  ['first_byte_ms', 'integer'],
  ['total_ms', 'integer'],
] as const

export const USAGE_WIDTH = USAGE_COLUMNS.length

/** Where in a record these stand. */
export const ID_COLUMN = 0
export const CREATED_COLUMN = 1
export const ACCOUNT_COLUMN = 2
