import { subscriptionTo } from '../../access/subscription.ts'
import { isSameAmount } from '../../core/currency.ts'
import { invariant } from '../../core/invariant.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { OrderTrouble, PayAnswer, Payment } from '../../metering/funds/order.ts'
import { postIn } from '../books/sql-ledger.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import type { ChangeRecorder } from '../engine/changes.ts'
import { takeWaitingRefunds } from './order-refunds.ts'
import { orderOf, planIn, readOrder, type StoredOrder } from './order-rows.ts'
import { hasAccount, insertSubscription } from './sql-subscriptions.ts'

/** Grants what an order is for and marks it paid, once: the mark, the ledger entry and the subscription are one transaction. */
export async function payIn(
  transaction: TablesTransaction,
  { payment, record, low }: { payment: Payment; record: ChangeRecorder; low: NanoUsd | null },
): Promise<PayAnswer> {
  const row = await lockRow(transaction, 'orders', payment.orderId)
  if (row === undefined) return { kind: 'unknown_order' }
  if (row.state === 'paid') return alreadyPaid(transaction, row, payment)
  const { price } = orderOf(row)
  const isPrice = payment.received !== null && isSameAmount(payment.received, price)
  const granted = isPrice ? await grant(transaction, row, payment) : { trouble: 'amount_differs' as const }
  if ('trouble' in granted) return hold(transaction, row, { payment, trouble: granted.trouble })
  await transaction
    .updateTable('orders')
    .set({
      state: 'paid',
      trouble: null,
      paid_at: payment.nowMs,
      payment: payment.payment ?? row.payment,
      invoice_url: payment.invoiceUrl ?? row.invoice_url,
      subscription_id: granted.subscriptionId,
    })
    .where('id', '=', row.id)
    .execute()
  const heldRefunds = await takeWaitingRefunds(transaction, row.id, { payment, record, low })
  const { seq } = await record(row.plan_json === null ? 'funds' : 'account', row.account_id)
  return { kind: 'paid', order: await readOrder(transaction, row.id), heldRefunds, seq }
}

/** A later notice may know the invoice, or what the payment is called. */
async function alreadyPaid(transaction: TablesTransaction, row: StoredOrder, payment: Payment): Promise<PayAnswer> {
  const known = { payment: row.payment ?? payment.payment, invoice_url: payment.invoiceUrl ?? row.invoice_url }
  if (known.payment !== row.payment || known.invoice_url !== row.invoice_url) {
    await transaction.updateTable('orders').set(known).where('id', '=', row.id).execute()
  }
  return { kind: 'already_paid', order: orderOf({ ...row, ...known }) }
}

async function hold(
  transaction: TablesTransaction,
  row: StoredOrder,
  { payment, trouble }: { payment: Payment; trouble: OrderTrouble },
): Promise<PayAnswer> {
  const held = { state: 'held' as const, trouble, payment: payment.payment ?? row.payment }
  await transaction.updateTable('orders').set(held).where('id', '=', row.id).execute()
  return { kind: 'held', order: orderOf({ ...row, ...held }) }
}

async function grant(
  transaction: TablesTransaction,
  row: StoredOrder,
  payment: Payment,
): Promise<{ readonly subscriptionId: string | null } | { readonly trouble: OrderTrouble }> {
  if (row.plan_json !== null) return { subscriptionId: await grantPlan(transaction, row, payment) }
  const posted = await postIn(transaction, {
    id: payment.entryId,
    accountId: row.account_id,
    createdAt: payment.nowMs,
    kind: 'credit',
    amount: nanoUsd(row.amount_nano ?? 0n),
    reason: `order ${row.id}`,
    actor: payment.actor,
    once: `order:${row.id}`,
  })
  if (posted.kind === 'posted') return { subscriptionId: null }
  if (posted.kind === 'too_large') return { trouble: 'balance_too_large' }
  invariant(posted.kind === 'unknown_account', `the order ${row.id} was credited, and is not marked paid`)
  return { trouble: 'account_gone' }
}

/** One of the same plan that runs is followed by the new one, which a refund can then cancel by itself. */
async function grantPlan(transaction: TablesTransaction, row: StoredOrder, payment: Payment): Promise<string> {
  invariant(await hasAccount(transaction, row.account_id), `the account of the order ${row.id} is gone`)
  const plan = planIn(row)
  const { ends } = await transaction
    .selectFrom('subscriptions')
    .select((subscription) => subscription.fn.max('ends_at').as('ends'))
    .where('account_id', '=', row.account_id)
    .where('plan_id', '=', plan.id)
    .where('cancelled_at', 'is', null)
    .where('ends_at', '>', payment.nowMs)
    .executeTakeFirstOrThrow()
  const sale = { id: payment.subscriptionId, accountId: row.account_id, nowMs: payment.nowMs }
  const startsAt = ends === null ? {} : { startsAt: ends }
  const isNew = await insertSubscription(transaction, subscriptionTo(plan, { ...sale, ...startsAt }))
  invariant(isNew, `${payment.subscriptionId} was made for this payment`)
  return payment.subscriptionId
}
