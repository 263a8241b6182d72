import { expect, test } from 'vitest'
import { texts as key } from '../dictionaries/key-en.ts'
import { texts as keys } from '../dictionaries/keys-en.ts'
import { sharedEn } from '../dictionaries/shared-en.ts'
import { formatList } from '../format/list.ts'
import { formatExactMoney } from '../format/money.ts'
import { formatNumber } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { keyWords } from './account-words.ts'
import { changeRows, type Changes, withMoreWords } from './change-rows.ts'
import type { FieldWords, ValueFormat } from './difference-rows.ts'

const format: ValueFormat = {
  exactMoney: (amount) => formatExactMoney(amount, 'en'),
  number: (count) => formatNumber(count, 'en'),
  time: (time) => `at ${time.slice(11, 16)}`,
  duration: (durationMs) => formatDuration(durationMs, 'en'),
  list: (names) => formatList(names, 'en'),
}

const said = (changes: Changes, words: FieldWords = { fields: {} }): string[] =>
  changeRows(changes, words, { shared: sharedEn, format }).map(
    ({ label, before, after }) => `${label}: ${before === null ? '' : `${before} → `}${after}`,
  )

test('changes of a key are said in the words of its form, without a before where there was nothing', () => {
  const words = keyWords({ key, keys }, format)
  expect(
    said(
      {
        quota_limit: { before: '0.25', after: '0.27675' },
        expires_at: { before: null, after: '2026-12-08T10:30:00.000Z' },
        fallback_groups: { before: [], after: ['saver', 'pro'] },
        quota_reset: { before: 'never', after: 'never' },
      },
      words,
    ),
  ).toEqual([
    `${key.detail.fields['quota_limit']}: $0.25 → $0.27675`,
    'Expires: at 10:30',
    'Fallback groups: saver, pro',
  ])
})

test('what no form shows is said in other words, and what has none by its own name', () => {
  const more: FieldWords = {
    fields: { password: 'Password' },
    textOf: (_, value) => (value === 'replaced' ? 'new' : null),
  }
  expect(
    said(
      { password: { before: null, after: 'replaced' }, made_up: { before: 1, after: 2 } },
      withMoreWords({ fields: {} }, more),
    ),
  ).toEqual(['Password: new', 'made_up: 1 → 2'])
})
