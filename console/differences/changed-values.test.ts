import { expect, test } from 'vitest'
import { changedValues, type PlainValue, withMoments } from './changed-values.ts'

test('changes are texts, without what stayed as it was, and without a before where there was nothing', () => {
  const rotated = { secret_end: { before: '8pnv', after: 'g1qM' }, overlap_ends_at: { before: null, after: null } }
  expect(changedValues(rotated, '–')).toEqual([{ field: 'secret_end', before: '8pnv', after: 'g1qM' }])
  const limited = {
    quota_limit: { before: '0.25', after: null },
    rate_limit: {
      before: null,
      after: { concurrency: 5, tokens_per_minute: null, spend: [{ window: '5h', usd: '5' }] },
    },
    fallback_groups: { before: [], after: ['saver', 'pro'] },
  }
  expect(changedValues(limited, '–')).toEqual([
    { field: 'quota_limit', before: '0.25', after: '–' },
    { field: 'rate_limit', before: null, after: 'concurrency 5, spend (window 5h, usd 5)' },
    { field: 'fallback_groups', before: null, after: 'saver, pro' },
  ])
  expect(changedValues({ amount: { before: null, after: '25' }, shared: { after: false } }, '–')).toEqual([
    { field: 'amount', before: null, after: '25' },
    { field: 'shared', before: null, after: 'false' },
  ])
})

test('the parts of a value are called as the reader calls them', () => {
  const names: Readonly<Record<string, string>> = { concurrency: 'concurrent requests' }
  const limited = {
    rate_limit: { before: null, after: { concurrency: 5000, unknown: 1, spend: [{ window: '5h', usd: '5' }] } },
    quota_limit: { before: '3', after: '4' },
  }
  const words = {
    nameOf: (name: string) => names[name] ?? name,
    valueOf: (name: string, value: PlainValue) =>
      name === 'usd' ? `$${value}.00` : Number(value) > 999 ? '5,000' : `${value}`,
    list: (parts: readonly string[]) => parts.join('; '),
  }
  expect(
    changedValues(limited, '–', { ...words, nameOf: (name) => (name === 'usd' ? '' : words.nameOf(name)) }),
  ).toEqual([
    { field: 'rate_limit', before: null, after: 'concurrent requests 5,000; unknown 1; spend window 5h; $5.00' },
    { field: 'quota_limit', before: '3', after: '4' },
  ])
})

test('what reads better as a whole is a phrase, and the rest is said part by part', () => {
  const phraseOf = (value: object): string | null => ('usd' in value ? `up to $${String(value.usd)}` : null)
  const words = { nameOf: (name: string) => name, list: (parts: readonly string[]) => parts.join(', ') }
  const spend = [
    { window: '5h', usd: '5' },
    { window: '7d', usd: '20' },
  ]
  const limited = { rate_limit: { before: null, after: { concurrency: 5, spend } } }
  expect(changedValues(limited, '–', { ...words, valueOf: (_, value) => String(value), phraseOf })).toEqual([
    { field: 'rate_limit', before: null, after: 'concurrency 5, spend up to $5, up to $20' },
  ])
})

test('what has several parts is kept apart from what stands beside it', () => {
  const windows = [
    { window: '5h', usd: '5' },
    { window: '7d', usd: '40' },
  ]
  const planned = { quotas: { after: windows }, limits: { after: { spend: windows.slice(1), max_keys: 50 } } }
  expect(changedValues(planned, '–')).toEqual([
    { field: 'quotas', before: null, after: '(window 5h, usd 5), (window 7d, usd 40)' },
    { field: 'limits', before: null, after: 'spend (window 7d, usd 40), max_keys 50' },
  ])
  const alone = { quotas: { after: [{ window: '5h', usd: null }] }, level: { after: { kind: 'a', of: 2 } } }
  expect(changedValues(alone, '–')).toEqual([
    { field: 'quotas', before: null, after: 'window 5h' },
    { field: 'level', before: null, after: 'kind a, of 2' },
  ])
})

test('moments are written as asked, and all else as the API has it', () => {
  const ending = { ends_at: { after: '2026-12-08T10:30:00.000Z' }, reason: { before: 'until 2026-12-08', after: '7' } }
  expect(
    changedValues(
      ending,
      '–',
      withMoments((time) => `at ${time.slice(11, 16)}`),
    ),
  ).toEqual([
    { field: 'ends_at', before: null, after: 'at 10:30' },
    { field: 'reason', before: 'until 2026-12-08', after: '7' },
  ])
})
