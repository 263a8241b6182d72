import { describe, expect, test } from 'vitest'
import { bucketSizesOf, dayOffsetOf, spanOf } from './span.ts'

const NOW = Date.parse('2026-10-27T09:30:00Z')

describe('a span', () => {
  test.each([
    ['24h', 'Europe/Berlin', '2026-10-26T10:00:00Z'],
    ['7d', 'UTC', '2026-10-21T00:00:00Z'],
    ['7d', 'Europe/Berlin', '2026-10-20T23:00:00Z'],
    ['7d', 'Asia/Kolkata', '2026-10-20T19:00:00Z'],
    ['7d', 'America/St_Johns', '2026-10-21T02:00:00Z'],
    ['30d', 'Asia/Shanghai', '2026-09-27T16:00:00Z'],
    ['90d', 'America/New_York', '2026-07-30T04:00:00Z'],
    ['month', 'Europe/Berlin', '2026-09-30T23:00:00Z'],
  ] as const)('of %s in %s begins with a whole bucket at %s and goes on until now', (name, zone, from) => {
    expect(spanOf({ name }, NOW, zone)).toEqual({ from, to: null })
  })

  test.each([
    ['today', '2026-10-26T23:00:00Z', null],
    ['yesterday', '2026-10-25T23:00:00Z', '2026-10-26T23:00:00Z'],
  ] as const)('of %s is a day of the reader’s', (name, from, to) => {
    expect(spanOf({ name }, NOW, 'Europe/Berlin')).toEqual({ from, to })
  })

  test('of seven days is seven buckets in every zone, whenever its clocks change', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']
    for (const zone of zones) {
      for (let now = Date.parse('2026-01-01T05:30:00Z'); now < Date.parse('2027-01-01'); now += 7 * 3_600_000) {
        const span = spanOf({ name: '7d' }, now, zone)
        const offsetMs = dayOffsetOf(span, now, zone).minutes * 60_000
        const dayOf = (ms: number): number => (ms + offsetMs) / 86_400_000
        expect(dayOf(Date.parse(span.from)) % 1).toBe(0)
        // In the hour that the day's beginning is off midnight, today has not begun yet, or tomorrow has.
        const days = Math.floor(dayOf(now)) - dayOf(Date.parse(span.from)) + 1
        expect(offsetMs % 3_600_000 === 0 && [6, 7, 8].includes(days)).toBe(true)
      }
    }
  })

  test('stays the same while the hour does, so that nothing is asked for twice', () => {
    expect(spanOf({ name: '24h' }, NOW, 'UTC')).toEqual(spanOf({ name: '24h' }, NOW + 29 * 60_000, 'UTC'))
  })

  test('that is open at its beginning has thirty days', () => {
    const choice = { name: 'custom', from: null, to: '2026-10-01T00:00:00Z' } as const
    expect(spanOf(choice, NOW, 'UTC').from).toBe('2026-09-02T00:00:00Z')
  })

  test.each([
    ['2026-10-26T00:00:00Z', ['hour', 'day']],
    ['2026-10-21T00:00:00Z', ['day', 'hour']],
    ['2026-09-01T00:00:00Z', ['day']],
  ])('from %s is drawn by %j', (from, sizes) => {
    expect(bucketSizesOf({ from, to: null }, NOW)).toEqual(sizes)
  })
})

describe('the days of a span', () => {
  test.each([
    ['Asia/Shanghai', { minutes: 480, isShifted: false }],
    ['Asia/Kolkata', { minutes: 300, isShifted: true }],
    ['America/St_Johns', { minutes: -120, isShifted: true }],
  ])('in %s begin at a whole hour of UTC: %j', (zone, expected) => {
    expect(dayOffsetOf({ from: '2026-10-01T00:00:00Z', to: null }, NOW, zone)).toEqual(expected)
  })

  test('are those of its end, when the clocks changed within it', () => {
    const span = { from: '2026-10-20T22:00:00Z', to: null }
    expect(dayOffsetOf(span, NOW, 'Europe/Berlin').minutes).toBe(60)
    expect(dayOffsetOf({ ...span, to: '2026-10-23T22:00:00Z' }, NOW, 'Europe/Berlin').minutes).toBe(120)
  })
})
