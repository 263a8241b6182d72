import { changesBetween } from '../../access/audit.ts'
import { order, orderCreate, orderRefund, ordersQuery, paymentOffer } from '../../contract/payments.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { type Currency, formatCurrencyAmount } from '../../core/currency.ts'
import type { Order, OrderRefund, RefundRequest } from '../../metering/funds/order.ts'
import { isTestKey, refundPayment, StripeFailure } from '../../payments/stripe-client.ts'
import { existing, fieldProblem, Problem } from '../problem.ts'
import { onePage, placeAt, placeOf } from '../api/paging.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { openCheckout, priceAt, providerProblem, stripeAccess } from '../payments/checkout.ts'
import { readPrice, refundedOrder } from '../payments/order-answers.ts'
import { readPayments, type StoredPayments, usableEpay, usableStripe } from '../payments/stored-settings.ts'
import { orderView } from '../views/order-view.ts'
import { accountMeant, type Actor, actorId, isStaff, ownAccount, owned } from '../who/actor.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { UNPAID_ORDERS_PER_HOUR } from '../../core/limits.ts'
import { type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { auditedOrder } from '../payments/credit.ts'
import { orderGrant, readGrant } from '../payments/read-grant.ts'

const route = routesOf('Billing')

const readOffer = route('get /api/payments', {
  summary: 'Read what can be bought, and how it can be paid',
  description: 'No provider: nothing can be bought here.',
  who: 'account',
  answer: paymentOffer,
  async handle({ actor }, { store, unseal, publicOrigin }) {
    const stored = await readPayments(store.settings)
    const own = actor.kind === 'admin_token' ? [] : await store.orders.list({ accountId: actor.account.id }, 1)
    const [stripe, epay] = [usableStripe(stored), publicOrigin === null ? null : usableEpay(stored)]
    return {
      amounts: [...stored.amounts],
      smallest: stored.smallest,
      largest: stored.largest,
      providers: [
        stripe && { ...offered('stripe', stripe), ways: [], is_test: isTestKey(unseal(stripe.sealedSecretKey)) },
        epay && { ...offered('epay', epay), ways: [...epay.ways], is_test: false },
      ].filter((each) => each !== null),
      has_orders: own.length > 0,
    }
  },
})

const createOrder = route('post /api/orders', {
  summary: 'Order balance or a plan',
  description: `The answer says where it is paid (\`checkout_url\`). An account may have ${UNPAID_ORDERS_PER_HOUR} orders that it did not pay in an hour.`,
  who: 'account',
  body: orderCreate,
  answer: order,
  status: 201,
  problems: ['payments_off', 'payment_provider_failed', 'too_many_requests'],
  example: { body: { provider: 'stripe', amount: '20' } },
  async handle(call, parts) {
    const { store, newId } = parts
    const account = ownAccount(call.actor)
    const stored = await readPayments(store.settings)
    const granted = await readGrant(call.body, store)
    if (granted.kind === 'balance') requireBounds(granted.amount, stored)
    const usd = granted.kind === 'balance' ? granted.amount : granted.plan.price
    if (usd === ZERO_NANO_USD) throw fieldProblem('plan', 'plan costs nothing: ask an admin to assign it.')
    const { provider } = call.body
    const price = priceAt(provider, usd, {
      stored,
      publicOrigin: parts.publicOrigin,
      field: granted.kind === 'plan' ? 'plan' : 'amount',
    })
    const bound = { sinceMs: call.nowMs - HOUR_MS, most: UNPAID_ORDERS_PER_HOUR }
    const made = await call.change(async ({ orders }, audit) => {
      const grants = orderGrant(granted)
      const wanted = { id: newId('ord'), accountId: account.id, provider, providerOrder: null, grants, price }
      const answer = await orders.create({ ...wanted, createdAt: call.nowMs }, bound)
      if (answer.kind === 'too_many_unpaid') throw tooManyUnpaid()
      if (!('order' in answer)) throw fieldProblem('plan', 'The plan no longer exists.')
      const changes = changesBetween({}, auditedOrder(answer.order))
      await audit({ action: 'order.create', subject: wanted.id, accountId: account.id, changes })
      return answer.order
    })
    try {
      const buyer = { order: made, email: account.email, origin: call.origin, way: call.body.way }
      const opened = await openCheckout(buyer, stored, parts)
      await store.orders.attach(made.id, opened)
      return orderView({ ...made, ...opened }, null)
    } catch (error) {
      await store.orders.cancel(made.id)
      throw error
    }
  },
})

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
    const found = existing(await store.orders.find(call.params.id), 'order')
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
  readOffer,
  createOrder,
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

function offered<const Name extends string>(
  name: Name,
  settings: { readonly currency: string; readonly per_usd: string },
) {
  return { name, currency: settings.currency, per_usd: settings.per_usd }
}

function tooManyUnpaid(): Problem {
  return new Problem('too_many_requests', 'Too many orders were not paid. Pay one of them, or wait an hour.', {
    retryAfterSeconds: 3600,
  })
}

function requireBounds(usd: NanoUsd, { smallest, largest }: StoredPayments): void {
  if (usd >= parseUsd(smallest) && usd <= parseUsd(largest)) return
  throw fieldProblem('amount', `amount must be $${smallest} to $${largest}.`)
}
