import { expect, test } from 'vitest'
import { fewestDays, resetsWithin, withPreset } from './device-rule.ts'
import { newDraft } from './key-draft.ts'

const RULE = { quota: '20', max_quota: '50', quota_reset: 'weekly', max_days: 7 } as const

test('a quota is preset until its person writes one, and its period is one that may be chosen', () => {
  const empty = newDraft('laptop', 'default')
  expect(withPreset(empty, RULE, false)).toMatchObject({ quotaLimit: '20', quotaReset: 'weekly' })
  expect(withPreset(empty, { ...RULE, quota: null }, false)).toMatchObject({ quotaLimit: '50' })
  expect(withPreset(empty, { ...RULE, quota: null, max_quota: null }, false)).toBe(empty)
  expect(withPreset(empty, null, false)).toBe(empty)
  const written = { ...empty, quotaLimit: '', quotaReset: 'monthly' } as const
  expect(withPreset(written, RULE, true)).toMatchObject({ quotaLimit: '', quotaReset: 'weekly' })
  expect(resetsWithin(RULE)).toEqual(['never', 'weekly'])
  expect(resetsWithin({ ...RULE, max_quota: null })).toHaveLength(4)
})

test('of several bounds the shortest holds', () => {
  expect([fewestDays(30, 7), fewestDays(null, 7), fewestDays(undefined, null)]).toEqual([7, 7, null])
})
