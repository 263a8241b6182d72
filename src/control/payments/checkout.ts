import { type CurrencyAmount, LARGEST_UNITS, priceIn, readCurrency } from '../../core/currency.ts'
import { invariant } from '../../core/invariant.ts'
import { formatUsd, type NanoUsd, parseMultiplier } from '../../core/money.ts'
import type { Order } from '../../metering/funds/order.ts'
import { epayPage, type EpayWay } from '../../payments/epay.ts'
import { createCheckout, type StripeAccess, StripeFailure } from '../../payments/stripe-client.ts'
import { fieldProblem, Problem } from '../problem.ts'
import type { ControlParts } from '../parts.ts'
import { type StoredPayments, usableEpay, usableStripe } from './stored-settings.ts'

/** What is bought by whom, and under which origin the payer's own browser is, which comes back there. */
export interface Buyer {
  readonly order: Order
  readonly email: string
  readonly origin: string
  readonly way: EpayWay | undefined
}

/** What so much USD costs at a provider. Throws Problem where it is not set up, and of `field` where it is more than is taken. */
export function priceAt(
  provider: 'stripe' | 'epay',
  usd: NanoUsd,
  { stored, publicOrigin, field }: { stored: StoredPayments; publicOrigin: string | null; field: 'amount' | 'plan' },
): CurrencyAmount {
  const settings = provider === 'stripe' ? usableStripe(stored) : usableEpay(stored)
  if (settings === null) throw new Problem('payments_off', 'This provider is not set up here.', { field: 'provider' })
  if (provider === 'epay') requirePublicOrigin(publicOrigin)
  const currency = readCurrency(settings.currency)
  invariant(currency !== null, 'settings are checked when they are written')
  const price = priceIn(currency, usd, parseMultiplier(settings.per_usd))
  if (price !== null) return price
  throw fieldProblem(
    field,
    `${field} costs more than the ${LARGEST_UNITS} ${currency.toUpperCase()} that can be paid at once.`,
  )
}

/** An epay gateway reports payments to the address in an order, which is not for the payer to choose. Throws Problem. */
function requirePublicOrigin(publicOrigin: string | null): string {
  if (publicOrigin !== null) return publicOrigin
  throw new Problem(
    'payments_off',
    'This provider needs TOLLGATE_PUBLIC_URL, to which it reports payments: ask an admin to set it.',
    {
      field: 'provider',
    },
  )
}

/** Where an order is paid, and what the provider calls it. Throws Problem. */
export async function openCheckout(
  buyer: Buyer,
  stored: StoredPayments,
  parts: Pick<ControlParts, 'unseal' | 'stripeApiUrl' | 'publicOrigin' | 'log'>,
): Promise<{ readonly providerOrder: string; readonly checkoutUrl: string | null }> {
  const { order, origin } = buyer
  const back = `${origin}/console/billing?order=${order.id}`
  const name = order.grants.kind === 'plan' ? order.grants.planName : `$${formatUsd(order.grants.amount)}`
  if (order.provider === 'epay') {
    const epay = usableEpay(stored)
    if (epay === null) throw new Problem('payments_off', 'This provider is not set up here.')
    const way = buyer.way ?? epay.ways[0]
    if (way === undefined || !epay.ways.includes(way)) {
      throw fieldProblem('way', `way must be one of ${epay.ways.join(', ')}.`)
    }
    const notifyUrl = `${requirePublicOrigin(parts.publicOrigin)}/api/payments/epay`
    const checkoutUrl = epayPage(
      { url: epay.url, pid: epay.pid, key: parts.unseal(epay.sealedKey) },
      { orderId: order.id, price: order.price, name, way, notifyUrl, returnUrl: back },
    )
    return { providerOrder: order.id, checkoutUrl }
  }
  const access = stripeAccess(stored, parts)
  if (access === null) throw new Problem('payments_off', 'This provider is not set up here.')
  const question = {
    orderId: order.id,
    price: order.price,
    name,
    email: buyer.email,
    successUrl: back,
    cancelUrl: back,
  }
  const wantsInvoice = stored.stripe?.invoices ?? false
  try {
    const { sessionId, url } = await createCheckout(access, { ...question, wantsInvoice })
    return { providerOrder: sessionId, checkoutUrl: url }
  } catch (error) {
    throw providerProblem(error, parts)
  }
}

/** null: Stripe is not set up. */
export function stripeAccess(
  stored: StoredPayments,
  { unseal, stripeApiUrl }: Pick<ControlParts, 'unseal' | 'stripeApiUrl'>,
): StripeAccess | null {
  const stripe = usableStripe(stored)
  return stripe === null ? null : { secretKey: unseal(stripe.sealedSecretKey), apiUrl: stripeApiUrl }
}

/** What the caller hears of a failure at a provider; what it said is not logged, since it may name a part of the key. */
export function providerProblem(error: unknown, { log }: Pick<ControlParts, 'log'>): unknown {
  if (!(error instanceof StripeFailure)) return error
  const cause = error.cause instanceof Error ? error.cause.name : 'unknown'
  log.warn(
    { provider: 'stripe', isFinal: error.isFinal, cause },
    'failed to have a payment provider do what it was asked for',
  )
  return new Problem(
    'payment_provider_failed',
    error.isFinal ? 'The payment provider refused the request.' : 'The payment provider did not answer in time.',
  )
}
