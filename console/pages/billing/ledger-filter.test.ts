import { expect, test } from 'vitest'
import { ledgerFilter, showsEntries } from './ledger-filter.ts'

test('days are whole days of the reader, the last one included, also when the clocks change on it', () => {
  const filters = { kind: 'usage', from: '2026-10-25', to: '2026-10-25' }
  expect(ledgerFilter({ filters, cursor: 'c1' }, 'Europe/Berlin')).toEqual({
    kind: 'usage',
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
    cursor: 'c1',
  })
})

test('what is not a day is left out', () => {
  expect(ledgerFilter({ filters: { from: 'soon', to: '2026-13-40' }, cursor: null }, 'UTC')).toEqual({})
})

test('days are shown, until entries or a filter of theirs stand in the address', () => {
  expect([{}, { view: 'entries' }, { kind: 'credit' }, { from: '' }].map(showsEntries)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
