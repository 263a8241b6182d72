import { describe, expect, test } from 'vitest'
import { keyViews } from '../../../test/support/key-views.ts'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { quotaPace } from './quota-pace.ts'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')
const [laptop] = keyViews(NOW_MS)

function paceOf(quota: KeyReport['limits']['quota'], costs: readonly string[], ageDays = 30) {
  if (laptop === undefined) throw new Error('there is a key')
  const key = { ...laptop, created_at: new Date(NOW_MS - ageDays * 86_400_000).toISOString() }
  const days = costs.map((cost, back) => ({
    at: new Date(Date.parse('2026-11-23T00:00:00Z') - back * 86_400_000).toISOString(),
    requests: 1,
    failed: 0,
    cost,
  }))
  return quotaPace({ key, limits: { counted: [], quota, spend: [] }, days }, NOW_MS)
}

describe('how long a quota lasts at the pace of the last seven days', () => {
  test('is what is left over what a day costs', () => {
    const pace = paceOf({ used: '6', limit: '20', resets_at: null }, ['1', '2', '4', '0', '0', '0', '0', '90'])
    expect(pace).toEqual({ kind: 'lasts', days: 14, endsAt: '2026-12-07T12:00:00.000Z', isEnough: false })
  })

  test('of a new key counts the days that it has had', () => {
    expect(paceOf({ used: '2', limit: '10', resets_at: null }, ['2'], 0.5)).toMatchObject({ days: 4 })
  })

  test('is enough where the quota is reset before', () => {
    const quota = { used: '6', limit: '20', resets_at: '2026-12-01T00:00:00Z' }
    expect(paceOf(quota, ['7'])).toMatchObject({ isEnough: true })
    expect(paceOf({ ...quota, used: '19' }, ['7'])).toMatchObject({ isEnough: false, days: 1 })
  })

  test('is not known of a key that was not used, and is over where nothing is left', () => {
    expect(paceOf({ used: '0', limit: '20', resets_at: null }, [])).toBeNull()
    expect(paceOf(null, ['1'])).toBeNull()
    expect(paceOf({ used: '20', limit: '20', resets_at: null }, ['1'])).toEqual({ kind: 'used_up' })
  })
})
