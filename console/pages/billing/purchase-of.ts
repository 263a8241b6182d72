import type { OrderView } from '../../../src/contract/payments.ts'
import type { Format } from '../../format/use-format.ts'
import type { PageTexts } from '../../dictionaries/page-texts.ts'

/** What was ordered, for how much and through whom: `$10.00 credit for 9.50 EUR · stripe`. */
export function purchaseOf(order: OrderView, t: PageTexts['payments']['orders'], format: Format): string {
  const what = order.amount === null ? t.plan(order.plan ?? '–') : t.balance(format.money(order.amount))
  return t.of(what, `${order.price.amount} ${order.price.currency.toUpperCase()}`, order.provider)
}
