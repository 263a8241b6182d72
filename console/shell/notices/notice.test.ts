import { expect, test } from 'vitest'
import type { Overview } from '../../../src/contract/overview.ts'
import { failedSince, noticesOf, visitNotices } from './notice.ts'
import { readIds } from './seen-notices.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const inDays = (days: number): string => new Date(NOW + days * 86_400_000).toISOString()
const figures = { requests: 0, failed: 0, cost: '0' }
const compared = { from: inDays(-1), now: figures, before: figures }

const CALM: Overview = {
  as_of: inDays(0),
  has_answered: true,
  balance: { amount: '5', held: '0', per_day: '0.1', days_left: 50 },
  spend: { today: compared, last_7_days: compared, this_month: compared },
  days: [],
  subscriptions: [],
  keys: [],
  requests: [],
  alerts: [],
  gateway: { state: 'serving', version: '1' },
}
const PASSWORD = { has_password: true }
const ids = (overview: Overview, me = PASSWORD) => noticesOf(overview, me, NOW).map(({ id }) => id)

const KEY = { id: 'key_1', name: 'laptop', why: 'quota', window: null, limit: '5', at: null } as const

test('an account that nothing is the matter with has no notice', () => {
  expect(ids(CALM)).toEqual([])
})

test('a balance is a notice when it lasts three days or is empty, except where a subscription pays', () => {
  const of = (amount: string, days_left: number | null) => ({
    ...CALM,
    balance: { ...CALM.balance, amount, days_left },
  })
  expect(ids(of('0.5', 3))).toEqual(['balance low'])
  expect(ids(of('0.5', 4))).toEqual([])
  expect(ids(of('0', null))).toEqual(['balance empty'])
  expect(ids(of('-0.01', 0))).toEqual(['balance empty'])
  const subscription = {
    id: 'sub_1',
    plan: 'pro',
    ends_at: inDays(9),
    quotas: [],
  } as unknown as Overview['subscriptions'][number]
  expect(ids({ ...of('0', null), subscriptions: [subscription] })).toEqual([])
})

test('a subscription is a notice in its last three days, and again once it was renewed', () => {
  const ending = (days: number) => {
    const subscription = { id: 'sub_1', plan: 'pro', ends_at: inDays(days), quotas: [] } as unknown
    return ids({ ...CALM, subscriptions: [subscription as Overview['subscriptions'][number]] })
  }
  expect(ending(4)).toEqual([])
  expect(ending(2)).toHaveLength(1)
  expect(ending(2)).not.toEqual(ending(1))
})

test('a limit that is reached is another notice than one that is near', () => {
  const near = ids({ ...CALM, keys: [{ ...KEY, used: '4.5' }] })
  const over = ids({ ...CALM, keys: [{ ...KEY, used: '5' }] })
  expect([near.length, over.length]).toEqual([1, 1])
  expect(near).not.toEqual(over)
})

test('an account without a password is reminded of it', () => {
  expect(ids(CALM, { has_password: false })).toEqual(['password'])
})

test('requests that failed after a moment are counted, without those that their client left', () => {
  const at = (minutes: number, outcome: string, fault: string | null) =>
    ({ created_at: new Date(NOW + minutes * 60_000).toISOString(), outcome, fault }) as Overview['requests'][number]
  const requests = [at(3, 'aborted', null), at(2, 'rejected', 'model_unknown'), at(1, 'completed', null)]
  expect(failedSince(requests, inDays(0))).toEqual({ count: 1, isMore: true })
  expect(failedSince([...requests, at(-1, 'rejected', 'rate_limited')], inDays(0))).toEqual({ count: 1, isMore: false })
  expect(failedSince([], inDays(0))).toEqual({ count: 0, isMore: false })
})

test('what something else wrote into the store counts as nothing read', () => {
  expect(readIds('["a", 1, "b"]')).toEqual(['a', 'b'])
  for (const text of ['', '{', '{"a":1}', 'null']) expect(readIds(text)).toEqual([])
})

test('that an admin saw the account is a notice for two weeks', () => {
  const visit = (days: number) => ({ id: `aud_${days}`, at: inDays(-days), until: inDays(-days), reason: 'a question' })
  expect(visitNotices([visit(1), visit(13), visit(15)], NOW).map(({ id }) => id)).toEqual([
    'visit aud_1',
    'visit aud_13',
  ])
})
