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
  /** For each answer that its upstream keeps: account, id of the response, upstream, time. */
  readonly storedResponses: readonly SettlementValue[]
  /** A balance that falls below this gives an alert; null: never. Nano-USD. */
  readonly lowBalance: bigint | null
}

/** Money is bigint; counts and times are whole numbers. */
export type SettlementValue = string | number | bigint | null

export const CHARGE_WIDTH = 4
export const PAYMENT_WIDTH = 3
export const STORED_RESPONSE_WIDTH = 4
