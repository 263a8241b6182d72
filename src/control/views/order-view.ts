import type { OrderView } from '../../contract/payments.ts'
import { formatCurrencyAmount } from '../../core/currency.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { Order } from '../../metering/funds/order.ts'
import { timeOnWire } from '../api/wire-forms.ts'

/** An order; `email`: of its account, where staff asks. */
export function orderView(order: Order, staff: { readonly email: string | null } | null): OrderView {
  const { grants, price, refundedNano } = order
  const refunded = { currency: price.currency, nano: refundedNano }
  return {
    id: order.id,
    created_at: timeOnWire(order.createdAt),
    account_id: order.accountId,
    account_email: staff?.email ?? null,
    provider: order.provider,
    provider_order: order.providerOrder,
    kind: grants.kind,
    amount: grants.kind === 'balance' ? formatUsd(grants.amount) : null,
    plan: grants.kind === 'plan' ? grants.planName : null,
    price: { amount: formatCurrencyAmount(price), currency: price.currency },
    state: shownState(order),
    trouble: order.trouble,
    paid_at: order.paidAt === null ? null : timeOnWire(order.paidAt),
    checkout_url: order.state === 'open' ? order.checkoutUrl : null,
    invoice_url: order.invoiceUrl,
    refunded: formatCurrencyAmount(refunded),
    taken_back: formatUsd(order.takenBack),
    uncollected: staff === null ? null : formatUsd(nanoUsd(dueBack(order) - order.takenBack)),
    subscription_id: order.subscriptionId,
  }
}

function shownState({ state, price, refundedNano }: Order): OrderView['state'] {
  if (state !== 'paid' || refundedNano === 0n) return state
  return refundedNano === price.nano ? 'refunded' : 'partly_refunded'
}

function dueBack({ grants, price, refundedNano }: Order): bigint {
  return grants.kind === 'balance' ? (grants.amount * refundedNano) / price.nano : 0n
}
