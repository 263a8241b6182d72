import { formatCurrencyAmount } from '../../core/currency.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { invariant } from '../../core/invariant.ts'
import type {
  OrderRefund,
  OrderStore,
  Payment,
  RefundAnswer,
  RefundNotice,
  RefundRequest,
} from '../../metering/funds/order.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import { availableIn } from '../books/budget-rows.ts'
import { postIn } from '../books/sql-ledger.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import type { ChangeRecorder } from '../engine/changes.ts'
import { orderOf, readOrder, refundOf, type StoredOrder, type StoredRefund } from './order-rows.ts'
import { cancelIn, reopenIn } from './sql-subscriptions.ts'

/** What refunds take back of what an order granted. The order is locked throughout. */

interface RefundEffects {
  readonly record: ChangeRecorder
  readonly low: NanoUsd | null
}

/** Who does it, when, and the id that an entry would have. */
type RefundActor = Pick<RefundNotice, 'nowMs' | 'entryId' | 'actor'>

/** A refund of which the provider says that it was made, or that it failed. Each once, in whatever order they come. */
export async function noteRefundIn(
  transaction: TablesTransaction,
  notice: RefundNotice,
  using: RefundEffects,
): Promise<RefundAnswer> {
  const order = await lockRow(transaction, 'orders', notice.orderId)
  if (order === undefined) return { kind: 'unknown_order' }
  const known = await transaction
    .selectFrom('order_refunds')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('provider_refund', '=', notice.providerRefund)
    .executeTakeFirst()
  if (known !== undefined) {
    if (!notice.isDone) return giveBack(transaction, { order, refund: known, by: notice }, using)
    if (known.state === 'held') return takeHeld(transaction, { order, refund: known, by: notice }, using)
    return { kind: 'noted', order: orderOf(order), refund: refundOf(known) }
  }
  const isWaiting = notice.isDone && order.state !== 'paid'
  const isHeld = notice.isDone && (notice.amount === null || !fits(order, notice.amount))
  const refund: StoredRefund = {
    ...newRefund(notice, isHeld ? reasonToHold(notice) : BY_PROVIDER),
    provider_refund: notice.providerRefund,
    is_waiting: isWaiting && !isHeld,
    state: isHeld ? 'held' : notice.isDone ? 'done' : 'failed',
  }
  await transaction.insertInto('order_refunds').values(refund).execute()
  if (isHeld) return { kind: 'held', order: orderOf(order), refund: refundOf(refund), isNew: true }
  if (!notice.isDone || isWaiting) return { kind: 'noted', order: orderOf(order), refund: refundOf(refund) }
  return takeBack(transaction, { order, refund, by: notice, isStrict: false }, using)
}

/** Takes a held refund that the provider reports again: others of the order may have failed since, or the amount is another. */
async function takeHeld(
  transaction: TablesTransaction,
  { order, refund, by }: { order: StoredOrder; refund: StoredRefund; by: RefundNotice },
  using: RefundEffects,
): Promise<RefundAnswer> {
  if (by.amount === null || !fits(order, by.amount)) {
    return { kind: 'held', order: orderOf(order), refund: refundOf(refund), isNew: false }
  }
  const isWaiting = order.state !== 'paid'
  const found = { state: 'done' as const, is_waiting: isWaiting, amount_nano: by.amount.nano, reason: BY_PROVIDER }
  await transaction.updateTable('order_refunds').set(found).where('id', '=', refund.id).execute()
  const fitting = { ...refund, ...found }
  if (isWaiting) return { kind: 'noted', order: orderOf(order), refund: refundOf(fitting) }
  return takeBack(transaction, { order, refund: fitting, by, isStrict: false }, using)
}

/** Takes back all that the refund is worth, or nothing. */
export async function askRefundIn(
  transaction: TablesTransaction,
  request: RefundRequest,
  using: RefundEffects,
): Promise<RefundAnswer> {
  const order = await lockRow(transaction, 'orders', request.orderId)
  if (order === undefined) return { kind: 'unknown_order' }
  if (order.state !== 'paid') return { kind: 'not_paid' }
  if (!fits(order, request.amount)) return { kind: 'differs' }
  const refund: StoredRefund = { ...newRefund(request, request.reason), state: 'asked' }
  return takeBack(transaction, { order, refund, by: request, isStrict: true, isNew: true }, using)
}

/** What became of a refund that was asked for. */
export async function endRefundIn(
  transaction: TablesTransaction,
  end: Parameters<OrderStore['endRefund']>[0],
  using: RefundEffects,
): Promise<RefundAnswer> {
  const asked = await transaction
    .selectFrom('order_refunds')
    .select('order_id')
    .where('id', '=', end.id)
    .executeTakeFirst()
  const order = asked === undefined ? undefined : await lockRow(transaction, 'orders', asked.order_id)
  if (order === undefined) return { kind: 'unknown_order' }
  const refund = await transaction
    .selectFrom('order_refunds')
    .selectAll()
    .where('id', '=', end.id)
    .executeTakeFirstOrThrow()
  if (!end.isDone) return giveBack(transaction, { order, refund, by: end }, using)
  if (refund.state === 'asked') {
    const done = { state: 'done' as const, provider_refund: end.providerRefund }
    await transaction.updateTable('order_refunds').set(done).where('id', '=', refund.id).execute()
    return { kind: 'noted', order: orderOf(order), refund: refundOf({ ...refund, ...done }) }
  }
  return { kind: 'noted', order: orderOf(order), refund: refundOf(refund) }
}

/** Refunds that were noted before their payment. Resolves to those that are more than was paid. */
export async function takeWaitingRefunds(
  transaction: TablesTransaction,
  orderId: string,
  { payment, ...using }: RefundEffects & { readonly payment: Payment },
): Promise<readonly OrderRefund[]> {
  const held: OrderRefund[] = []
  const waiting = await transaction
    .selectFrom('order_refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('is_waiting', '=', true)
    .orderBy('id')
    .execute()
  for (const refund of waiting) {
    const order = await lockRow(transaction, 'orders', orderId)
    invariant(order !== undefined, 'it is locked already')
    const isFitting = fits(order, { currency: order.currency, nano: refund.amount_nano })
    const found = isFitting ? { is_waiting: false } : { is_waiting: false, state: 'held' as const }
    await transaction.updateTable('order_refunds').set(found).where('id', '=', refund.id).execute()
    if (!isFitting) {
      held.push(refundOf({ ...refund, ...found }))
      continue
    }
    const by = { ...payment, entryId: `${payment.entryId}-${refund.id}` }
    await takeBack(transaction, { order, refund, by, isStrict: false }, using)
  }
  return held
}

async function takeBack(
  transaction: TablesTransaction,
  of: { order: StoredOrder; refund: StoredRefund; by: RefundActor; isStrict: boolean; isNew?: boolean },
  { record, low }: RefundEffects,
): Promise<RefundAnswer> {
  const { order, refund, by } = of
  const refunded = order.refunded_nano + refund.amount_nano
  const due = shareOf(order, refunded) - shareOf(order, order.refunded_nano)
  const available = await availableTo(transaction, order.account_id)
  if (of.isStrict && available < due) return { kind: 'insufficient', available: nanoUsd(available) }
  const taken = available < due ? available : due
  if (of.isNew === true) {
    await transaction
      .insertInto('order_refunds')
      .values({ ...refund, taken_nano: taken })
      .execute()
  } else {
    await transaction.updateTable('order_refunds').set({ taken_nano: taken }).where('id', '=', refund.id).execute()
  }
  if (taken > 0n) await post(transaction, { order, refund, by, amount: -taken, once: `refund:${refund.id}` }, low)
  await transaction
    .updateTable('orders')
    .set({ refunded_nano: refunded, taken_back_nano: order.taken_back_nano + taken })
    .where('id', '=', order.id)
    .execute()
  const isAllBack = refunded === order.price_nano && order.subscription_id !== null
  const change = isAllBack
    ? await cancelIn(transaction, { id: order.subscription_id ?? '', record, nowMs: by.nowMs })
    : null
  const { seq } = change ?? (await record('funds', order.account_id))
  const after = refundOf({ ...refund, taken_nano: taken })
  return { kind: 'refunded', order: await readOrder(transaction, order.id), refund: after, seq }
}

async function giveBack(
  transaction: TablesTransaction,
  { order, refund, by }: { order: StoredOrder; refund: StoredRefund; by: RefundActor },
  { record, low }: RefundEffects,
): Promise<RefundAnswer> {
  if (refund.state === 'failed') return { kind: 'noted', order: orderOf(order), refund: refundOf(refund) }
  const failed = { ...refund, state: 'failed' as const, is_waiting: false }
  await transaction
    .updateTable('order_refunds')
    .set({ state: 'failed', is_waiting: false })
    .where('id', '=', refund.id)
    .execute()
  if (refund.is_waiting || refund.state === 'held')
    return { kind: 'noted', order: orderOf(order), refund: refundOf(failed) }
  const { taken_nano: taken } = refund
  if (taken > 0n) await post(transaction, { order, refund, by, amount: taken, once: `refund-failed:${refund.id}` }, low)
  await transaction
    .updateTable('orders')
    .set({ refunded_nano: order.refunded_nano - refund.amount_nano, taken_back_nano: order.taken_back_nano - taken })
    .where('id', '=', order.id)
    .execute()
  const wasAllBack = order.refunded_nano === order.price_nano && order.subscription_id !== null
  const change = wasAllBack ? await reopenIn(transaction, { id: order.subscription_id ?? '', record }) : null
  const { seq } = change ?? (await record('funds', order.account_id))
  return { kind: 'given_back', order: await readOrder(transaction, order.id), refund: refundOf(failed), seq }
}

async function post(
  transaction: TablesTransaction,
  of: { order: StoredOrder; refund: StoredRefund; by: RefundActor; amount: bigint; once: string },
  low: NanoUsd | null,
): Promise<void> {
  const { order, refund, by, amount, once } = of
  const posted = await postIn(
    transaction,
    {
      id: by.entryId,
      accountId: order.account_id,
      createdAt: by.nowMs,
      kind: 'refund',
      amount: nanoUsd(amount),
      reason: `refund ${refund.id} of order ${order.id}`,
      actor: by.actor,
      once,
    },
    low,
  )
  invariant(posted.kind === 'posted', `the refund ${refund.id} cannot be entered: ${posted.kind}`)
}

function newRefund(
  { id, orderId, amount, actor, nowMs }: Pick<RefundNotice, 'id' | 'orderId' | 'amount' | 'actor' | 'nowMs'>,
  reason: string,
): Omit<StoredRefund, 'state'> {
  return {
    id,
    order_id: orderId,
    provider_refund: null,
    amount_nano: amount?.nano ?? 0n,
    taken_nano: ZERO_NANO_USD,
    is_waiting: false,
    reason,
    actor,
    created_at: nowMs,
  }
}

const BY_PROVIDER = 'noted by the provider'

/** The row has no currency of its own. */
function reasonToHold({ amount }: RefundNotice): string {
  if (amount === null) return 'held: the provider paid back an amount that cannot be read'
  return `held: the provider paid back ${formatCurrencyAmount(amount)} ${amount.currency}`
}

/** Returns whether a refund is in the order's currency, and no more in all than was paid. */
function fits(order: StoredOrder, amount: { readonly currency: string; readonly nano: bigint }): boolean {
  return amount.currency === order.currency && amount.nano > 0n && order.refunded_nano + amount.nano <= order.price_nano
}

/** Returns the share of what was granted for so much of the price; rounded down, so that it is exact when all is refunded. */
function shareOf(order: StoredOrder, refundedNano: bigint): bigint {
  return ((order.amount_nano ?? 0n) * refundedNano) / order.price_nano
}

async function availableTo(transaction: TablesTransaction, accountId: string): Promise<bigint> {
  const budget = await lockRow(transaction, 'budgets', balanceBudget(accountId).id)
  const available = budget === undefined ? 0n : availableIn(budget)
  return available > 0n ? available : 0n
}
