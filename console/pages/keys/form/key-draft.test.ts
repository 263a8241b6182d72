import { describe, expect, test } from 'vitest'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { keyViews } from '../../../../test/support/key-views.ts'
import { validate } from './key-draft-check.ts'
import { changeOf, creationOf, draftOf, newDraft, type KeyDraft } from './key-draft.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')

const NO_COUNTS = newDraft('', '').counts

const full: KeyDraft = {
  ...newDraft(' laptop ', 'default'),
  validity: { kind: 'days', days: 30 },
  quotaLimit: '$ 12.50',
  quotaReset: 'weekly',
  counts: { concurrency: '5', requests_per_minute: ' 60 ', tokens_per_minute: '' },
  spend: { '5h': '5', '1d': '', '7d': '20' },
  allowedModels: ['gpt-5.5'],
  allowedIps: '10.0.0.0/8\n 2001:db8::1，127.0.0.1',
  fallbackGroups: ['saver', 'default'],
  tags: 'Team A， finance,team a、',
  responseCache: 'off',
}

describe('a draft', () => {
  test('with a name and a group sets nothing that was not said', () => {
    const body = creationOf(newDraft('laptop', 'default'), NOW_MS)
    expect(body).toMatchObject({ quota_limit: null, rate_limit: null, expires_at: null })
    expect(body).not.toHaveProperty('custom_key')
  })

  test('with everything in it arrives as the API names it', () => {
    expect(creationOf(full, NOW_MS)).toEqual({
      name: 'laptop',
      group: 'default',
      fallback_groups: ['saver'],
      quota_limit: '12.5',
      quota_reset: 'weekly',
      rate_limit: {
        concurrency: 5,
        requests_per_minute: 60,
        tokens_per_minute: null,
        spend: [
          { window: '5h', usd: '5' },
          { window: '7d', usd: '20' },
        ],
      },
      expires_at: '2026-12-21T08:30:00.000Z',
      allowed_models: ['gpt-5.5'],
      allowed_ips: ['10.0.0.0/8', '2001:db8::1', '127.0.0.1'],
      tags: ['team a', 'finance'],
      response_cache: 'off',
    })
  })

  test('sends a secret of its own only when that is switched on', () => {
    const written = { ...full, customKey: 'ada-laptop-2f9c61d07b3e' }
    expect(creationOf(written, NOW_MS)).not.toHaveProperty('custom_key')
    expect(creationOf({ ...written, isCustom: true }, NOW_MS)).toHaveProperty('custom_key', 'ada-laptop-2f9c61d07b3e')
  })

  test.each(keyViews(NOW_MS).map((key) => [key.name, key] as const))(
    'of the key "%s" that is left alone changes nothing',
    (_name, key) => {
      expect(changeOf(draftOf(key), key, NOW_MS)).toEqual({})
    },
  )

  test('changes only what is different', () => {
    const key = keyNamed('laptop')
    const change = changeOf(
      { ...draftOf(key), name: 'desk', counts: { ...draftOf(key).counts, concurrency: '' } },
      key,
      NOW_MS,
    )
    expect(Object.keys(change).sort()).toEqual(['name', 'rate_limit'])
    expect(change.rate_limit).toMatchObject({ concurrency: null, requests_per_minute: 60 })
  })

  test('takes a quota away together with its period', () => {
    const key = keyNamed('laptop')
    expect(changeOf({ ...draftOf(key), quotaLimit: '' }, key, NOW_MS)).toEqual({
      quota_limit: null,
      quota_reset: 'never',
    })
  })
})

describe('what is wrong with a draft', () => {
  test('is nothing when everything can be read', () => {
    expect(validate(full, NOW_MS)).toEqual({})
  })

  test.each([
    ['name', { name: '  ' }, 'required'],
    ['name', { name: 'x'.repeat(101) }, 'name_long'],
    ['group', { group: '' }, 'required'],
    ['expires_at', { validity: { kind: 'date', date: '' } }, 'date_missing'],
    ['quota_limit', { quotaLimit: 'twelve' }, 'amount_unreadable'],
    ['quota_limit', { quotaLimit: '-1' }, 'amount_unreadable'],
    ['quota_limit', { quotaLimit: '0.0000000001' }, 'amount_unreadable'],
    ['rate_limit.concurrency', { counts: { ...NO_COUNTS, concurrency: '0' } }, 'count_unreadable'],
    ['rate_limit.requests_per_minute', { counts: { ...NO_COUNTS, requests_per_minute: '1.5' } }, 'count_unreadable'],
    ['rate_limit.tokens_per_minute', { counts: { ...NO_COUNTS, tokens_per_minute: '1e9' } }, 'count_unreadable'],
    ['rate_limit.spend', { spend: { '5h': 'x', '1d': '', '7d': '' } }, 'amount_unreadable'],
    ['allowed_ips', { allowedIps: 'my-host' }, 'address_unreadable'],
    ['tags', { tags: 'a "quoted" one' }, 'tag_form'],
    ['tags', { tags: 'x'.repeat(41) }, 'tag_form'],
    ['tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`).join(',') }, 'tags_many'],
    ['custom_key', { isCustom: true, customKey: 'too-short' }, 'custom_form'],
    ['custom_key', { isCustom: true, customKey: `sk-tg-${'a1'.repeat(20)}` }, 'custom_form'],
  ] as const)('is shown for %s', (field, change, problem) => {
    expect(validate({ ...full, ...change }, NOW_MS)).toEqual({ [field]: problem })
  })

  test('leaves a custom key alone that is not asked for', () => {
    expect(validate({ ...full, customKey: 'x' }, NOW_MS)).toEqual({})
  })
})

function keyNamed(name: string): ApiKeyView {
  const key = keyViews(NOW_MS).find((each) => each.name === name)
  if (key === undefined) throw new Error(`no key ${name}`)
  return key
}
