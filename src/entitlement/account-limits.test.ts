import { expect, test } from 'vitest'
import { accountLimitsAt } from './account-limits.ts'
import type { Subscription } from '../access/subscription.ts'

const HOUR = 3_600_000

function sold(startsAt: number, endsAt: number, requestsPerMinute: number): Subscription {
  return { startsAt, endsAt, cancelledAt: null, limits: { requestsPerMinute } } as Subscription
}

test('a caller who nothing limits is not looked at', () => {
  expect(accountLimitsAt({ subscriptions: [] }, 0)).toBeNull()
})

test('limits of plans begin and end with them, also where the clock is put back, and stay one object between', () => {
  const limiting = { own: undefined, standard: { requestsPerMinute: 1 } }
  const caller = { limiting, subscriptions: [sold(HOUR, 3 * HOUR, 30), sold(2 * HOUR, 4 * HOUR, 20)] }
  const at = (hours: number) => accountLimitsAt(caller, hours * HOUR)?.requestsPerMinute
  expect([0, 0.9, 1, 2.5, 3, 3.9, 4, 9].map(at)).toEqual([1, 1, 30, 30, 20, 20, 1, 1])
  expect([9, 2, 0].map(at)).toEqual([1, 30, 1])
  expect(accountLimitsAt(caller, 5 * HOUR)).toBe(accountLimitsAt(caller, 6 * HOUR))
})

test('a raise ends at its time though nothing is read anew, and no sooner', () => {
  const raise = { limits: { requestsPerMinute: 50 }, endsAt: 2 * HOUR }
  const limiting = { own: { requestsPerMinute: 1 }, standard: undefined, raise }
  const at = (ms: number) => accountLimitsAt({ limiting, subscriptions: [] }, ms)?.requestsPerMinute
  expect([0, HOUR, 2 * HOUR - 1, 2 * HOUR, 9 * HOUR, HOUR].map(at)).toEqual([50, 50, 50, 1, 1, 50])
})
