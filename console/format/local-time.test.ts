import { describe, expect, test } from 'vitest'
import { localInputOf, momentOfLocalInput, offsetMinutesAt, startOfDay, startOfMonth, timeText } from './local-time.ts'

const at = (text: string): number => Date.parse(text)

describe('the offset of a zone', () => {
  test.each([
    ['UTC', '2026-07-01T12:00:00Z', 0],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', 120],
    ['Europe/Berlin', '2026-12-01T12:00:00Z', 60],
    ['Asia/Shanghai', '2026-12-01T12:00:00Z', 480],
    ['Asia/Kathmandu', '2026-12-01T12:00:00Z', 345],
    ['America/St_Johns', '2026-12-01T12:00:00Z', -210],
    ['Pacific/Kiritimati', '2026-12-01T12:00:00Z', 840],
  ])('of %s at %s is %i minutes', (zone, time, minutes) => {
    expect(offsetMinutesAt(at(time), zone)).toBe(minutes)
  })
})

describe('the start of a day', () => {
  test.each([
    {
      what: 'is the midnight of the zone',
      zone: 'Asia/Shanghai',
      time: '2026-11-21T17:00Z',
      days: 0,
      first: '2026-11-21T16:00:00Z',
    },
    {
      what: 'is counted back over the end of summer time',
      zone: 'Europe/Berlin',
      time: '2026-10-27T12:00Z',
      days: -6,
      first: '2026-10-20T22:00:00Z',
    },
    {
      what: 'is counted on over its beginning',
      zone: 'Europe/Berlin',
      time: '2026-03-28T12:00Z',
      days: 2,
      first: '2026-03-29T22:00:00Z',
    },
    {
      what: 'is the first moment where clocks jump over midnight',
      zone: 'Africa/Cairo',
      time: '2026-04-24T12:00Z',
      days: 0,
      first: '2026-04-23T22:00:00Z',
    },
    {
      what: 'is the first of two midnights',
      zone: 'America/Havana',
      time: '2026-11-01T18:00Z',
      days: 0,
      first: '2026-11-01T04:00:00Z',
    },
  ])('$what', ({ zone, time, days, first }) => {
    expect(timeText(startOfDay(at(time), zone, days))).toBe(first)
  })

  test('of a month is its first midnight in the zone', () => {
    expect(timeText(startOfMonth(at('2026-10-31T23:30:00Z'), 'Europe/Berlin'))).toBe('2026-10-31T23:00:00Z')
    expect(timeText(startOfMonth(at('2026-10-31T22:30:00Z'), 'Europe/Berlin'))).toBe('2026-09-30T22:00:00Z')
  })
})

describe('a date field', () => {
  test.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe'])(
    'in %s means the moment that it shows, at every hour of the months in which clocks change',
    (zone) => {
      const hours = [at('2026-03-01T00:00:00Z'), at('2026-10-01T00:00:00Z')].flatMap((first) =>
        Array.from({ length: 40 * 24 }, (_, index) => first + index * 3_600_000),
      )
      for (const ms of hours) {
        const shown = localInputOf(ms, zone)
        const meant = momentOfLocalInput(shown, zone)
        // An hour that the clocks show twice means its first.
        expect(meant === undefined ? '' : localInputOf(meant, zone)).toBe(shown)
        expect(ms - (meant ?? 0)).toBeLessThanOrEqual(3_600_000)
      }
    },
  )

  test.each(['', 'soon', '2026-11', '2026-99-99T00:00'])('with "%s" in it means no moment', (text) => {
    expect(momentOfLocalInput(text, 'UTC')).toBeUndefined()
  })
})
