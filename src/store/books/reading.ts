import { type Selectable, sql } from 'kysely'
import { DAY_MS } from '../../core/durations.ts'
import { firstIdAt, timeOfId } from '../../core/ids.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { UsageFigures, UsageHourRow } from '../schema/roll-up-tables.ts'
import type { OrderRefundRow, OrderRow } from '../schema/control-rows.ts'
import type { KeyActivityRow } from '../schema/key-columns.ts'
import type { AlertRow } from '../schema/alert-tables.ts'
import type { LeaseRow, LedgerRow, RedeemCodeRow, UsageRow } from '../schema/tables.ts'
import type { StoredBudget } from './budget-rows.ts'
import { dayOf, type RollUp } from './roll-ups.ts'

/**
 * The books may hold millions of rows: so many are read at a time. Decoding them takes the main thread one to three
 * milliseconds, and requests are served between two portions.
 */
const PORTION = 200

export type StoredEntry = Pick<Selectable<LedgerRow>, (typeof ENTRY_COLUMNS)[number]>
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

export function budgetPortions(transaction: TablesTransaction): AsyncGenerator<StoredBudget[]> {
  const query = transaction.selectFrom('budgets').selectAll().orderBy('id').limit(PORTION)
  return portions((last) => query.where('id', '>', last?.id ?? '').execute())
}

export function leasePortions(transaction: TablesTransaction): AsyncGenerator<StoredLease[]> {
  const query = transaction.selectFrom('leases').selectAll().orderBy('id').limit(PORTION)
  return portions((last) => query.where('id', '>', last?.id ?? '').execute())
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

/** Account by account, oldest first. */
export function entryPortions(transaction: TablesTransaction): AsyncGenerator<StoredEntry[]> {
  const query = transaction
    .selectFrom('ledger_entries')
    .select(ENTRY_COLUMNS)
    .orderBy('account_id')
    .orderBy('seq')
    .limit(PORTION)
  return portions((last) =>
    query
      .where((entry) =>
        entry(entry.refTuple('account_id', 'seq'), '>', entry.tuple(last?.account_id ?? '', last?.seq ?? 0)),
      )
      .execute(),
  )
}

export function hourPortions(transaction: TablesTransaction): AsyncGenerator<StoredHour[]> {
  const query = transaction
    .selectFrom('usage_hours')
    .selectAll()
    .orderBy('key_id')
    .orderBy('hour_at')
    .orderBy('group_id')
    .orderBy('model')
    .limit(PORTION)
  return portions((last) =>
    (last === undefined
      ? query
      : query.where((hour) =>
          hour(
            hour.refTuple('key_id', 'hour_at', 'group_id', 'model'),
            '>',
            hour.tuple(last.key_id, last.hour_at, last.group_id, last.model),
          ),
        )
    ).execute(),
  )
}

export function rollUpPortions(
  transaction: TablesTransaction,
  { table, columns, keys }: RollUp,
): AsyncGenerator<StoredRollUp[]> {
  const names = columns.slice(0, keys).map(([name]) => name)
  const order = sql.join(names.map((name) => sql.ref(name)))
  return portions(async (last) => {
    const after =
      last === undefined ? sql`` : sql`where (${order}) > (${sql.join(names.map((name) => last[name] ?? ''))})`
    const query = sql<StoredRollUp>`select * from ${sql.table(table)} ${after} order by ${order} limit ${PORTION}`
    return (await query.execute(transaction)).rows
  })
}

export function keyUsePortions(transaction: TablesTransaction): AsyncGenerator<StoredKeyUse[]> {
  const query = transaction
    .selectFrom('key_activity')
    .selectAll()
    .orderBy('account_id')
    .orderBy('key_id')
    .limit(PORTION)
  return portions((last) =>
    query
      .where((use) =>
        use(use.refTuple('account_id', 'key_id'), '>', use.tuple(last?.account_id ?? '', last?.key_id ?? '')),
      )
      .execute(),
  )
}

export function alertPortions(transaction: TablesTransaction): AsyncGenerator<StoredAlert[]> {
  const query = transaction.selectFrom('alerts').selectAll().orderBy('id').limit(PORTION)
  return portions((last) => query.where('id', '>', last?.id ?? '').execute())
}

export function redeemCodePortions(transaction: TablesTransaction): AsyncGenerator<ProvenCode[]> {
  const query = transaction.selectFrom('redeem_codes').selectAll().orderBy('id').limit(PORTION)
  return portions((last) => query.where('id', '>', last?.id ?? '').execute())
}

export function orderPortions(transaction: TablesTransaction): AsyncGenerator<ProvenOrder[]> {
  const query = transaction.selectFrom('orders').selectAll().orderBy('id').limit(PORTION)
  return portions((last) => query.where('id', '>', last?.id ?? '').execute())
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

const ENTRY_COLUMNS = [
  'account_id',
  'seq',
  'id',
  'created_at',
  'kind',
  'amount_nano',
  'balance_after_nano',
  'request_id',
  'once',
] as const

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
