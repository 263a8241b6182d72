import { CALL_KINDS } from '../../core/calls.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM } from '../../core/money.ts'
import { priceOfOne } from '../../core/prices.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsageFilter, UsageStore } from '../../metering/usage/usage-store.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { type CsvColumn, csvStream, csvText as text, pagesFrom } from '../api/table-file.ts'

/** All records that pass a filter, as a CSV file that is made while it is read. */
export function usageCsv(
  store: Pick<UsageStore, 'list'>,
  filter: UsageFilter,
  { isStaff, ...how }: { readonly isStaff: boolean; readonly startsWithMark: boolean },
): ReadableStream<Uint8Array> {
  const pages = pagesFrom<UsageRecord, string>(async (after) => {
    const { records, next } = await store.list(filter, { after, limit: PAGE })
    return { rows: records, next }
  })
  return csvStream(isStaff ? [...COLUMNS, ...ADMIN_COLUMNS] : COLUMNS, pages, how)
}

const PAGE = 200

const COLUMNS: readonly CsvColumn<UsageRecord>[] = [
  ['id', (record) => text(record.id)],
  ['created_at', (record) => timeOnWire(record.createdAt)],
  ['account_id', (record) => text(record.accountId)],
  ['key_id', (record) => text(record.keyId)],
  ['key_name', (record) => text(record.keyName)],
  ['group', (record) => text(record.groupName)],
  ['model', (record) => text(record.model)],
  ['protocol', (record) => text(record.wire)],
  ['stream', (record) => String(record.isStream)],
  ['outcome', (record) => text(record.outcome)],
  ['fault', (record) => text(record.fault)],
  ['http_status', (record) => count(record.httpStatus)],
  ['input_tokens', ({ tokens }) => count(tokens.input)],
  ['cache_read_tokens', ({ tokens }) => count(tokens.cacheRead)],
  ['cache_write_tokens', ({ tokens }) => count(tokens.cacheWrite)],
  ['cache_write_1h_tokens', ({ tokens }) => count(tokens.cacheWrite1h)],
  ['output_tokens', ({ tokens }) => count(tokens.output)],
  ['reasoning_tokens', ({ tokens }) => count(tokens.reasoning)],
  ['audio_input_tokens', ({ tokens }) => count(tokens.other?.audioInput)],
  ['audio_output_tokens', ({ tokens }) => count(tokens.other?.audioOutput)],
  ['image_input_tokens', ({ tokens }) => count(tokens.other?.imageInput)],
  ['requests_charged', ({ tokens }) => count(tokens.units?.requests)],
  ['images', ({ tokens }) => count(tokens.units?.images)],
  ['audio_seconds', ({ tokens }) => count(tokens.units?.seconds)],
  ['characters', ({ tokens }) => count(tokens.units?.characters)],
  ...CALL_KINDS.map((kind): CsvColumn<UsageRecord> => [`${kind}_calls`, ({ tokens }) => count(tokens.calls?.[kind])]),
  ['usage_source', (record) => text(record.usageSource)],
  ['capped', (record) => String(record.isCapped)],
  ['usage_notes', (record) => record.usageNotes.join(' ')],
  ['input_price', ({ prices }) => usd(prices?.input)],
  ['cache_read_price', ({ prices }) => usd(prices?.cacheRead)],
  ['cache_write_price', ({ prices }) => usd(prices?.cacheWrite)],
  ['cache_write_1h_price', ({ prices }) => usd(prices?.cacheWrite1h)],
  ['output_price', ({ prices }) => usd(prices?.output)],
  ['price_per_request', ({ prices }) => usdOfOne(prices?.units?.request)],
  ['price_per_image', ({ prices }) => usdOfOne(prices?.units?.image)],
  ['price_per_second', ({ prices }) => usdOfOne(prices?.units?.second)],
  ['price_per_million_characters', ({ prices }) => usd(prices?.units?.character)],
  ...CALL_KINDS.map((kind): CsvColumn<UsageRecord> => [
    `price_per_${kind}`,
    ({ prices }) => usdOfOne(prices?.calls?.[kind]),
  ]),
  ['service_tier', ({ terms }) => text(terms?.serviceTier ?? null)],
  ['inference_geo', ({ terms }) => text(terms?.inferenceGeo ?? null)],
  ['above_input_tokens', ({ terms }) => count(terms?.aboveInputTokens)],
  ['multiplier', ({ multiplier }) => (multiplier === null ? '' : formatMultiplier(multiplier))],
  ['cost', (record) => usd(record.cost)],
  ['paid_by_balance', (record) => usd(record.balancePaid)],
  ['attempts', (record) => String(record.attempts.length)],
  ['client', (record) => text(record.client)],
  ['first_byte_ms', (record) => count(record.firstByteMs)],
  ['total_ms', (record) => count(record.totalMs)],
  ['device_secret', (record) => (record.deviceSecret === '' ? 'signed in' : text(record.deviceSecret))],
]

const ADMIN_COLUMNS: typeof COLUMNS = [
  ['upstream', (record) => text(record.upstreamName)],
  ['upstream_model', (record) => text(record.upstreamModel)],
  ['provider_cost', (record) => usd(record.providerCost)],
  ['credential', (record) => text(record.credentialName)],
]

function count(value: number | null | undefined): string {
  return value == null ? '' : String(value)
}

function usd(amount: NanoUsd | null | undefined): string {
  return amount == null ? '' : formatUsd(amount)
}

function usdOfOne(amount: NanoUsd | null | undefined): string {
  return usd(amount == null ? null : priceOfOne(amount, ONE_PPM))
}
