import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { AdminAlertStore } from '../../alerts/alert.ts'
import type { CurrencyAmount } from '../../core/currency.ts'
import type { Order, OrderRefund, PayAnswer, RefundAnswer } from '../../metering/funds/order.ts'
import type { ApiCall } from '../api/route.ts'
import type { ControlParts } from '../parts.ts'
import { orderView } from '../views/order-view.ts'

/** A call by which a provider or a shop says what became of a payment. */
export type PaymentCall = Pick<ApiCall, 'change' | 'nowMs'>

/** Credits an order of which a provider says that it was paid, with its audit entry. */
export async function creditOrder(
  call: PaymentCall,
  parts: Pick<ControlParts, 'newId' | 'log'>,
  paid: {
    readonly order: Order
    readonly received: CurrencyAmount | null
    readonly payment: string | null
    readonly invoiceUrl: string | null
  },
): Promise<PayAnswer> {
  const { order: found, ...payment } = paid
  const paying = await call.change(async ({ orders, adminAlerts }, audit) => {
    const answer = await orders.pay({
      ...payment,
      orderId: found.id,
      nowMs: call.nowMs,
      entryId: parts.newId('led'),
      subscriptionId: parts.newId('sub'),
      actor: 'payment',
    })
    if (answer.kind !== 'paid' && answer.kind !== 'held') return answer
    const changes = changesBetween({ state: found.state }, { ...auditedOrder(answer.order), state: answer.order.state })
    await audit({ action: `order.${answer.kind}`, subject: found.id, accountId: found.accountId, changes })
    if (answer.kind === 'held') await adminAlerts.tellAdmins({ kind: 'payment_held', about: found.id }, call.nowMs)
    for (const refund of answer.kind === 'paid' ? answer.heldRefunds : []) {
      await sayHeld(refund, { order: answer.order, adminAlerts, audit, nowMs: call.nowMs })
    }
    return answer
  })
  if (paying.kind === 'held') {
    const { id: order, provider, trouble } = paying.order
    parts.log.warn({ order, provider, trouble }, 'held a payment that could not be credited, for an admin')
  }
  if (paying.kind === 'paid') logHeld(paying.heldRefunds, paying.order, parts)
  return paying
}

/** Takes back what an order granted, or gives it again, as a provider says, with its audit entry. */
export async function noteRefund(
  call: PaymentCall,
  parts: Pick<ControlParts, 'newId' | 'log'>,
  notice: {
    readonly order: Order
    readonly providerRefund: string
    readonly amount: CurrencyAmount | null
    readonly isDone: boolean
    /** The refund, where it began here. */
    readonly refundId: string | null
  },
): Promise<RefundAnswer> {
  const { order: found, refundId, ...refund } = notice
  const noted = await call.change(async ({ orders, adminAlerts }, audit) => {
    const by = { nowMs: call.nowMs, entryId: parts.newId('led'), actor: 'payment' }
    const begun = refundId === null ? null : await orders.findRefund(refundId)
    const isOurs = begun !== null && begun.orderId === found.id
    const answer = isOurs
      ? await orders.endRefund({ id: begun.id, isDone: refund.isDone, providerRefund: refund.providerRefund, ...by })
      : await orders.noteRefund({ ...refund, id: parts.newId('rfd'), orderId: found.id, ...by })
    if (answer.kind === 'held' && answer.isNew) {
      await sayHeld(answer.refund, { order: answer.order, adminAlerts, audit, nowMs: call.nowMs })
    }
    if (answer.kind !== 'refunded' && answer.kind !== 'given_back') return answer
    const { refunded, taken_back: takenBack } = orderView(answer.order, null)
    const changes = changesBetween({}, { refund: answer.refund.id, refunded, taken_back: takenBack })
    await audit({ action: 'order.refund', subject: found.id, accountId: found.accountId, changes })
    return answer
  })
  if (noted.kind === 'held') logHeld([noted.refund], noted.order, parts)
  return noted
}

/** Says in the audit and to every admin that money went back for which nothing was taken back. */
async function sayHeld(
  refund: OrderRefund,
  to: {
    readonly order: Order
    readonly adminAlerts: AdminAlertStore
    readonly audit: (note: AuditNote) => Promise<void>
    readonly nowMs: number
  },
): Promise<void> {
  const { order, adminAlerts, audit, nowMs } = to
  const changes = changesBetween({}, { refund: refund.id, provider_refund: refund.providerRefund, why: refund.reason })
  await audit({ action: 'order.refund_held', subject: order.id, accountId: order.accountId, changes })
  await adminAlerts.tellAdmins({ kind: 'refund_held', about: order.id }, nowMs)
}

function logHeld(refunds: readonly OrderRefund[], { id: order, provider }: Order, { log }: Pick<ControlParts, 'log'>) {
  for (const { providerRefund, reason } of refunds) {
    log.warn(
      { order, provider, providerRefund, reason },
      'held a refund that is not the order’s, or is more than is left of it',
    )
  }
}

/** An order as the audit has it. */
export function auditedOrder(made: Order) {
  const { id, provider, amount, plan, price } = orderView(made, null)
  return { id, provider, amount, plan, price: `${price.amount} ${price.currency}` }
}
