import type { Stripe } from 'stripe'
import { type CurrencyAmount, ofSmallestUnits, readCurrency, wireUnits } from '../core/currency.ts'

/** What Stripe is asked with. `apiUrl` null: Stripe's own. */
export interface StripeAccess {
  readonly secretKey: string
  readonly apiUrl: string | null
}

/** Stripe did not do what it was asked for. `isFinal`: nor will it; else it may have been done. Says nothing of the key. */
export class StripeFailure extends Error {
  override readonly name = 'StripeFailure'
  readonly isFinal: boolean

  constructor(isFinal: boolean, cause: unknown) {
    super(isFinal ? 'Stripe refused the request' : 'Stripe did not answer', { cause })
    this.isFinal = isFinal
  }
}

/** A person waits for it. */
const WITHIN_MS = 15_000

export interface CheckoutQuestion {
  readonly orderId: string
  readonly price: CurrencyAmount
  /** What is bought, as the page of Stripe names it. */
  readonly name: string
  readonly email: string
  readonly successUrl: string
  readonly cancelUrl: string
  readonly wantsInvoice: boolean
}

/** Makes a page of Stripe Checkout for an order; asked again, it is the same page. Throws StripeFailure. */
export function createCheckout(
  access: StripeAccess,
  question: CheckoutQuestion,
): Promise<{ readonly sessionId: string; readonly url: string | null }> {
  const { orderId, price } = question
  const metadata = { tollgate_order: orderId }
  return asking(access, async (stripe) => {
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: orderId,
        metadata,
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: price.currency,
              unit_amount: wireUnits(price),
              product_data: { name: question.name },
            },
          },
        ],
        adaptive_pricing: { enabled: false },
        ...(question.wantsInvoice ? { invoice_creation: { enabled: true } } : {}),
        ...(isReachable(question.email) ? { customer_email: question.email } : {}),
        success_url: question.successUrl,
        cancel_url: question.cancelUrl,
      },
      { idempotencyKey: orderId },
    )
    return { sessionId: session.id, url: session.url }
  })
}

/** Accounts that were imported without an address have one that no mail reaches, and Stripe would send receipts to it. */
function isReachable(email: string): boolean {
  return !/[.@]invalid$/i.test(email)
}

/** Pays back, once for each `refundId` however often it is asked. Throws StripeFailure. */
export function refundPayment(
  access: StripeAccess,
  question: { readonly payment: string; readonly amount: CurrencyAmount; readonly refundId: string },
): Promise<{ readonly providerRefund: string; readonly isDone: boolean }> {
  const { payment, amount, refundId } = question
  return asking(access, async (stripe) => {
    // Keys of idempotency are forgotten after a day; what was made carries our id for ever.
    const made = await stripe.refunds.list({ payment_intent: payment, limit: 100 })
    const known = made.data.find(({ metadata }) => metadata?.['tollgate_refund'] === refundId)
    const refund =
      known ??
      (await stripe.refunds.create(
        {
          payment_intent: payment,
          amount: wireUnits(amount),
          metadata: { tollgate_refund: refundId },
        },
        { idempotencyKey: refundId },
      ))
    return { providerRefund: refund.id, isDone: isMade(refund.status) }
  })
}

/** Our order that a payment is of, as its metadata says; null: none of ours. Throws StripeFailure. */
export function orderOfPayment(access: StripeAccess, payment: string): Promise<string | null> {
  return asking(access, async (stripe) => {
    const intent = await stripe.paymentIntents.retrieve(payment)
    return intent.metadata['tollgate_order'] ?? null
  })
}

/** Where an invoice is shown. Throws StripeFailure. */
export function invoiceUrl(access: StripeAccess, invoiceId: string): Promise<string | null> {
  return asking(access, async (stripe) => (await stripe.invoices.retrieve(invoiceId)).hosted_invoice_url ?? null)
}

/** What an event says of our orders. */
export type StripeNotice =
  | {
      readonly kind: 'paid'
      readonly orderId: string
      readonly sessionId: string
      /** null: an amount that cannot be read. */
      readonly received: CurrencyAmount | null
      readonly payment: string | null
      readonly invoice: string | null
    }
  | { readonly kind: 'cancelled'; readonly orderId: string; readonly sessionId: string }
  | {
      readonly kind: 'refund'
      readonly payment: string
      readonly providerRefund: string
      /** null: an amount that cannot be read. */
      readonly amount: CurrencyAmount | null
      readonly isDone: boolean
      /** The id of a refund that began here; null: it did not. */
      readonly refundId: string | null
    }

/** Reads a signed event. `not_signed`: it is not from Stripe, or old; null: it is about nothing of ours. */
export async function readEvent(
  event: { readonly body: string; readonly signature: string | null; readonly nowMs: number },
  webhookSecret: string,
): Promise<StripeNotice | 'not_signed' | null> {
  if (event.signature === null || webhookSecret.length < SHORTEST_SECRET) return 'not_signed'
  const { Stripe: StripeClient } = await import('stripe')
  let read: unknown
  try {
    const [tolerance, provider] = [undefined, undefined]
    read = StripeClient.webhooks.constructEvent(
      event.body,
      event.signature,
      webhookSecret,
      tolerance,
      provider,
      event.nowMs,
    )
  } catch {
    return 'not_signed'
  }
  return noticeOf(read)
}

const SHORTEST_SECRET = 16

type StripeFields = Readonly<Record<string, unknown>>

/** Reads an event of which the signature is known to be Stripe's, and nothing else: any field may be missing or of another type. */
function noticeOf(event: unknown): StripeNotice | null {
  const { type, data } = fieldsOf(event)
  const object = fieldsOf(fieldsOf(data)['object'])
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return object['payment_status'] === 'paid' ? paidBy(object) : null
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed': {
      const [orderId, sessionId] = [ourId(object, 'tollgate_order'), idOf(object['id'])]
      return orderId === null || sessionId === null ? null : { kind: 'cancelled', orderId, sessionId }
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundOf(object, { isDone: isMade(object['status']), refundId: ourId(object, 'tollgate_refund') })
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return refundOf(object, { isDone: type === 'charge.dispute.funds_withdrawn', refundId: null })
    default:
      return null
  }
}

function paidBy(session: StripeFields): StripeNotice | null {
  const [orderId, sessionId] = [ourId(session, 'tollgate_order'), idOf(session['id'])]
  if (orderId === null || sessionId === null) return null
  return {
    kind: 'paid',
    orderId,
    sessionId,
    received: amountOf(session['currency'], session['amount_total']),
    payment: idOf(session['payment_intent']),
    invoice: idOf(session['invoice']),
  }
}

function refundOf(
  refund: StripeFields,
  how: { readonly isDone: boolean; readonly refundId: string | null },
): StripeNotice | null {
  const [payment, providerRefund] = [idOf(refund['payment_intent']), idOf(refund['id'])]
  if (payment === null || providerRefund === null) return null
  return { kind: 'refund', payment, providerRefund, amount: amountOf(refund['currency'], refund['amount']), ...how }
}

/** null: it is of a currency that is not known here, or no amount. */
function amountOf(currency: unknown, units: unknown): CurrencyAmount | null {
  const known = typeof currency === 'string' ? readCurrency(currency) : null
  return known === null ? null : ofSmallestUnits(known, units)
}

function isMade(status: unknown): boolean {
  return status !== 'failed' && status !== 'canceled'
}

function ourId({ metadata }: StripeFields, name: 'tollgate_order' | 'tollgate_refund'): string | null {
  return idOf(fieldsOf(metadata)[name])
}

/** An id, or that of the object in its place. Ids of Stripe, and ours, are plain and short. */
function idOf(named: unknown): string | null {
  const id = typeof named === 'object' ? fieldsOf(named)['id'] : named
  return typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id) ? id : null
}

function fieldsOf(value: unknown): StripeFields {
  return typeof value === 'object' && value !== null ? (value as StripeFields) : {}
}

async function asking<Answer>(
  { secretKey, apiUrl }: StripeAccess,
  ask: (stripe: Stripe) => Promise<Answer>,
): Promise<Answer> {
  // Loaded with the first payment: it is large, and most installations take none.
  const { Stripe: StripeClient } = await import('stripe')
  const stripe = new StripeClient(secretKey, {
    timeout: WITHIN_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(apiUrl === null ? {} : serverOf(apiUrl)),
  })
  try {
    return await ask(stripe)
  } catch (error) {
    const status = error instanceof StripeClient.errors.StripeError ? (error.statusCode ?? 0) : 0
    throw new StripeFailure(status >= 400 && status < 500 && status !== 409 && status !== 429, error)
  }
}

function serverOf(apiUrl: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiUrl)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port === '' ? (isPlain ? '80' : '443') : port, protocol: isPlain ? 'http' : 'https' }
}

/** Whether a secret or restricted key is of Stripe's test mode. */
export function isTestKey(secretKey: string): boolean {
  return /^(?:sk|rk)_test_/.test(secretKey)
}
