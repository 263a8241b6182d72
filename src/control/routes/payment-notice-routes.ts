import { z } from '@hono/zod-openapi'
import { readCurrency } from '../../core/currency.ts'
import { readEpayNotice } from '../../payments/epay.ts'
import { invoiceUrl, orderOfPayment, readEvent, type StripeNotice } from '../../payments/stripe-client.ts'
import type { Order } from '../../metering/funds/order.ts'
import { Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlParts } from '../parts.ts'
import { creditOrder, noteRefund, type PaymentCall } from '../payments/credit.ts'
import { providerProblem, stripeAccess } from '../payments/checkout.ts'
import { readPayments, type StoredPayments, usableEpay, usableStripe } from '../payments/stored-settings.ts'

const route = routesOf('Billing')

/** What providers send by themselves. They are answered when it is in the books; what is not ours is answered, too. */

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

const epayQuery = z.looseObject({})

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

export const paymentNoticeRoutes: readonly ApiRoute[] = [ofStripe, epayByGet, epayByPost]

async function takeNotice(
  notice: StripeNotice,
  call: PaymentCall,
  { parts, stored }: { readonly parts: ControlParts; readonly stored: StoredPayments },
): Promise<void> {
  const { orders } = parts.store
  if (notice.kind === 'refund') {
    const order = await orderOfRefund(notice.payment, { parts, stored })
    if (order !== null) await noteRefund(call, parts, { order, ...notice })
    return
  }
  const order = await orders.find(notice.orderId)
  if (order === null || !isOfSession(order, notice.sessionId)) return
  if (notice.kind === 'cancelled') return orders.cancel(order.id)
  const { received, payment, invoice } = notice
  const answer = await creditOrder(call, parts, { order, received, payment, invoiceUrl: null })
  const access = stripeAccess(stored, parts)
  if (invoice === null || access === null || answer.kind === 'unknown_order' || answer.order.invoiceUrl !== null) return
  // The order is credited whether its invoice is found or not; Stripe sends no event again for that alone.
  const url = await invoiceUrl(access, invoice).catch(() => null)
  if (url !== null && answer.kind !== 'held')
    await creditOrder(call, parts, { order, received, payment, invoiceUrl: url })
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
  const order = await parts.store.orders.find(notice.orderId)
  if (order === null || order.provider !== 'epay') return plain('fail', 404)
  const { received, payment } = notice
  await creditOrder(call, parts, { order, received, payment, invoiceUrl: null })
  // Also where it is held: an admin sees it, and sending it again would change nothing.
  return plain('success', 200)
}

function plain(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function textsOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
