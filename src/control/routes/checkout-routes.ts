import { changesBetween } from '../../access/audit.ts'
import { order, orderCreate, paymentOffer } from '../../contract/payments.ts'
import { UNPAID_ORDERS_PER_HOUR } from '../../core/limits.ts'
import { type NanoUsd, parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { isTestKey } from '../../payments/stripe-client.ts'
import { fieldProblem, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { auditedOrder } from '../payments/credit.ts'
import { openCheckout, priceAt } from '../payments/checkout.ts'
import { orderGrant, readGrant } from '../payments/read-grant.ts'
import { readPayments, type StoredPayments, usableEpay, usableStripe } from '../payments/stored-settings.ts'
import { orderView } from '../views/order-view.ts'
import { ownAccount } from '../who/actor.ts'

const route = routesOf('Billing')

const HOUR_MS = 3_600_000

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

export const checkoutRoutes: readonly ApiRoute[] = [readOffer, createOrder]

function requireBounds(usd: NanoUsd, { smallest, largest }: StoredPayments): void {
  if (usd >= parseUsd(smallest) && usd <= parseUsd(largest)) return
  throw fieldProblem('amount', `amount must be $${smallest} to $${largest}.`)
}
