import { queryOptions } from '@tanstack/react-query'
import type { PlanView } from '../../src/contract/billing.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { isZero, leftOf } from '../format/money.ts'
import { request } from './request.ts'

/** The API's largest page; more plans than any installation sells. */
const MOST = 200

/** The plans that an account can buy, the cheapest first. Those that cost nothing are assigned by admins. */
export const plansForSaleQuery = queryOptions({
  queryKey: ['plans', 'for sale'],
  queryFn: async ({ signal }): Promise<readonly PlanView[]> => {
    const { data } = await request<Page<PlanView>>('/api/plans', { query: { limit: MOST }, signal })
    return data.filter(({ price }) => !isZero(price)).toSorted((a, b) => (isAbove(a, b) ? 1 : isAbove(b, a) ? -1 : 0))
  },
})

const isAbove = (a: PlanView, b: PlanView): boolean => !isZero(leftOf(a.price, b.price))
