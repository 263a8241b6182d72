import { expect, test } from 'vitest'
import { judgeYear, type YearRow } from './year-bounds.ts'

const row = (part: Partial<YearRow> = {}): YearRow => ({
  day: 365,
  requests: 1_000_000,
  databaseBytes: 800_000_000,
  archiveBytes: 90_000_000,
  views: { 'newest of an account': 2, 'errors of all': 2, '30 days by day': 60, 'a year by day': 900 },
  settle: { p50: 3, p99: 100 },
  beside: { p50: 6, p99: 200 },
  ...part,
})
const missed = (...rows: readonly YearRow[]) => judgeYear(rows).flatMap(({ name, isMet }) => (isMet ? [] : [name]))

test('a year within its bounds misses none, and each bound is missed by the worst of its rows', () => {
  expect(missed(row({ day: 60 }), row())).toEqual([])
  const { views } = row()
  expect(missed(row({ views: { ...views, 'errors of all': 51 } }), row())).toEqual(['errors of all, ms'])
  expect(missed(row({ settle: { p50: 11, p99: 251 } }), row())).toEqual(['settle p50, ms', 'settle p99, ms'])
  expect(missed(row({ beside: { p50: 6, p99: 501 } }))).toEqual(['settle p99 beside retention, ms'])
  expect(missed(row({ databaseBytes: 1_100_000_000 }))).toEqual(['bytes of the database a request'])
  expect(missed(row({ databaseBytes: 1_100_000_000, requests: 999_999 }))).toEqual([])
})

test('a month that takes longer at the end of the year than at its beginning is missed', () => {
  const { views } = row()
  const last = row({ views: { ...views, '30 days by day': 130 } })
  expect(missed(row(), last)).toEqual(['30 days by day, of what it took at first'])
  expect(missed(row({ views: { ...views, '30 days by day': 10 } }), row())).toEqual([])
})

test('no rows are not judged', () => {
  expect(() => judgeYear([])).toThrow('without a row')
})
