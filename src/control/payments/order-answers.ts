import { type CurrencyAmount, LARGEST_UNITS, readCurrency, readCurrencyAmount } from '../../core/currency.ts'
import { formatUsd } from '../../core/money.ts'
import type { Order, PayAnswer, RefundAnswer } from '../../metering/funds/order.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'

/** What the store says of an order, as what the API answers; and prices as they are sent. */

/** The order that is paid. Throws Problem. */
export function paidOrder(answer: PayAnswer): Order {
  if (answer.kind === 'unknown_order') throw notFound('order')
  if (answer.kind !== 'held') return answer.order
  throw new Problem('payment_held', `${HELD[answer.order.trouble ?? 'amount_differs']} The order is held for an admin.`)
}

const HELD = {
  amount_differs: 'What was paid is not what the order costs, so nothing was credited.',
  balance_too_large: 'The balance would become too large, so nothing was credited.',
  account_gone: 'The account is gone, so nothing was credited.',
}

/** The order that was refunded. Throws Problem. */
export function refundedOrder(answer: RefundAnswer): Order {
  switch (answer.kind) {
    case 'refunded':
    case 'given_back':
    case 'noted':
      return answer.order
    case 'unknown_order':
      throw notFound('order')
    case 'not_paid':
      throw new Problem('conflict', 'This order is not paid, so there is nothing to refund.')
    case 'differs':
    case 'held':
      throw new Problem(
        'payment_differs',
        'Refunds are in the currency of the order, and no more than was paid in all.',
        {
          field: 'amount',
        },
      )
    case 'insufficient':
      throw new Problem(
        'balance_insufficient',
        `The balance holds only $${formatUsd(answer.available)} of what the refund takes back: the rest is used, or held by running requests.`,
        { field: 'amount' },
      )
  }
}

/** Throws Problem for a currency or an amount that cannot be paid. `path`: of the field in the body. */
export function readPrice(sent: { readonly amount: string; readonly currency: string }, path: string): CurrencyAmount {
  const currency = readCurrency(sent.currency)
  if (currency === null)
    throw fieldProblem(`${path}.currency`, `${path}.currency is not a currency that is known here.`)
  const read = readCurrencyAmount(currency, sent.amount)
  if (read !== null) return read
  throw fieldProblem(
    `${path}.amount`,
    `${path}.amount must be more than zero and at most ${LARGEST_UNITS}, with no more places than the currency has.`,
  )
}
