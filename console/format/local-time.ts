import { dateTimeFormat } from './kept-formats.ts'

const MINUTE_MS = 60_000
const HALF_DAY_MS = 12 * 60 * MINUTE_MS

/** How far the zone's clocks are ahead of UTC at a moment, in minutes. `timeZone`: an IANA name. */
export function offsetMinutesAt(ms: number, timeZone: string): number {
  return Math.round((wallClockAt(ms, timeZone) - ms) / MINUTE_MS)
}

/** The first moment of the day, `days` later, that the zone's calendar shows at a moment. */
export function startOfDay(ms: number, timeZone: string, days = 0): number {
  const wall = new Date(wallClockAt(ms, timeZone))
  return momentOf(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + days), timeZone)
}

/** The first moment of the month. */
export function startOfMonth(ms: number, timeZone: string): number {
  const wall = new Date(wallClockAt(ms, timeZone))
  return momentOf(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), 1), timeZone)
}

/** A moment as `<input type="datetime-local">` has it: `2026-11-21T09:30`, in the zone. */
export function localInputOf(ms: number, timeZone: string): string {
  return new Date(wallClockAt(ms, timeZone)).toISOString().slice(0, 16)
}

/** The moment that such an input means; undefined when it is not filled in. */
export function momentOfLocalInput(text: string, timeZone: string): number | undefined {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(`${text.slice(0, 16)}:00Z`) : Number.NaN
  return Number.isNaN(wall) ? undefined : momentOf(wall, timeZone)
}

/** A moment as the wire has it, without the fraction that is none. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** The reader's time zone, as an IANA name. */
export function timeZoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The offset of the reader's days that sums are asked for by, in minutes: sums are of whole hours of UTC. */
export function dayOffsetMinutes(nowMs: number): number {
  return Math.trunc(offsetMinutesAt(nowMs, timeZoneHere()) / 60) * 60
}

/** What the zone's clocks show, as if it were UTC. */
function wallClockAt(ms: number, timeZone: string): number {
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value)
  const parts = formatOf(timeZone).formatToParts(ms)
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) +
    (((ms % 1000) + 1000) % 1000)
  )
}

/**
 * The moment at which the zone's clocks show `wall`: the first, where they show it twice; the one at which they jump over
 * it, where they never do.
 */
function momentOf(wall: number, timeZone: string): number {
  const before = wall - offsetMinutesAt(wall - HALF_DAY_MS, timeZone) * MINUTE_MS
  const after = wall - offsetMinutesAt(wall + HALF_DAY_MS, timeZone) * MINUTE_MS
  if (wallClockAt(before, timeZone) === wall) return before
  return wallClockAt(after, timeZone) === wall ? after : before
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return dateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}
