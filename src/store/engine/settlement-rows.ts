/**
 * A batch of settlements on its way to the engine: three flat lists of plain values. Cloning such a list into the writer
 * thread costs the main thread half of what cloning the objects does, and the thread a fifth.
 */
export interface SettlementRows {
  readonly count: number
  /** The values of `USAGE_COLUMNS`, record after record. */
  readonly records: readonly SettlementValue[]
  /** The charges in the order of the records: for each the number of its record in the batch, budget, lease or null, cost. */
  readonly charges: readonly SettlementValue[]
  /** What balances paid, in the same order: for each record its number in the batch, the balance's budget, the amount. */
  readonly payments: readonly SettlementValue[]
  /** Answers that their upstream keeps: for each the account, id of the response, upstream, time. */
  readonly storedResponses: readonly SettlementValue[]
  /** A balance that falls below this gives an alert; null: never. Nano-USD. */
  readonly lowBalance: bigint | null
}

/** Money is bigint; counts and times are whole numbers. */
export type SettlementValue = string | number | bigint | null

export const CHARGE_WIDTH = 4
export const PAYMENT_WIDTH = 3
export const STORED_RESPONSE_WIDTH = 4

/** One settlement of a batch as a batch of its own. */
export function settlementAt(rows: SettlementRows, index: number): SettlementRows {
  const width = rows.records.length / rows.count
  return {
    count: 1,
    records: rows.records.slice(index * width, (index + 1) * width),
    charges: ofRecord(rows.charges, CHARGE_WIDTH, index),
    payments: ofRecord(rows.payments, PAYMENT_WIDTH, index),
    // Those of all: none is written twice.
    storedResponses: rows.storedResponses,
    lowBalance: rows.lowBalance,
  }
}

function ofRecord(values: readonly SettlementValue[], width: number, index: number): SettlementValue[] {
  return values.flatMap((value, at) => {
    const isOurs = values[at - (at % width)] === index
    return isOurs ? [at % width === 0 ? 0 : value] : []
  })
}
