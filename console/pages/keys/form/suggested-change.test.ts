import { describe, expect, test } from 'vitest'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { keyViews } from '../../../../test/support/key-views.ts'
import { suggestedChange } from './suggested-change.ts'

const [first] = keyViews(Date.parse('2026-11-21T08:30:00Z'))
const key: ApiKeyView = {
  ...(first as ApiKeyView),
  group: 'small',
  quota_limit: '10',
  spent: '9.5',
  rate_limit: {
    concurrency: 2,
    requests_per_minute: 60,
    tokens_per_minute: 1_000,
    spend: [{ window: '5h', usd: '3' }],
  },
}
const groups = [
  { name: 'small', enabled: true, usable: true },
  { name: 'closed', enabled: true, usable: false },
  { name: 'off', enabled: false, usable: true },
  { name: 'lean', enabled: true, usable: true },
  { name: 'large', enabled: true, usable: true },
]
const models = [{ name: 'm', groups: [{ name: 'off' }, { name: 'closed' }, { name: 'large' }] }]
const known = { key, groups, models }

describe('what is suggested where a setting of the key stopped a request', () => {
  test.each([
    [{ limit_usd: '10', needed_usd: '0.1' }, '20'],
    [{ limit_usd: '10', needed_usd: '31.07' }, '41'],
    [{}, '20'],
    [{ limit_usd: '0', needed_usd: '0.002' }, '9.6'],
  ])('as a quota is twice the limit, or room for what was spent and this request: %o', (facts, quotaLimit) => {
    const suggested = suggestedChange('quota_limit', { ...known, facts })
    expect(suggested).toEqual({ at: 'quota_limit', change: { quotaLimit } })
  })

  test('of a key that spent nothing, under a quota of nothing, is a dollar', () => {
    const fresh = { ...key, quota_limit: '0', spent: '0' }
    expect(suggestedChange('quota_limit', { ...known, key: fresh, facts: {} }).change).toEqual({ quotaLimit: '1' })
  })

  test.each([
    [{ limit: 'requests', max: 60 }, 'rate_limit.requests_per_minute', { requests_per_minute: '120' }],
    [{ limit: 'requests', max: 0 }, 'rate_limit.requests_per_minute', { requests_per_minute: '60' }],
    [{ limit: 'concurrency', max: 2 }, 'rate_limit.concurrency', { concurrency: '4' }],
    [
      { limit: 'tokens', max: 1_000, input_tokens: 8_000, output_tokens: 345 },
      'rate_limit.tokens_per_minute',
      { tokens_per_minute: '8400' },
    ],
  ] as const)('as a count fits the request: %o', (facts, at, counts) => {
    const suggested = suggestedChange('rate_limit', { ...known, facts })
    expect(suggested.at).toBe(at)
    expect(suggested.change?.counts).toMatchObject(counts)
  })

  test('leaves the other limits as they are', () => {
    const facts = { limit: 'spend', window: '5h', limit_usd: '3', needed_usd: '0.2' } as const
    expect(suggestedChange('rate_limit', { ...known, facts })).toEqual({
      at: 'rate_limit.spend.5h',
      change: { spend: { '5h': '6', '1d': '', '7d': '' } },
    })
  })

  test('as a group is one that is open and serves the model, and none where no group does', () => {
    const groupFor = (model?: string) =>
      suggestedChange('group', { ...known, facts: model === undefined ? {} : { model } }).change
    expect(groupFor('m')).toEqual({ group: 'large' })
    expect(groupFor()).toEqual({ group: 'lean' })
    expect(groupFor('gpt-99')).toBeNull()
  })
})
