import { describe, expect, test } from 'vitest'
import type { UsageSummaryView } from '../../../src/contract/usage.ts'
import { bucketsOf, cachedShare, costText, figuresOf, measured, sumOfFigures } from './buckets.ts'
import { slotsOf } from '../../chart/series-colours.ts'
import { bucketNames } from './figures-format.ts'
import { timeText } from '../../format/local-time.ts'

const totals = (cost: string, requests = 1): UsageSummaryView['totals'] => ({
  requests,
  failed: 0,
  input_tokens: 10 * requests,
  cache_read_tokens: 4 * requests,
  output_tokens: requests,
  cost,
})

const summary = (part: Partial<UsageSummaryView>): UsageSummaryView => ({
  from: '2026-11-01T00:00:00Z',
  to: '2026-11-04T00:00:00Z',
  by: 'day',
  totals: totals('0', 0),
  series: [{ id: null, name: null, end: null, totals: totals('0.3', 2) }],
  buckets: [],
  ...part,
})

const NO_SLOTS: ReadonlyMap<string, number> = new Map()

describe('buckets', () => {
  test('are all there, those without use too', () => {
    const { buckets } = bucketsOf(
      summary({
        buckets: [
          { at: '2026-11-01T00:00:00Z', values: [{ series: 0, ...totals('0.1') }] },
          { at: '2026-11-03T00:00:00Z', values: [{ series: 0, ...totals('0.2') }] },
        ],
      }),
      0,
      NO_SLOTS,
    )
    expect(buckets.map(({ values }) => values.map(costText))).toEqual([['0.1'], ['0'], ['0.2']])
    expect(buckets.map(({ fromMs, toMs }) => [timeText(fromMs), timeText(toMs)])[1]).toEqual([
      '2026-11-02T00:00:00Z',
      '2026-11-03T00:00:00Z',
    ])
  })

  test('of another zone begin where its days do', () => {
    const { buckets } = bucketsOf(
      summary({
        from: '2026-10-31T16:00:00Z',
        to: '2026-11-02T16:00:00Z',
        buckets: [{ at: '2026-11-01T16:00:00Z', values: [{ series: 0, ...totals('0.1') }] }],
      }),
      480,
      NO_SLOTS,
    )
    expect(buckets.map(({ fromMs }) => timeText(fromMs))).toEqual(['2026-10-31T16:00:00Z', '2026-11-01T16:00:00Z'])
    expect(buckets.map(({ values }) => values.map(costText))).toEqual([['0'], ['0.1']])
  })

  test('by the hour are 25 on the day on which summer time ends, and each has its own', () => {
    const first = Date.parse('2026-10-24T22:00:00Z')
    const { buckets } = bucketsOf(
      summary({
        from: timeText(first),
        to: '2026-10-25T23:00:00Z',
        by: 'hour',
        buckets: [
          { at: '2026-10-25T00:00:00Z', values: [{ series: 0, ...totals('0.1') }] },
          { at: '2026-10-25T01:00:00Z', values: [{ series: 0, ...totals('0.2') }] },
        ],
      }),
      60,
      NO_SLOTS,
    )
    expect(buckets).toHaveLength(25)
    expect(buckets.slice(1, 4).map(({ values }) => values.map(costText))).toEqual([['0'], ['0.1'], ['0.2']])
    const names = bucketNames(
      buckets.map(({ fromMs }) => fromMs),
      { by: 'hour', language: 'en', timeZone: 'Europe/Berlin', hourCycle: 'h23' },
    )
    expect(names.slice(0, 5).map(({ label }) => label)).toEqual(['Oct 25', '01:00', '02:00', '02:00', '03:00'])
  })

  test('by the day are named by their noon, also where they begin an hour off midnight', () => {
    // The days of the summer's offset: before the change they begin at 23:00 of the day before.
    const starts = [0, 1, 2, 3].map((day) => Date.parse('2026-03-26T22:00:00Z') + day * 86_400_000)
    const names = bucketNames(starts, { by: 'day', language: 'en', timeZone: 'Europe/Berlin' })
    expect(names.map(({ label }) => label)).toEqual(['Mar 27', 'Mar 28', 'Mar 29', 'Mar 30'])
    expect(names.at(-1)?.place).toBe(0)
  })

  test('of more series than there are colours have the smallest together, to the last nano-USD', () => {
    const series = Array.from({ length: 11 }, (_, index) => ({
      id: index === 10 ? null : `m${index}`,
      name: index === 10 ? null : `m${index}`,
      end: null,
      totals: totals('0.000000001'),
    }))
    const values = series.map((_, index) => ({ series: index, ...totals('0.000000001') }))
    const shown = bucketsOf(
      summary({ series, buckets: [{ at: '2026-11-01T00:00:00Z', values }] }),
      0,
      slotsOf(series.map(({ id }) => id ?? '')),
    )
    expect(shown.series.map(({ isRest }) => isRest)).toEqual([...Array<boolean>(7).fill(false), true])
    expect(shown.buckets[0]?.values.map(costText).at(-1)).toBe('0.000000004')
    expect(costText(sumOfFigures(shown.buckets[0]?.values ?? []))).toBe('0.000000011')
    expect(shown.series.at(-1)?.totals.requests).toBe(4)
  })

  test('show a name in one colour in a week, in one of its days, and whatever else is there; what has none is the rest', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    const slots = slotsOf(ids)
    const named = (...names: string[]) => names.map((id) => ({ id, name: id, end: null, totals: totals('1') }))
    const shown = (...names: string[]) => bucketsOf(summary({ series: named(...names) }), 0, slots).series
    const inWeek = new Map(shown(...ids).map(({ id, slot }) => [id, slot]))
    const inDay = shown('j', 'b', 'new-one', 'a')
    expect(inDay.map(({ id, isRest }) => (isRest ? 'rest' : id))).toEqual(['j', 'b', 'a', 'rest'])
    for (const { id, slot } of inDay) if (inWeek.has(id) && id !== null) expect(slot).toBe(inWeek.get(id))
    expect(inDay.map(({ slot }) => slot).at(-1)).toBeNull()
    expect(inDay.at(-1)?.totals.requests).toBe(1)
  })

  test('of no split have one series, which is not the rest', () => {
    expect(bucketsOf(summary({}), 0, NO_SLOTS).series.map(({ isRest }) => isRest)).toEqual([false])
  })
})

test('a share of nothing is not known', () => {
  expect(cachedShare(figuresOf(totals('0', 0)))).toBeNull()
  expect(cachedShare(figuresOf(totals('0', 5)))).toBe(0.4)
})

test('tokens are input and output together', () => {
  expect(measured(figuresOf(totals('0.5', 3)), 'tokens')).toBe(33n)
  expect(measured(figuresOf(totals('0.5', 3)), 'cost')).toBe(500_000_000n)
})
