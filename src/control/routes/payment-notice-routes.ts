import { z } from '@hono/zod-openapi'
import { isSameAmount, readCurrency } from '../../core/currency.ts'
import { readEpayNotice } from '../../payments/epay.ts'
import { invoiceUrl, orderOfPayment, readEvent, type StripeNotice } from '../../payments/stripe-client.ts'
import type { CreateAnswer, Order } from '../../metering/funds/order.ts'
import { existing, fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiCall, type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { auditedOrder, creditOrder, noteRefund, type PaymentCall } from '../payments/credit.ts'
import { providerProblem, stripeAccess } from '../payments/checkout.ts'
import { readPayments, type StoredPayments, usableEpay, usableStripe } from '../payments/stored-settings.ts'
import { changesBetween } from '../../access/audit.ts'
import { order, signedOrder, signedPayment, signedRefund } from '../../contract/payments.ts'
import { paidOrder, readPrice, refundedOrder } from '../payments/order-answers.ts'
import { orderGrant, readGrant } from '../payments/read-grant.ts'
import { orderView } from '../views/order-view.ts'
import { signatureFault, type SignatureFault, type SignedPurpose } from '../../payments/signature.ts'

const route = routesOf('Billing')

const epayQuery = z.looseObject({})

const SIGNED =
  'For a shop of your own. Signed: `x-tollgate-signature` is `v1=` and the hexadecimal HMAC-SHA-256 with the signing secret over the purpose, a line feed, `x-tollgate-timestamp` (seconds), a line feed, and the body.'

const FAULTS: Readonly<Record<SignatureFault, string>> = {
  missing: 'The headers x-tollgate-timestamp and x-tollgate-signature are not both there.',
  malformed: 'The timestamp must be whole seconds, and the signature "v1=" and 64 hexadecimal digits.',
  too_old: 'The timestamp is more than five minutes from this server’s time.',
  wrong: 'The signature is not that of this body, for this path, at this timestamp.',
}

const ofStripe = route('post /api/payments/stripe', {
  summary: 'Take an event of Stripe',
  description:
    'For webhooks of Stripe, signed with the secret of the endpoint. Events may come in any order, and again.',
  who: 'anyone',
  limits: { takesAnyBody: true },
  problems: ['payments_off', 'signature_invalid', 'payment_provider_failed'],
  async handle(call, parts) {
    const stored = await readPayments(parts.store.settings)
    const stripe = usableStripe(stored)
    if (stripe === null) throw new Problem('payments_off', 'Stripe is not set up here.')
    const event = { body: call.rawBody, signature: call.headers.get('stripe-signature'), nowMs: call.nowMs }
    const notice = await readEvent(event, parts.unseal(stripe.sealedWebhookSecret))
    if (notice === 'not_signed') throw new Problem('signature_invalid', 'This is not an event of Stripe, or it is old.')
    if (notice === null) return
    try {
      await takeNotice(notice, call, { parts, stored })
    } catch (error) {
      throw providerProblem(error, parts)
    }
  },
})

const epayByGet = route('get /api/payments/epay', {
  summary: 'Take a notice of an epay gateway',
  description: 'Answers `success` once it is in the books.',
  who: 'anyone',
  limits: { isReadOnly: false },
  query: epayQuery,
  mediaType: 'text/plain',
  problems: ['payments_off'],
  handle: (call, parts) => takeEpay(textsOf(call.query), call, parts),
})

const epayByPost = route('post /api/payments/epay', {
  summary: 'Take a notice of an epay gateway, as a form',
  who: 'anyone',
  limits: { takesAnyBody: true },
  mediaType: 'text/plain',
  problems: ['payments_off'],
  handle: (call, parts) => takeEpay(Object.fromEntries(new URLSearchParams(call.rawBody)), call, parts),
})

const createOrder = route('post /api/payments/orders', {
  summary: 'Create an order of a shop',
  description: `${SIGNED} The purpose is \`order.create\`. The same order of a shop is created once; what it grants and costs stays as it was.`,
  who: 'anyone',
  body: signedOrder,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'conflict'],
  example: {
    body: {
      provider: 'my-shop',
      order: '2026-1007',
      account: 'ada@example.com',
      amount: '10',
      price: { amount: '9.50', currency: 'eur' },
    },
  },
  async handle(call, parts) {
    await requireSigned(call, 'order.create', parts)
    const { store, newId } = parts
    const { body } = call
    const price = readPrice(body.price, 'price')
    const grants = orderGrant(await readGrant(body, store))
    const accountId = await findAccount(body.account, store)
    const wanted = { provider: body.provider, providerOrder: body.order, accountId, grants, price }
    const made = await call.change(async ({ orders }, audit) => {
      const answer = createdOrder(await orders.create({ ...wanted, id: newId('ord'), createdAt: call.nowMs }))
      if (answer.kind === 'existing') return answer.order
      const changes = changesBetween({}, { ...auditedOrder(answer.order), state: 'open' })
      await audit({ action: 'order.create', subject: answer.order.id, accountId, changes })
      return answer.order
    })
    if (!isSameOrder(made, wanted)) {
      throw new Problem('conflict', 'This order of the shop was created before, for something else or another price.')
    }
    return orderView(made, null)
  },
})

const payOrder = route('post /api/payments/paid', {
  summary: 'Credit an order of a shop that was paid',
  description: `${SIGNED} The purpose is \`order.paid\`. Once answered the order is credited; sent again it is answered alike, and nothing is credited twice.`,
  who: 'anyone',
  body: signedPayment,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'payment_held'],
  async handle(call, parts) {
    await requireSigned(call, 'order.paid', parts)
    const { provider, order: name, price, invoice_url: invoice } = call.body
    const found = existing(await parts.store.orders.findByProvider(provider, name), 'order')
    const received = readPrice(price, 'price')
    const answer = await creditOrder(call, parts, { order: found, received, payment: null, invoiceUrl: invoice })
    return orderView(paidOrder(answer), null)
  },
})

const refundOrder = route('post /api/payments/refunded', {
  summary: 'Take back what an order of a shop granted',
  description: `${SIGNED} The purpose is \`order.refunded\`. Each refund of the shop counts once; it may come before the payment does.`,
  who: 'anyone',
  body: signedRefund,
  answer: order,
  problems: ['payments_off', 'signature_invalid', 'payment_differs'],
  async handle(call, parts) {
    await requireSigned(call, 'order.refunded', parts)
    const { provider, order: name, refund, price, failed } = call.body
    const found = existing(await parts.store.orders.findByProvider(provider, name), 'order')
    const amount = readPrice(price, 'price')
    const notice = { order: found, providerRefund: refund, amount, isDone: !failed, refundId: null }
    const answer = await noteRefund(call, parts, notice)
    return orderView(refundedOrder(answer), null)
  },
})

export const paymentNoticeRoutes: readonly ApiRoute[] = [
  ofStripe,
  epayByGet,
  epayByPost,
  createOrder,
  payOrder,
  refundOrder,
]

/** What providers send by themselves. They are answered when it is in the books; what is not ours is answered, too. */

async function takeNotice(
  notice: StripeNotice,
  call: PaymentCall,
  { parts, stored }: { readonly parts: ControlParts; readonly stored: StoredPayments },
): Promise<void> {
  const { orders } = parts.store
  if (notice.kind === 'refund') {
    const refunded = await orderOfRefund(notice.payment, { parts, stored })
    if (refunded !== null) await noteRefund(call, parts, { order: refunded, ...notice })
    return
  }
  const found = await orders.find(notice.orderId)
  if (found === null || !isOfSession(found, notice.sessionId)) return
  if (notice.kind === 'cancelled') return orders.cancel(found.id)
  const { received, payment, invoice } = notice
  const answer = await creditOrder(call, parts, { order: found, received, payment, invoiceUrl: null })
  const access = stripeAccess(stored, parts)
  if (invoice === null || access === null || answer.kind === 'unknown_order' || answer.order.invoiceUrl !== null) return
  // The order is credited whether its invoice is found or not; Stripe sends no event again for that alone.
  const url = await invoiceUrl(access, invoice).catch(() => null)
  if (url !== null && answer.kind !== 'held')
    await creditOrder(call, parts, { order: found, received, payment, invoiceUrl: url })
}

/** Another session that names our order is not what we sent the payer to. */
function isOfSession({ provider, providerOrder }: Order, sessionId: string): boolean {
  return provider === 'stripe' && (providerOrder === null || providerOrder === sessionId)
}

/** A refund may come before the event of its payment: then Stripe says which order the payment is of. */
async function orderOfRefund(
  payment: string,
  { parts, stored }: { readonly parts: ControlParts; readonly stored: StoredPayments },
): Promise<Order | null> {
  const { orders } = parts.store
  const known = await orders.findByPayment('stripe', payment)
  const access = stripeAccess(stored, parts)
  if (known !== null || access === null) return known
  const orderId = await orderOfPayment(access, payment)
  const found = orderId === null ? null : await orders.find(orderId)
  return found?.provider === 'stripe' ? found : null
}

async function takeEpay(
  parameters: Readonly<Record<string, string>>,
  call: PaymentCall,
  parts: ControlParts,
): Promise<Response> {
  const epay = usableEpay(await readPayments(parts.store.settings))
  const currency = readCurrency(epay?.currency ?? '')
  if (epay === null || currency === null) throw new Problem('payments_off', 'Epay is not set up here.')
  const notice = readEpayNotice(parameters, { pid: epay.pid, key: parts.unseal(epay.sealedKey), currency })
  if (notice === 'not_signed') return plain('fail', 403)
  if (notice === null) return plain('success', 200)
  const found = await parts.store.orders.find(notice.orderId)
  if (found === null || found.provider !== 'epay') return plain('fail', 404)
  const { received, payment } = notice
  await creditOrder(call, parts, { order: found, received, payment, invoiceUrl: null })
  // Also where it is held: an admin sees it, and sending it again would change nothing.
  return plain('success', 200)
}

function plain(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function textsOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

async function findAccount(name: string, { accounts }: Pick<ControlStores, 'accounts'>): Promise<string> {
  const found = name.includes('@') ? accounts.findByEmail(name) : accounts.findById(name)
  return existing(await found, 'account').id
}

function createdOrder(answer: CreateAnswer): Extract<CreateAnswer, { order: Order }> {
  if ('order' in answer) return answer
  if (answer.kind === 'unknown_account') throw notFound('account')
  throw fieldProblem('plan', 'The plan no longer exists: see GET /api/plans.')
}

function isSameOrder(made: Order, wanted: Pick<Order, 'accountId' | 'grants' | 'price'>): boolean {
  const { grants: a } = made
  const { grants: b } = wanted
  const isSameGrant =
    a.kind === 'balance' ? b.kind === 'balance' && a.amount === b.amount : b.kind === 'plan' && a.planId === b.planId
  return isSameGrant && made.accountId === wanted.accountId && isSameAmount(made.price, wanted.price)
}

/** Throws Problem unless the request is signed for this purpose with the secret that shops have. */
async function requireSigned(
  call: Pick<ApiCall, 'headers' | 'rawBody' | 'nowMs'>,
  purpose: SignedPurpose,
  { store, unseal }: Pick<ControlParts, 'store' | 'unseal'>,
): Promise<void> {
  const { sealedSigningSecret } = await readPayments(store.settings)
  if (sealedSigningSecret === null) {
    throw new Problem('payments_off', 'No secret signs orders here. An admin creates one under Payments.')
  }
  const sent = { headers: call.headers, body: call.rawBody }
  const fault = signatureFault(sent, { purpose, secret: unseal(sealedSigningSecret), nowMs: call.nowMs })
  if (fault !== null) throw new Problem('signature_invalid', `${FAULTS[fault]} See docs/payments.md.`)
}
