import { expect, test } from 'vitest'
import type { LimitsReport } from '../../../../../src/contract/account-limits.ts'
import { belowUse, beyondUse, limitsOf, validate, toForm } from './limits-form.ts'

const EMPTY = toForm(null)

test('what an account sets is read into the form and back, with what is not set and what is lifted apart', () => {
  const limits = {
    concurrency: 3,
    tokens_per_minute: null,
    spend: [{ window: '1d' as const, usd: '2.5' }],
    max_keys: 0,
  }
  const form = toForm(limits)
  expect(form).toEqual({
    ...EMPTY,
    concurrency: '3',
    tokens_per_minute: '∞',
    max_keys: '0',
    '5h': '∞',
    '1d': '2.5',
    '7d': '∞',
  })
  expect(limitsOf(form)).toEqual(limits)
  expect(limitsOf(EMPTY)).toBeNull()
  expect(limitsOf({ ...EMPTY, '5h': '无' })).toEqual({ spend: [] })
})

test('what cannot be read is named by its field', () => {
  expect(validate({ ...EMPTY, concurrency: '1.5', '1d': '-3', max_key_validity_days: '0', max_keys: 'none' })).toEqual({
    concurrency: 'count',
    '1d': 'amount',
    max_key_validity_days: 'days',
  })
})

test('a limit below what is used is found, and the form can be meant as so much more', () => {
  const report = {
    counted: [{ type: 'concurrency', limit: 9, used: 4 }],
    spend: [{ window: '1d', limit: '10', used: '3.25', resets_at: null }],
    keys: { used: 5, limit: 100 },
  } as unknown as LimitsReport
  const form = { ...EMPTY, concurrency: '3', '1d': '2', '7d': '1', max_keys: '5' }
  const below = belowUse(form, report)
  expect(below).toEqual([
    { field: 'concurrency', used: '4', limit: '3' },
    { field: '1d', used: '3.25', limit: '2' },
  ])
  expect(beyondUse(form, below)).toEqual({ ...form, '1d': '5.25' })
  expect(belowUse({ ...form, concurrency: '4', '1d': '3.3' }, report)).toEqual([])
})
