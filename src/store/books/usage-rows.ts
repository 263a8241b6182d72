import type { Selectable } from 'kysely'
import { nanoUsd, partsPerMillion } from '../../core/money.ts'
import type { Settlement } from '../../metering/settle/settlement.ts'
import type { SubscriptionPayment, UsageRecord } from '../../metering/usage/usage-record.ts'
import { pricesOf } from '../schema/prices.ts'
import type { PriceColumns, UsageRow } from '../schema/tables.ts'
import { otherCountsOf } from './other-counts-json.ts'

/** Writes the column; `otherChargesOf` reads it. `balanceId`: the budget of the account's balance. */
export function otherChargesJson({ charges }: Settlement, balanceId: string): string | null {
  const others = charges.filter(({ budgetId, cost }) => budgetId !== balanceId && cost !== 0n)
  return others.length === 0 ? null : JSON.stringify(others.map(({ budgetId, cost }) => [budgetId, String(cost)]))
}

/** What a record says was charged to budgets beside the balance. */
export function otherChargesOf(
  row: Pick<StoredRecord, 'other_charges_json'>,
): readonly { readonly budgetId: string; readonly cost: bigint }[] {
  return pairsIn(row.other_charges_json).map(([budgetId, cost]) => ({ budgetId, cost: BigInt(cost) }))
}

/** Writes the column; `subscriptionsPaidOf` reads it. */
export function subscriptionsPaidJson({ subscriptionsPaid: payments }: UsageRecord): string | null {
  if (payments.length === 0) return null
  return JSON.stringify(payments.map(({ subscriptionId, paid }) => [subscriptionId, String(paid)]))
}

export function subscriptionsPaidOf(
  row: Pick<StoredRecord, 'subscriptions_paid_json'>,
): readonly SubscriptionPayment[] {
  return pairsIn(row.subscriptions_paid_json).map(([subscriptionId, paid]) => ({
    subscriptionId,
    paid: nanoUsd(BigInt(paid)),
  }))
}

const NO_PAIRS: readonly (readonly [string, string])[] = []

function pairsIn(json: unknown): readonly (readonly [string, string])[] {
  return json === null ? NO_PAIRS : (json as readonly (readonly [string, string])[])
}

type StoredRecord = Selectable<UsageRow>
type CountColumns = Pick<
  StoredRecord,
  | 'input_tokens'
  | 'cache_read_tokens'
  | 'cache_write_tokens'
  | 'cache_write_1h_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'other_tokens_json'
>

/** What a record counted, at which prices. */
export function pricedTokensOf(
  row: CountColumns & PriceColumns & Pick<StoredRecord, 'multiplier_ppm'>,
): Pick<UsageRecord, 'tokens' | 'prices' | 'terms' | 'multiplier'> {
  const other = otherCountsOf(row.other_tokens_json)
  const prices = pricesOf(row, other.unitPrices)
  return {
    tokens: {
      input: row.input_tokens,
      cacheRead: row.cache_read_tokens,
      cacheWrite: row.cache_write_tokens,
      cacheWrite1h: row.cache_write_1h_tokens,
      output: row.output_tokens,
      reasoning: row.reasoning_tokens,
      other: other.tokens,
      units: other.units,
      ...(other.calls === undefined ? {} : { calls: other.calls }),
    },
    prices: prices && {
      ...prices,
      other: other.prices,
      ...(other.callPrices === undefined ? {} : { calls: other.callPrices }),
    },
    terms: other.terms,
    multiplier: row.multiplier_ppm === null ? null : partsPerMillion(row.multiplier_ppm),
  }
}
