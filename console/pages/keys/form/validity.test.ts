import { describe, expect, test } from 'vitest'
import { dayOf, expiryOf, lastDayWithin, validateValidity } from './validity.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')

describe('the end of a key', () => {
  test('is none for a permanent one', () => {
    expect(expiryOf({ kind: 'permanent' }, NOW_MS)).toBeNull()
  })

  test.each([7, 30, 90] as const)('is to the second %i days away', (days) => {
    expect(expiryOf({ kind: 'days', days }, NOW_MS)).toBe(new Date(NOW_MS + days * 86_400_000).toISOString())
  })

  test('is within what the account allows, by clocks that differ', () => {
    expect(expiryOf({ kind: 'longest', days: 365 }, NOW_MS)).toBe('2027-11-21T08:20:00.000Z')
    const last = expiryOf({ kind: 'date', date: lastDayWithin(30, NOW_MS) }, NOW_MS)
    expect(Date.parse(last ?? '')).toBeLessThan(NOW_MS + 30 * 86_400_000)
    expect(Date.parse(last ?? '')).toBeGreaterThanOrEqual(NOW_MS + 29 * 86_400_000)
  })

  test('is the last second of a chosen day where the reader is', () => {
    const end = expiryOf({ kind: 'date', date: '2027-03-01' }, NOW_MS)
    expect(end).toBe(new Date(2027, 2, 1, 23, 59, 59).toISOString())
  })

  test('stays to the millisecond when it is not touched', () => {
    expect(expiryOf({ kind: 'unchanged', time: '2027-01-02T03:04:05Z' }, NOW_MS)).toBe('2027-01-02T03:04:05Z')
  })

  test.each(['', '2027-02-30', 'tomorrow'])('is not known for "%s"', (date) => {
    expect(expiryOf({ kind: 'date', date }, NOW_MS)).toBeUndefined()
    expect(validateValidity({ kind: 'date', date }, NOW_MS)).toBe('date_missing')
  })

  test('may be today, and may not be yesterday', () => {
    expect(validateValidity({ kind: 'date', date: dayOf(NOW_MS) }, NOW_MS)).toBeUndefined()
    expect(validateValidity({ kind: 'date', date: dayOf(NOW_MS - 86_400_000) }, NOW_MS)).toBe('date_past')
  })
})
