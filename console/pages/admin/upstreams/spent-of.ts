import type { SpendOfUpstream } from '../../../api/upstream-admin.ts'
import { isZero, leftOf, sumOf } from '../../../format/money.ts'

interface Spent {
  readonly amount: string
  /** How much of it is the provider's known cost; the rest is in the amount as it was charged, as caps count it. */
  readonly known: 'all' | 'some' | 'none'
}

/** What the requests of an upstream cost: at the provider as far as that is known, else as they were charged. */
export function spentOf(spend: Pick<SpendOfUpstream, 'charged' | 'costed' | 'provider_cost'>): Spent {
  const { charged, costed, provider_cost: cost } = spend
  const rest = leftOf(charged, costed)
  const hasCosts = !isZero(costed) || !isZero(cost)
  const known = !hasCosts ? 'none' : isZero(rest) ? 'all' : 'some'
  return { amount: sumOf([cost, rest]), known }
}
