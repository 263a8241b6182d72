import { DAY_MS } from '../../core/durations.ts'
import { type Selectable, sql } from 'kysely'
import { firstIdAt, timeOfId } from '../../core/ids.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { UsageFigures, UsageHourRow } from '../schema/roll-up-tables.ts'
import type { OrderRefundRow, OrderRow } from '../schema/control-rows.ts'
import type { KeyActivityRow } from '../schema/key-columns.ts'
import type { AlertRow } from '../schema/alert-tables.ts'
import type { LeaseRow, LedgerRow, RedeemCodeRow, Tables, UsageRow } from '../schema/tables.ts'
import type { StoredBudget } from './budget-rows.ts'
import { dayOf, type RollUp } from './roll-ups.ts'

/**
 * The books may hold millions of rows: so many are read at a time. Decoding them takes the main thread one to three
 * milliseconds, and requests are served between two portions.
 */
const PORTION = 200

export type StoredEntry = Selectable<LedgerRow>
export type StoredLease = Selectable<LeaseRow>
export type StoredHour = Selectable<UsageHourRow>
export type StoredKeyUse = Selectable<KeyActivityRow>
/** A row of any roll-up: its sums, and of what they are. */
export type StoredRollUp = UsageFigures & Readonly<Record<string, string | number | bigint>>
export type StoredAlert = Selectable<AlertRow>
export type ProvenCode = Selectable<RedeemCodeRow>
export type ProvenOrder = Selectable<OrderRow>
/** A refund with the account whose order it is of. */
export type ProvenRefund = Selectable<OrderRefundRow> & { readonly account_id: string }
/** A usage record as far as other figures follow from it. */
export type ProvenRecord = Pick<Selectable<UsageRow>, (typeof RECORD_COLUMNS)[number]>

export const budgetPortions = inOrder<StoredBudget>('budgets', ['id'])
export const leasePortions = inOrder<StoredLease>('leases', ['id'])
export const alertPortions = inOrder<StoredAlert>('alerts', ['id'])
export const redeemCodePortions = inOrder<ProvenCode>('redeem_codes', ['id'])
export const orderPortions = inOrder<ProvenOrder>('orders', ['id'])
export const hourPortions = inOrder<StoredHour>('usage_hours', ['key_id', 'hour_at', 'group_id', 'model'])
export const keyUsePortions = inOrder<StoredKeyUse>('key_activity', ['account_id', 'key_id'])
/** Account by account, oldest first. */
export const entryPortions = inOrder<StoredEntry>('ledger_entries', ['account_id', 'seq'])

export function rollUpPortions({ table, columns, keys }: RollUp) {
  const names = columns.slice(0, keys).map(([name]) => name)
  return inOrder<StoredRollUp>(table, names)
}

/** Day by day: where each is a part of the table, no other is looked at for a portion. */
export async function* recordPortions(transaction: TablesTransaction): AsyncGenerator<ProvenRecord[]> {
  const records = transaction.selectFrom('usage_records').orderBy('id')
  for (let after = ''; ;) {
    const first = await records.select('id').where('id', '>', after).limit(1).executeTakeFirst()
    if (first === undefined) return
    const end = endOfDay(first.id)
    const day = records
      .select(RECORD_COLUMNS)
      .$if(end !== null, (query) => query.where('id', '<', end))
      .limit(PORTION)
    const since = after
    for await (const rows of portions<ProvenRecord>((last) => day.where('id', '>', last?.id ?? since).execute())) {
      yield rows
      after = rows.at(-1)?.id ?? after
    }
  }
}

/** Comes behind all ids of that day, UTC; null: it is another kind of id. */
function endOfDay(id: string): string | null {
  const at = timeOfId(id)
  const end = at === null ? '' : firstIdAt('req', dayOf(at) + DAY_MS)
  return end > id ? end : null
}

export function refundPortions(transaction: TablesTransaction): AsyncGenerator<ProvenRefund[]> {
  const query = transaction
    .selectFrom('order_refunds')
    .innerJoin('orders', 'orders.id', 'order_refunds.order_id')
    .selectAll('order_refunds')
    .select('orders.account_id')
    .orderBy('order_refunds.id')
    .limit(PORTION)
  return portions((last) => query.where('order_refunds.id', '>', last?.id ?? '').execute())
}

/** Reads a table in the order of some columns, which no two rows share. */
function inOrder<Row extends object>(table: keyof Tables, columns: readonly string[]) {
  const order = sql.join(columns.map((name) => sql.ref(name)))
  return (transaction: TablesTransaction): AsyncGenerator<Row[]> =>
    portions(async (last) => {
      const place = last as Readonly<Record<string, unknown>> | undefined
      const values = columns.map((name) => place?.[name])
      const after = last === undefined ? sql`` : sql`where (${order}) > (${sql.join(values)})`
      const query = sql<Row>`select * from ${sql.table(table)} ${after} order by ${order} limit ${PORTION}`
      return (await query.execute(transaction)).rows
    })
}

/** `after(last)` reads the rows that come after `last`, or the first ones: while a portion is looked at, the next is read. */
async function* portions<Row>(after: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let next = after(undefined)
  for (;;) {
    const rows = await next
    if (rows.length < PORTION) {
      yield rows
      return
    }
    next = after(rows.at(-1))
    const isRead = Promise.allSettled([next])
    try {
      yield rows
    } finally {
      // Nor does an early end leave a reading behind in the transaction. Its error is thrown by the next turn.
      await isRead
    }
  }
}

export const RECORD_COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'group_id',
  'model',
  'outcome',
  'fault',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'other_tokens_json',
  'price_input_nano',
  'price_output_nano',
  'price_cache_read_nano',
  'price_cache_write_nano',
  'price_cache_write_1h_nano',
  'multiplier_ppm',
  'cost_nano',
  'balance_paid_nano',
  'upstream_name',
  'credential_name',
  'provider_cost_nano',
  'subscriptions_paid_json',
  'other_charges_json',
] as const
