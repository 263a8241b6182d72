import type { TroubledOrder } from '../../metering/funds/order.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import type { RawItem } from './attention-item.ts'

const KEPT_MS = 30 * 86_400_000
const MOST_ITEMS = 50

/** Money that came or went back at a provider, which the books could not follow. */
export async function paymentItems(
  nowMs: number,
  { orders, accounts }: Pick<ControlStores, 'orders' | 'accounts'>,
): Promise<readonly RawItem[]> {
  const troubles = await orders.troubles(nowMs - KEPT_MS, MOST_ITEMS)
  return Promise.all(
    troubles.map(async (trouble) => {
      const { order, refund } = trouble
      const account = await accounts.findById(order.accountId)
      return {
        kind: refund === null ? ('payment_held' as const) : ('refund_held' as const),
        account: account === null ? null : { id: account.id, email: account.email },
        order: order.id,
        since: timeOnWire((refund ?? order).createdAt),
        detail: detailOf(trouble),
      }
    }),
  )
}

function detailOf({ order, refund }: TroubledOrder): string {
  if (refund !== null) {
    return `The provider "${order.provider}" paid back more than was left of the order ${order.id}, or in another currency (${refund.providerRefund}): look at it there, and adjust the balance by hand where the account owes it.`
  }
  const why = WHY[order.trouble ?? 'amount_differs']
  return `Money came for the order ${order.id} at the provider "${order.provider}", and nothing was credited: ${why}. Credit the account by hand, or pay it back there.`
}

const WHY = {
  amount_differs: 'it is not the amount or the currency that the order costs',
  balance_too_large: 'the balance would become too large',
  account_gone: 'the account is gone',
}
