import type { OrderView } from '../../../src/contract/payments.ts'
import type { PaymentsTexts } from '../../dictionaries/payments-en.ts'
import type { Format } from '../../format/use-format.ts'

/** What was ordered, for how much and through whom: `$10.00 credit for 9.50 EUR · stripe`. */
export function purchaseOf(order: OrderView, t: PaymentsTexts['orders'], format: Format): string {
  const what = order.amount === null ? t.plan(order.plan ?? '–') : t.balance(format.money(order.amount))
  return t.of(what, `${order.price.amount} ${order.price.currency.toUpperCase()}`, order.provider)
}
