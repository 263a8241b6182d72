import type { Selectable } from 'kysely'
import { type NanoUsd, nanoUsd, partsPerMillion } from '../../core/money.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import type { Settlement } from '../../metering/settle/settlement.ts'
import type { Attempt, SubscriptionPayment, UsageRecord } from '../../metering/usage/usage-record.ts'
import { storableText } from '../engine/values.ts'
import { pricesOf } from '../schema/prices.ts'
import type { PriceColumns, UsageRow } from '../schema/tables.ts'
import { otherCountsJson, otherCountsOf } from './other-counts-json.ts'
import type { SettlementRows, SettlementValue } from './settlement-rows.ts'

/** A batch as the engines take it. A balance that falls below `lowBalance` gives an alert. */
export function settlementRows(batch: readonly Settlement[], lowBalance: NanoUsd | null): SettlementRows {
  const records: SettlementValue[] = []
  const charges: SettlementValue[] = []
  const payments: SettlementValue[] = []
  let index = 0
  for (const settlement of batch) {
    const { record } = settlement
    const balanceId = balanceBudget(record.accountId).id
    pushRecord(records, record, otherCharges(settlement, balanceId))
    for (const { budgetId, leaseId, cost } of settlement.charges) {
      if (cost !== 0n) charges.push(index, budgetId, leaseId, cost)
    }
    if (record.balancePaid > 0n) payments.push(index, balanceId, record.balancePaid)
    index += 1
  }
  return { count: batch.length, records, charges, payments, lowBalance }
}

/** In the order of `USAGE_COLUMNS`. */
function pushRecord(values: SettlementValue[], record: UsageRecord, otherChargesJson: string | null): void {
  const { tokens, prices } = record
  values.push(
    record.id,
    whole(record.createdAt),
    record.accountId,
    record.keyId,
    storableText(record.keyName),
    record.groupId,
    text(record.groupName),
    text(record.model),
    text(record.upstreamName),
    text(record.upstreamModel),
    record.wire,
    record.isStream ? 1 : 0,
    record.outcome,
    record.fault,
    whole(record.httpStatus),
    whole(tokens.input),
    whole(tokens.cacheRead),
    whole(tokens.cacheWrite),
    whole(tokens.cacheWrite1h),
    whole(tokens.output),
    whole(tokens.reasoning),
    record.usageSource,
    record.isCapped ? 1 : 0,
    prices?.input ?? null,
    prices?.output ?? null,
    prices?.cacheRead ?? null,
    prices?.cacheWrite ?? null,
    prices?.cacheWrite1h ?? null,
    record.multiplier,
    record.cost,
    record.balancePaid,
    subscriptionsPaid(record),
    otherChargesJson,
    otherCountsJson(tokens, prices),
    JSON.stringify(record.attempts),
    text(record.client),
    whole(record.firstByteMs),
    whole(record.totalMs),
  )
}

function text(value: string | null): string | null {
  return value === null ? null : storableText(value)
}

/** A fraction in one record (a duration, say) must not keep a whole batch out of the books for ever. */
function whole(value: number | null): number | null {
  if (value === null || Number.isSafeInteger(value)) return value
  return Math.min(Math.max(Math.round(value), 0), Number.MAX_SAFE_INTEGER) || 0
}

function subscriptionsPaid({ subscriptionsPaid: payments }: UsageRecord): string | null {
  if (payments.length === 0) return null
  return JSON.stringify(payments.map(({ subscriptionId, paid }) => [subscriptionId, String(paid)]))
}

function otherCharges({ charges }: Settlement, balanceId: string): string | null {
  const others = charges.filter(({ budgetId, cost }) => budgetId !== balanceId && cost !== 0n)
  return others.length === 0 ? null : JSON.stringify(others.map(({ budgetId, cost }) => [budgetId, String(cost)]))
}

/** What a record says was charged to budgets beside the balance. */
export function otherChargesOf(
  row: Pick<StoredRecord, 'other_charges_json'>,
): readonly { readonly budgetId: string; readonly cost: bigint }[] {
  return pairsIn(row.other_charges_json).map(([budgetId, cost]) => ({ budgetId, cost: BigInt(cost) }))
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
): Pick<UsageRecord, 'tokens' | 'prices' | 'multiplier'> {
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
    },
    prices: prices && { ...prices, other: other.prices },
    multiplier: row.multiplier_ppm === null ? null : partsPerMillion(row.multiplier_ppm),
  }
}

export function usageRecordOf(row: StoredRecord): UsageRecord {
  return {
    ...pricedTokensOf(row),
    id: row.id,
    createdAt: row.created_at,
    accountId: row.account_id,
    keyId: row.key_id,
    keyName: row.key_name,
    groupId: row.group_id,
    groupName: row.group_name,
    model: row.model,
    upstreamName: row.upstream_name,
    upstreamModel: row.upstream_model,
    wire: row.wire,
    isStream: row.is_stream,
    outcome: row.outcome,
    fault: row.fault,
    httpStatus: row.http_status,
    usageSource: row.usage_source,
    isCapped: row.is_capped,
    cost: nanoUsd(row.cost_nano),
    balancePaid: nanoUsd(row.balance_paid_nano),
    subscriptionsPaid: subscriptionsPaidOf(row),
    attempts: row.attempts_json as readonly Attempt[],
    client: row.client,
    firstByteMs: row.first_byte_ms,
    totalMs: row.total_ms,
  }
}
