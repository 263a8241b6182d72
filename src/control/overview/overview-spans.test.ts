import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/durations.ts'
import { parseUsd } from '../../core/money.ts'
import { balancePace, overviewSpans, type SpanPair } from './overview-spans.ts'

const written = ({ now, before }: SpanPair) =>
  [now, before].map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join(' '))

describe('spans of the overview', () => {
  test('end with the hour that runs, and so do those they are compared with', () => {
    const { today, week, month } = overviewSpans(Date.UTC(2026, 10, 21, 12, 40), 0)
    expect(written(today)).toEqual(['2026-11-21T00:00 2026-11-21T13:00', '2026-11-20T00:00 2026-11-20T13:00'])
    expect(written(week)).toEqual(['2026-11-15T00:00 2026-11-21T13:00', '2026-11-08T00:00 2026-11-14T13:00'])
    expect(written(month)).toEqual(['2026-11-01T00:00 2026-11-21T13:00', '2026-10-01T00:00 2026-10-21T13:00'])
  })

  test('are of the reader’s days and months', () => {
    const { today, month } = overviewSpans(Date.UTC(2026, 9, 31, 20, 10), 480)
    expect(written(today)).toEqual(['2026-10-31T16:00 2026-10-31T21:00', '2026-10-30T16:00 2026-10-30T21:00'])
    expect(written(month)).toEqual(['2026-10-31T16:00 2026-10-31T21:00', '2026-09-30T16:00 2026-09-30T21:00'])
  })

  test('never count a day of this month to the last one, which may be shorter', () => {
    expect(written(overviewSpans(Date.UTC(2026, 2, 31, 5), 0).month)[1]).toBe('2026-02-01T00:00 2026-03-01T00:00')
  })

  test('know the month before January', () => {
    expect(written(overviewSpans(Date.UTC(2027, 0, 2, 5), 0).month)[1]).toBe('2026-12-01T00:00 2026-12-02T06:00')
  })
})

describe('the days that a balance lasts', () => {
  test.each<[string, [string, string, number], [string, number | null]]>([
    ['at the mean of seven days', ['10', '7', 100], ['1', 10]],
    ['of a new account at the mean of the days it is open', ['10', '4', 1.5], ['2', 5]],
    ['of the first hour as if it were a day', ['10', '4', 0.01], ['4', 2]],
    ['rounded down', ['10', '28', 9], ['4', 2]],
    ['none, where nothing is left', ['-1', '7', 9], ['1', 0]],
    ['unknown, where nothing was paid', ['10', '0', 9], ['0', null]],
    ['at most so many that it says years', ['9000000', '0.000000007', 9], ['0.000000001', 9_999]],
  ])('%s', (_, [balance, paid, days], [perDay, left]) => {
    const pace = balancePace({ balance: parseUsd(balance), paid: parseUsd(paid), openForMs: days * DAY_MS })
    expect(pace).toEqual({ per_day: perDay, days_left: left })
  })
})
