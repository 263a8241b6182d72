import type { Selectable } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import { USAGE_NOTES, type UsageNote } from '../../core/usage-notes.ts'
import type { Attempt, UsageRecord } from '../../metering/usage/usage-record.ts'
import { storableText } from '../engine/values.ts'
import type { UsageRow } from '../schema/tables.ts'
import { otherCountsJson } from './other-counts-json.ts'
import type { SettlementValue } from '../engine/settlement-rows.ts'
import { pricedTokensOf, subscriptionsPaidJson, subscriptionsPaidOf } from './usage-rows.ts'

interface Column {
  readonly type: 'text' | 'integer'
  /** `otherChargesJson`: what was charged to budgets beside the balance. */
  readonly write: (record: UsageRecord, otherChargesJson: string | null) => SettlementValue
}

/**
 * The columns of a usage record: what each holds, and how it is written. A batch carries the values in this order, and every
 * statement takes its columns from here.
 */
const COLUMNS = {
  id: { type: 'text', write: (record) => record.id },
  created_at: { type: 'integer', write: (record) => whole(record.createdAt) },
  account_id: { type: 'text', write: (record) => record.accountId },
  key_id: { type: 'text', write: (record) => record.keyId },
  key_name: { type: 'text', write: (record) => storableText(record.keyName) },
  group_id: { type: 'text', write: (record) => record.groupId },
  group_name: { type: 'text', write: (record) => text(record.groupName) },
  model: { type: 'text', write: (record) => text(record.model) },
  upstream_name: { type: 'text', write: (record) => text(record.upstreamName) },
  upstream_model: { type: 'text', write: (record) => text(record.upstreamModel) },
  wire: { type: 'text', write: (record) => record.wire },
  is_stream: { type: 'integer', write: (record) => (record.isStream ? 1 : 0) },
  outcome: { type: 'text', write: (record) => record.outcome },
  fault: { type: 'text', write: (record) => record.fault },
  http_status: { type: 'integer', write: (record) => whole(record.httpStatus) },
  input_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.input) },
  cache_read_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.cacheRead) },
  cache_write_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.cacheWrite) },
  cache_write_1h_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.cacheWrite1h) },
  output_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.output) },
  reasoning_tokens: { type: 'integer', write: ({ tokens }) => whole(tokens.reasoning) },
  usage_source: { type: 'text', write: (record) => record.usageSource },
  is_capped: { type: 'integer', write: (record) => (record.isCapped ? 1 : 0) },
  usage_notes: { type: 'text', write: ({ usageNotes }) => (usageNotes.length === 0 ? null : usageNotes.join(' ')) },
  price_input_nano: { type: 'integer', write: ({ prices }) => prices?.input ?? null },
  price_output_nano: { type: 'integer', write: ({ prices }) => prices?.output ?? null },
  price_cache_read_nano: { type: 'integer', write: ({ prices }) => prices?.cacheRead ?? null },
  price_cache_write_nano: { type: 'integer', write: ({ prices }) => prices?.cacheWrite ?? null },
  price_cache_write_1h_nano: { type: 'integer', write: ({ prices }) => prices?.cacheWrite1h ?? null },
  multiplier_ppm: { type: 'integer', write: (record) => record.multiplier },
  cost_nano: { type: 'integer', write: (record) => record.cost },
  balance_paid_nano: { type: 'integer', write: (record) => record.balancePaid },
  subscriptions_paid_json: { type: 'text', write: subscriptionsPaidJson },
  other_charges_json: { type: 'text', write: (_, otherChargesJson) => otherChargesJson },
  other_tokens_json: { type: 'text', write: ({ tokens, prices, terms }) => otherCountsJson(tokens, prices, terms) },
  attempts_json: { type: 'text', write: (record) => JSON.stringify(record.attempts) },
  client: { type: 'text', write: (record) => text(record.client) },
  first_byte_ms: { type: 'integer', write: (record) => whole(record.firstByteMs) },
  total_ms: { type: 'integer', write: (record) => whole(record.totalMs) },
  // New ones come last: see `packed-settlements.ts`.
  route_trace: { type: 'text', write: (record) => text(record.routeTrace) },
  provider_cost_nano: { type: 'integer', write: ({ providerCost }) => providerCost },
  fault_facts: { type: 'text', write: (record) => text(record.faultFacts) },
  credential_name: { type: 'text', write: (record) => text(record.credentialName) },
  limits_left: { type: 'text', write: (record) => record.limitsLeft },
  device_secret: { type: 'text', write: (record) => record.deviceSecret },
} satisfies Record<keyof UsageRow, Column>

export type UsageColumn = keyof typeof COLUMNS

const ENTRIES = Object.entries(COLUMNS) as readonly [UsageColumn, Column][]
const WRITERS = ENTRIES.map(([, { write }]) => write)

/** The columns in the order in which a batch carries them, with what each holds. */
export const USAGE_COLUMNS = ENTRIES.map(([name, { type }]) => [name, type] as const)

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
  ${USAGE_COLUMNS.filter(([name]) => name !== 'id')
    .map(([name]) => `${name} = excluded.${name}`)
    .join(', ')}
  where usage_records.outcome = 'interrupted' and excluded.outcome <> 'interrupted'`

/** Adds the values of a record's columns to those of a batch. */
export function pushRecord(values: SettlementValue[], record: UsageRecord, otherChargesJson: string | null): void {
  for (const write of WRITERS) values.push(write(record, otherChargesJson))
}

export function usageRecordOf(row: Selectable<UsageRow>): UsageRecord {
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
    credentialName: row.credential_name,
    wire: row.wire,
    isStream: row.is_stream,
    outcome: row.outcome,
    fault: row.fault,
    httpStatus: row.http_status,
    usageSource: row.usage_source,
    isCapped: row.is_capped,
    usageNotes: notesOf(row.usage_notes),
    cost: nanoUsd(row.cost_nano),
    providerCost: row.provider_cost_nano === null ? null : nanoUsd(row.provider_cost_nano),
    balancePaid: nanoUsd(row.balance_paid_nano),
    subscriptionsPaid: subscriptionsPaidOf(row),
    attempts: row.attempts_json as readonly Attempt[],
    routeTrace: row.route_trace,
    faultFacts: row.fault_facts,
    limitsLeft: row.limits_left,
    deviceSecret: row.device_secret,
    client: row.client,
    firstByteMs: row.first_byte_ms,
    totalMs: row.total_ms,
  }
}

/** Notes that this version does not know, as a newer one may have written them, are left out. */
function notesOf(written: string | null): readonly UsageNote[] {
  if (written === null) return []
  const words = new Set(written.split(' '))
  return USAGE_NOTES.filter((note) => words.has(note))
}

function text(value: string | null): string | null {
  return value === null ? null : storableText(value)
}

/** A fraction in one record (a duration, say) must not keep a whole batch out of the books for ever. */
function whole(value: number | null): number | null {
  if (value === null || Number.isSafeInteger(value)) return value
  return Math.min(Math.max(Math.round(value), 0), Number.MAX_SAFE_INTEGER) || 0
}
