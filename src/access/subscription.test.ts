import { expect, test } from 'vitest'
import { DAY_MS } from '../core/durations.ts'
import { nanoUsd } from '../core/money.ts'
import { isOpenedBy, payingSubscriptions, subscriptionStatus, subscriptionTo } from './subscription.ts'

const NOW = 1_790_000_000_000
const plan = {
  id: 'pln_1',
  name: 'pro',
  groupIds: ['grp_a', 'grp_b'],
  opensGroups: true,
  days: 30,
  quotas: [{ window: '5h', usd: nanoUsd(5n) }],
} as const

function sold(sale: { id?: string; startsAt?: number; days?: number } = {}) {
  return subscriptionTo(plan, { id: 'sub_1', accountId: 'acc_1', nowMs: NOW, ...sale })
}

test('a plan that is sold runs for its days from now, unless other days or another beginning were agreed', () => {
  expect(sold()).toEqual({
    id: 'sub_1',
    accountId: 'acc_1',
    planId: 'pln_1',
    planName: 'pro',
    groupIds: ['grp_a', 'grp_b'],
    opensGroups: true,
    quotas: plan.quotas,
    startsAt: NOW,
    endsAt: NOW + 30 * DAY_MS,
    cancelledAt: null,
    createdAt: NOW,
  })
  expect(sold({ startsAt: NOW + 5, days: 2 })).toMatchObject({ startsAt: NOW + 5, endsAt: NOW + 5 + 2 * DAY_MS })
})

test('a subscription runs from its first millisecond to the one before its end', () => {
  const subscription = sold({ startsAt: NOW + 10, days: 1 })
  const statusAt = (ms: number) => subscriptionStatus(subscription, ms)
  expect([NOW + 9, NOW + 10, NOW + 9 + DAY_MS, NOW + 10 + DAY_MS].map(statusAt)).toEqual([
    'upcoming',
    'running',
    'running',
    'ended',
  ])
  expect(subscriptionStatus({ ...subscription, cancelledAt: NOW }, NOW + 10)).toBe('cancelled')
})

test('those pay that run now and cover the group, in their order', () => {
  const [first, second] = [sold({ id: 'sub_first', days: 1 }), sold({ id: 'sub_second', days: 2 })]
  const others = [
    sold({ id: 'sub_upcoming', startsAt: NOW + 1 }),
    { ...sold({ id: 'sub_cancelled' }), cancelledAt: NOW },
    { ...sold({ id: 'sub_elsewhere' }), groupIds: ['grp_c'] },
  ]
  const caller = { subscriptions: [first, ...others, second] }
  expect(payingSubscriptions(caller, 'grp_a', NOW)).toEqual([first, second])
  expect(payingSubscriptions(caller, 'grp_a', NOW + DAY_MS)).toEqual([
    sold({ id: 'sub_upcoming', startsAt: NOW + 1 }),
    second,
  ])
  expect(payingSubscriptions(caller, 'grp_d', NOW)).toEqual([])
  expect(isOpenedBy(caller.subscriptions, 'grp_b', NOW)).toBe(true)
  expect(isOpenedBy(caller.subscriptions, 'grp_d', NOW)).toBe(false)
  expect(isOpenedBy(others, 'grp_a', NOW)).toBe(false)
})

test('one that only pays in its groups opens none of them, and one beside it that does opens its own', () => {
  const only = { ...sold({ id: 'sub_pays' }), opensGroups: false }
  expect(payingSubscriptions({ subscriptions: [only] }, 'grp_a', NOW)).toEqual([only])
  expect(isOpenedBy([only], 'grp_a', NOW)).toBe(false)
  const opening = { ...sold({ id: 'sub_opens' }), groupIds: ['grp_b'] }
  expect(isOpenedBy([only, opening], 'grp_a', NOW)).toBe(false)
  expect(isOpenedBy([only, opening], 'grp_b', NOW)).toBe(true)
})

test('nothing is allocated where there is nothing to leave out', () => {
  const none = { subscriptions: [] }
  expect(payingSubscriptions(none, 'grp_a', NOW)).toBe(none.subscriptions)
  const all = { subscriptions: [sold({ days: 1 }), sold({ days: 2 })] }
  expect(payingSubscriptions(all, 'grp_a', NOW)).toBe(all.subscriptions)
})
