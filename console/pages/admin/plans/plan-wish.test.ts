import { expect, test } from 'vitest'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { changeOf, objectionsTo, settingsOf, wishOf } from './plan-wish.ts'

const PLAN = {
  id: 'pln_1',
  name: 'pro',
  groups: ['default'],
  opens_groups: true,
  days: 30,
  price: '20',
  quotas: [{ window: 'term', usd: '50' }],
  limits: null,
  subscribed: false,
  managed: false,
} as PlanView

test('only what differs is sent: windows as a whole, the shortest first', () => {
  const wish = wishOf(PLAN)
  expect(changeOf(PLAN, wish)).toEqual({})
  expect(changeOf(PLAN, { ...wish, days: ' 31 ' })).toEqual({ days: 31 })
  expect(changeOf(PLAN, { ...wish, opensGroups: false })).toEqual({ opens_groups: false })
  expect(changeOf(PLAN, { ...wish, quotas: { ...wish.quotas, '5h': '5' } })).toEqual({
    quotas: [
      { window: '5h', usd: '5' },
      { window: 'term', usd: '50' },
    ],
  })
  expect(settingsOf({ ...wish, quotas: { ...wish.quotas, term: '' } }).quotas).toEqual([])
})

test('what is wrong is said by its field', () => {
  expect(objectionsTo(wishOf(PLAN))).toEqual({})
  expect(objectionsTo(wishOf(null))).toEqual({ name: 'required', price: 'amountForm', groups: 'noGroups' })
  const wish = wishOf(PLAN)
  expect(objectionsTo({ ...wish, days: '36501', quotas: { ...wish.quotas, '1d': 'much' } })).toEqual({
    days: 'daysForm',
    '1d': 'amountForm',
  })
})
