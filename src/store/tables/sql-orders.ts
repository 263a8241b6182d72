import type { ListPlace } from '../../core/list-place.ts'
import type { NanoUsd } from '../../core/money.ts'
import type {
  CreateAnswer,
  NewOrder,
  Order,
  OrderFilter,
  OrderRefund,
  OrderStore,
  PayAnswer,
  Payment,
  RefundAnswer,
  RefundNotice,
  RefundRequest,
  TroubledOrder,
  UnpaidBound,
} from '../../metering/funds/order.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing } from '../engine/changes.ts'
import { behind } from '../books/newest-first.ts'
import { payIn } from './order-payments.ts'
import { askRefundIn, endRefundIn, noteRefundIn } from './order-refunds.ts'
import { orderOf, planJson, readOrder, refundOf } from './order-rows.ts'
import { planOf } from './sql-plans.ts'
import { hasAccount } from './sql-subscriptions.ts'

/** Far more than a provider makes of one order. */
const REFUNDS_LIMIT = 200

/** Each step locks the order first, so that of two at the same instant the second sees what the first did. */
export class SqlOrderStore implements OrderStore {
  readonly #database: Database
  readonly #lowBalance: NanoUsd | null

  /** A balance that a refund takes below `lowBalance` gives an alert; null: never. */
  constructor(database: Database, lowBalance: NanoUsd | null) {
    this.#database = database
    this.#lowBalance = lowBalance
  }

  create(order: NewOrder, bound?: UnpaidBound): Promise<CreateAnswer> {
    return this.#database.transaction((transaction) => createIn(transaction, order, bound))
  }

  async attach(id: string, made: { providerOrder: string; checkoutUrl: string | null }): Promise<void> {
    await this.#database.kysely
      .updateTable('orders')
      .set({ provider_order: made.providerOrder, checkout_url: made.checkoutUrl })
      .where('id', '=', id)
      .execute()
  }

  async find(id: string): Promise<Order | null> {
    const row = await this.#database.kysely.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : orderOf(row)
  }

  findByProvider(provider: string, providerOrder: string): Promise<Order | null> {
    return this.#findBy(provider, 'provider_order', providerOrder)
  }

  findByPayment(provider: string, payment: string): Promise<Order | null> {
    return this.#findBy(provider, 'payment', payment)
  }

  async list(filter: OrderFilter, limit: number, after: ListPlace | null = null): Promise<readonly Order[]> {
    let query = this.#database.views
      .selectFrom('orders')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    if (filter.accountId !== null) query = query.where('account_id', '=', filter.accountId)
    if (filter.state !== undefined) query = query.where('state', '=', filter.state)
    if (filter.provider !== undefined) query = query.where('provider', '=', filter.provider)
    const rows = await (after === null ? query : query.where(behind('orders', after))).execute()
    return rows.map(orderOf)
  }

  pay(payment: Payment): Promise<PayAnswer> {
    return changing(this.#database, (transaction, record) =>
      payIn(transaction, { payment, record, low: this.#lowBalance }),
    )
  }

  async cancel(id: string): Promise<void> {
    await this.#database.kysely
      .updateTable('orders')
      .set({ state: 'cancelled' })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .execute()
  }

  noteRefund(notice: RefundNotice): Promise<RefundAnswer> {
    return changing(this.#database, (transaction, record) =>
      noteRefundIn(transaction, notice, { record, low: this.#lowBalance }),
    )
  }

  askRefund(request: RefundRequest): Promise<RefundAnswer> {
    return changing(this.#database, (transaction, record) =>
      askRefundIn(transaction, request, { record, low: this.#lowBalance }),
    )
  }

  endRefund(end: Parameters<OrderStore['endRefund']>[0]): Promise<RefundAnswer> {
    return changing(this.#database, (transaction, record) =>
      endRefundIn(transaction, end, { record, low: this.#lowBalance }),
    )
  }

  async troubles(sinceMs: number, limit: number): Promise<readonly TroubledOrder[]> {
    const { views } = this.#database
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

  async findRefund(id: string): Promise<OrderRefund | null> {
    const row = await this.#database.kysely
      .selectFrom('order_refunds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : refundOf(row)
  }

  async refunds(orderId: string): Promise<readonly OrderRefund[]> {
    const rows = await this.#database.kysely
      .selectFrom('order_refunds')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(REFUNDS_LIMIT)
      .execute()
    return rows.map(refundOf)
  }

  async #findBy(provider: string, column: 'provider_order' | 'payment', value: string): Promise<Order | null> {
    const row = await this.#database.kysely
      .selectFrom('orders')
      .selectAll()
      .where('provider', '=', provider)
      .where(column, '=', value)
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : orderOf(row)
  }
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
  const plan = grants.kind === 'plan' ? await findPlan(transaction, grants.planId) : null
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
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
  const { count } = await transaction
    .selectFrom('orders')
    .select((order) => order.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', sinceMs)
    .where('state', 'in', ['open', 'cancelled'])
    .executeTakeFirstOrThrow()
  return count
}

function findPlan(transaction: TablesTransaction, id: string) {
  return transaction.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()
}
