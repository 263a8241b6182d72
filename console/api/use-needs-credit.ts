import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { isZero } from '../format/money.ts'
import { subscriptionsQuery } from './billing.ts'
import { groupsQuery } from './groups.ts'
import { meQuery } from './me.ts'

/**
 * Whether nothing would pay for a request of this account: it has no balance, no subscription, and no group that is free.
 * undefined: not known yet. What cannot be read is not warned of.
 */
export function useNeedsCredit(): boolean | undefined {
  const { data: me } = useSuspenseQuery(meQuery)
  const hasNoBalance = isZero(me.balance) || me.balance.startsWith('-')
  const groups = useQuery(groupsQuery)
  const subscriptions = useQuery({ ...subscriptionsQuery, enabled: hasNoBalance })
  if (!hasNoBalance) return false
  if (groups.isError || subscriptions.isError) return false
  if (groups.data === undefined || subscriptions.data === undefined) return undefined
  const isFree = groups.data.data.some(({ enabled, usable, multiplier }) => enabled && usable && isZero(multiplier))
  return !isFree && subscriptions.data.data.every(({ status }) => status !== 'running')
}
