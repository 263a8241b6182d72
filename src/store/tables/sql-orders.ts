import type { ListPlace } from '../../core/list-place.ts'
import type { NanoUsd } from '../../core/money.ts'
import type {
  CreateAnswer,
  NewOrder,
  Order,
  OrderFilter,
  OrderStore,
  TroubledOrder,
  UnpaidBound,
} from '../../metering/funds/order.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { lockId, readRow } from '../engine/rows-by-id.ts'
import { changing } from '../engine/changes.ts'
import { behind } from '../books/newest-first.ts'
import { payIn } from './order-payments.ts'
import { askRefundIn, endRefundIn, noteRefundIn } from './order-refunds.ts'
import { orderOf, planJson, readOrder, refundOf } from './order-rows.ts'
import { planOf } from './sql-plans.ts'
import { hasAccount } from './sql-subscriptions.ts'

/** Far more than a provider makes of one order. */
const REFUNDS_LIMIT = 200

/**
 * Each step locks the order first, so that of two at the same instant the second sees what the first did. A balance that a
 * refund takes below `low` gives an alert; null: never.
 */
export function ordersOn(database: Database, low: NanoUsd | null): OrderStore {
  const { kysely } = database
  return {
    create: (order, bound) => database.transaction((transaction) => createIn(transaction, order, bound)),
    attach: async (id, made) => {
      const columns = { provider_order: made.providerOrder, checkout_url: made.checkoutUrl }
      await kysely.updateTable('orders').set(columns).where('id', '=', id).execute()
    },
    find: async (id) => {
      const row = await readRow(kysely, 'orders', id)
      return row === undefined ? null : orderOf(row)
    },
    findByProvider: (provider, order) => findBy(database, provider, ['provider_order', order]),
    findByPayment: (provider, payment) => findBy(database, provider, ['payment', payment]),
    list: (filter, limit, after = null) => list(database, filter, { limit, after }),
    pay: (payment) => changing(database, (transaction, record) => payIn(transaction, { payment, record, low })),
    cancel: async (id) => {
      const open = kysely
        .updateTable('orders')
        .set({ state: 'cancelled' })
        .where('id', '=', id)
        .where('state', '=', 'open')
      await open.execute()
    },
    noteRefund: (notice) =>
      changing(database, (transaction, record) => noteRefundIn(transaction, notice, { record, low })),
    askRefund: (request) =>
      changing(database, (transaction, record) => askRefundIn(transaction, request, { record, low })),
    endRefund: (end) => changing(database, (transaction, record) => endRefundIn(transaction, end, { record, low })),
    troubles: (sinceMs, limit) => troubles(database, sinceMs, limit),
    findRefund: async (id) => {
      const row = await readRow(kysely, 'order_refunds', id)
      return row === undefined ? null : refundOf(row)
    },
    refunds: async (orderId) => {
      const rows = await kysely
        .selectFrom('order_refunds')
        .selectAll()
        .where('order_id', '=', orderId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(REFUNDS_LIMIT)
        .execute()
      return rows.map(refundOf)
    },
  }
}

async function list(
  { views }: Database,
  filter: OrderFilter,
  { limit, after }: { readonly limit: number; readonly after: ListPlace | null },
): Promise<readonly Order[]> {
  let query = views.selectFrom('orders').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  if (filter.accountId !== null) query = query.where('account_id', '=', filter.accountId)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  if (filter.provider !== undefined) query = query.where('provider', '=', filter.provider)
  const rows = await (after === null ? query : query.where(behind('orders', after))).execute()
  return rows.map(orderOf)
}

async function troubles({ views }: Database, sinceMs: number, limit: number): Promise<readonly TroubledOrder[]> {
  const [held, refunds] = await Promise.all([
    views
      .selectFrom('orders')
      .selectAll()
      .where('state', '=', 'held')
      .where('created_at', '>=', sinceMs)
      // What came was paid back since.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('order_refunds')
              .select('id')
              .whereRef('order_id', '=', 'orders.id')
              .where('is_waiting', '=', true),
          ),
        ),
      )
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute(),
    views
      .selectFrom('order_refunds')
      .selectAll()
      .where('state', '=', 'held')
      .where('created_at', '>=', sinceMs)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute(),
  ])
  const ids = refunds.map(({ order_id: id }) => id)
  const rows = ids.length === 0 ? [] : await views.selectFrom('orders').selectAll().where('id', 'in', ids).execute()
  const ofRefunds = refunds.flatMap((refund): TroubledOrder[] => {
    const row = rows.find(({ id }) => id === refund.order_id)
    return row === undefined ? [] : [{ order: orderOf(row), refund: refundOf(refund) }]
  })
  const all = [...held.map((row): TroubledOrder => ({ order: orderOf(row), refund: null })), ...ofRefunds]
  return all.toSorted((a, b) => (b.refund ?? b.order).createdAt - (a.refund ?? a.order).createdAt).slice(0, limit)
}

async function findBy(
  { kysely }: Database,
  provider: string,
  [column, value]: readonly [column: 'provider_order' | 'payment', value: string],
): Promise<Order | null> {
  const row = await kysely
    .selectFrom('orders')
    .selectAll()
    .where('provider', '=', provider)
    .where(column, '=', value)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : orderOf(row)
}

async function createIn(
  transaction: TablesTransaction,
  order: NewOrder,
  bound: UnpaidBound | undefined,
): Promise<CreateAnswer> {
  const { grants, price, provider, providerOrder } = order
  if (!(await hasAccount(transaction, order.accountId))) return { kind: 'unknown_account' }
  if (bound !== undefined && (await countUnpaid(transaction, order.accountId, bound.sinceMs)) >= bound.most) {
    return { kind: 'too_many_unpaid' }
  }
  const plan = grants.kind === 'plan' ? await readRow(transaction, 'plans', grants.planId) : null
  if (plan === undefined) return { kind: 'plan_gone' }
  const inserted = await transaction
    .insertInto('orders')
    .values({
      id: order.id,
      account_id: order.accountId,
      provider,
      provider_order: providerOrder,
      amount_nano: grants.kind === 'balance' ? grants.amount : null,
      plan_id: plan?.id ?? null,
      plan_json: plan === null ? null : planJson(planOf(plan)),
      currency: price.currency,
      price_nano: price.nano,
      state: 'open',
      trouble: null,
      payment: null,
      checkout_url: null,
      invoice_url: null,
      refunded_nano: 0n,
      taken_back_nano: 0n,
      subscription_id: null,
      created_at: order.createdAt,
      paid_at: null,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_order']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return { kind: 'created', order: await readOrder(transaction, inserted.id) }
  const row = await transaction
    .selectFrom('orders')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_order', '=', providerOrder)
    .executeTakeFirstOrThrow()
  return { kind: 'existing', order: orderOf(row) }
}

/** Orders that were created since, and are not paid. Those at the same moment wait for each other at the account. */
async function countUnpaid(transaction: TablesTransaction, accountId: string, sinceMs: number): Promise<number> {
  await lockId(transaction, 'accounts', accountId)
  const { count } = await transaction
    .selectFrom('orders')
    .select((order) => order.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', sinceMs)
    .where('state', 'in', ['open', 'cancelled'])
    .executeTakeFirstOrThrow()
  return count
}
