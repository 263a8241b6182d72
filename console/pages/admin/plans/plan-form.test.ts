import { expect, test } from 'vitest'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { changeOf, validate, settingsOf, toForm } from './plan-form.ts'

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
  const form = toForm(PLAN)
  expect(changeOf(PLAN, form)).toEqual({})
  expect(changeOf(PLAN, { ...form, days: ' 31 ' })).toEqual({ days: 31 })
  expect(changeOf(PLAN, { ...form, opensGroups: false })).toEqual({ opens_groups: false })
  expect(changeOf(PLAN, { ...form, quotas: { ...form.quotas, '5h': '5' } })).toEqual({
    quotas: [
      { window: '5h', usd: '5' },
      { window: 'term', usd: '50' },
    ],
  })
  expect(settingsOf({ ...form, quotas: { ...form.quotas, term: '' } }).quotas).toEqual([])
})

test('what is wrong is said by its field', () => {
  expect(validate(toForm(PLAN))).toEqual({})
  expect(validate(toForm(null))).toEqual({ name: 'required', price: 'amountForm', groups: 'noGroups' })
  const form = toForm(PLAN)
  expect(validate({ ...form, days: '36501', quotas: { ...form.quotas, '1d': 'much' } })).toEqual({
    days: 'daysForm',
    '1d': 'amountForm',
  })
})
