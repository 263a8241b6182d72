import { changesBetween } from '../../access/audit.ts'
import { order, orderRefund, ordersQuery } from '../../contract/payments.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { type Currency, formatCurrencyAmount } from '../../core/currency.ts'
import type { Order, OrderRefund, RefundRequest } from '../../metering/funds/order.ts'
import { refundPayment, StripeFailure } from '../../payments/stripe-client.ts'
import { notFound, Problem } from '../problem.ts'
import { onePage, placeAt, placeOf } from '../api/paging.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { providerProblem, stripeAccess } from '../payments/checkout.ts'
import { readPrice, refundedOrder } from '../payments/order-answers.ts'
import { readPayments } from '../payments/stored-settings.ts'
import { orderView } from '../views/order-view.ts'
import { accountMeant, type Actor, actorId, isStaff, owned } from '../who/actor.ts'

const route = routesOf('Billing')

const listOrders = route('get /api/orders', {
  summary: 'List your orders, newest first',
  description: 'Staff name another account with account_id, or "*" for all.',
  who: 'account',
  query: ordersQuery,
  answer: pageOf(order),
  async handle(call, { store }) {
    const { account_id: wanted, limit, state, provider } = call.query
    const accountId = accountMeant(call, wanted, 'all_allowed')
    const rows = await store.orders.list({ accountId, state, provider }, limit + 1, placeAt(call.position))
    const page = onePage(rows, call, placeOf)
    const view = await viewing(call.actor, page.rows, store)
    return { data: page.rows.map(view), next_cursor: page.next_cursor }
  },
})

const readOrder = route('get /api/orders/{id}', {
  summary: 'Read an order',
  who: 'account',
  answer: order,
  async handle(call, { store }) {
    const found = owned(call, await store.orders.find(call.params.id), 'order')
    return (await viewing(call.actor, [found], store))(found)
  },
})

const refundOrder = route('post /api/orders/{id}/refund', {
  summary: 'Refund an order, in part or whole',
  description:
    'Takes back its share of the balance first, all of it or nothing; a plan ends with the last of it. Then Stripe pays back, once however often this is sent: where it did not answer, sending it again goes on with the same refund, and one of another amount or reason is refused. Of an order of a shop or of epay it is only noted here: pay the money back there.',
  who: 'books',
  body: orderRefund,
  answer: order,
  problems: [
    'conflict',
    'refund_unsettled',
    'payment_differs',
    'balance_insufficient',
    'payments_off',
    'payment_provider_failed',
  ],
  example: { body: { reason: 'bought twice' } },
  async handle(call, parts) {
    const { store, newId } = parts
    const found = await store.orders.find(call.params.id)
    if (found === null) throw notFound('order')
    const { price, refundedNano } = found
    const { amount: wanted, reason } = call.body
    const rest = { currency: price.currency, nano: price.nano - refundedNano }
    const amount = wanted === undefined ? rest : readPrice({ amount: wanted, currency: price.currency }, 'amount')
    const by = { nowMs: call.nowMs, actor: actorId(call.actor) }
    const unsettled = (await store.orders.refunds(found.id)).find(({ state }) => state === 'asked')
    if (unsettled !== undefined) {
      // What is unsettled is counted as refunded: where nothing is left beside it, it was all of the rest.
      const isSameAmount = wanted === undefined ? rest.nano <= 0n : amount.nano === unsettled.amountNano
      if (!isSameAmount || reason !== unsettled.reason) throw isUnsettled(unsettled, price.currency)
    }
    const refundId = unsettled?.id ?? newId('rfd')
    const asked = { id: refundId, orderId: found.id, amount, reason, entryId: newId('led'), ...by }
    const seq = unsettled === undefined ? await askFor(asked, call, found) : null
    await payBack(refundId, found, { call, parts, by })
    await call.reachNodes({ seq })
    const after = (await store.orders.find(found.id)) ?? found
    return (await viewing(call.actor, [after], store))(after)
  },
})

export const orderRoutes: readonly ApiRoute[] = [
  listOrders,
  ...listFiles(listOrders, { name: 'orders' }),
  readOrder,
  refundOrder,
]

/** Staff is shown whose orders they are. */
async function viewing(actor: Actor, orders: readonly Order[], { accounts }: Pick<ControlStores, 'accounts'>) {
  if (!isStaff(actor)) return (each: Order) => orderView(each, null)
  const emails = await accounts.emails(orders.map(({ accountId }) => accountId))
  return (each: Order) => orderView(each, { email: emails.get(each.accountId) ?? null })
}

/** Another refund is asked for than the one that is to go on. */
function isUnsettled({ amountNano, reason }: OrderRefund, currency: Currency): Problem {
  const asked = `${formatCurrencyAmount({ currency, nano: amountNano })} ${currency.toUpperCase()}`
  return new Problem(
    'refund_unsettled',
    `A refund of ${asked} with the reason "${reason}" is not settled: the payment provider did not answer. Send it again with this amount and reason, and ask for another one then.`,
  )
}

/** Takes the balance back; null: nothing that gateways have to hear of. */
function askFor(request: RefundRequest, call: Pick<ApiCall, 'change'>, found: Order): Promise<number | null> {
  return call.change(async ({ orders }, audit) => {
    const answer = await orders.askRefund(request)
    const { refunded, taken_back: takenBack } = orderView(refundedOrder(answer), null)
    const changes = changesBetween({}, { refund: request.id, refunded, taken_back: takenBack, reason: request.reason })
    await audit({ action: 'order.refund', subject: found.id, accountId: found.accountId, changes })
    return 'seq' in answer ? answer.seq : null
  })
}

/**
 * Has the provider pay back what was taken. Where it refuses, the balance is given back; where it does not answer, the refund
 * stays as it is, and the next try goes on with it.
 */
async function payBack(
  id: string,
  found: Order,
  { call, parts, by }: { call: Pick<ApiCall, 'change'>; parts: ControlParts; by: { nowMs: number; actor: string } },
): Promise<void> {
  const { store, newId } = parts
  const end = (made: { isDone: boolean; providerRefund: string | null }) =>
    store.orders.endRefund({ id, ...made, entryId: newId('led'), ...by })
  const refund = await store.orders.findRefund(id)
  if (found.provider !== 'stripe' || refund === null) return void (await end({ isDone: true, providerRefund: id }))
  const access = stripeAccess(await readPayments(store.settings), parts)
  if (access === null || found.payment === null) {
    await giveBack(call, found, end)
    throw new Problem('payments_off', 'Stripe is not set up here, or does not know this payment.')
  }
  const amount = { currency: found.price.currency, nano: refund.amountNano }
  try {
    await end(await refundPayment(access, { payment: found.payment, amount, refundId: id }))
  } catch (error) {
    if (error instanceof StripeFailure && error.isFinal) await giveBack(call, found, end)
    throw providerProblem(error, parts)
  }
}

async function giveBack(
  call: Pick<ApiCall, 'change'>,
  found: Order,
  end: (made: { isDone: boolean; providerRefund: string | null }) => Promise<unknown>,
): Promise<void> {
  await end({ isDone: false, providerRefund: null })
  await call.change(async (_stores, audit) => {
    await audit({ action: 'order.refund_failed', subject: found.id, accountId: found.accountId, changes: {} })
  })
}
