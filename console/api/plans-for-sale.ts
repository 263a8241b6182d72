import { queryOptions } from '@tanstack/react-query'
import type { PlanView } from '../../src/contract/billing.ts'
import { isZero, leftOf } from '../format/money.ts'
import { everyPage } from './request.ts'

/** The plans that an account can buy, the cheapest first. Those that cost nothing are assigned by admins. */
export const plansForSaleQuery = queryOptions({
  queryKey: ['plans', 'for sale'],
  queryFn: async ({ signal }): Promise<readonly PlanView[]> => {
    const { data } = await everyPage<PlanView>('/api/plans', { signal })
    return data.filter(({ price }) => !isZero(price)).toSorted((a, b) => (isAbove(a, b) ? 1 : isAbove(b, a) ? -1 : 0))
  },
})

const isAbove = (a: PlanView, b: PlanView): boolean => !isZero(leftOf(a.price, b.price))
