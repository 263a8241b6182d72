import { offsetMinutesAt, startOfDay, startOfMonth, timeText } from '../../format/local-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const SPAN_NAMES = ['today', 'yesterday', '24h', '7d', '30d', '90d', 'month'] as const

export type SpanName = (typeof SPAN_NAMES)[number]

/** What the address says: one of the presets, or moments of the reader's own. Times RFC 3339, null: open. */
export type SpanChoice =
  | { readonly name: SpanName }
  | { readonly name: 'custom'; readonly from: string | null; readonly to: string | null }

/** What the API is asked for. `to` null: until now. */
export interface Span {
  readonly from: string
  readonly to: string | null
}

export type BucketSize = 'hour' | 'day'

export const MOST_DAYS_BY_HOUR = 14
const MOST_BUCKETS_BY_HOUR = MOST_DAYS_BY_HOUR * 24
const FEWEST_DAYS_BY_DAY = 3

/**
 * The moments of a choice. Presets begin with a whole hour or with a day as the API sums them up (`dayOffsetOf`), so that no
 * bucket is cut short, and list and sums are of the same requests.
 */
export function spanOf(choice: SpanChoice, nowMs: number, timeZone: string): Span {
  if (choice.name === 'custom') {
    const to = choice.to === null ? nowMs : Date.parse(choice.to)
    return { from: choice.from ?? timeText(startOfDay(to, timeZone, -29)), to: choice.to }
  }
  const to = choice.name === 'yesterday' ? timeText(startOfPreset('today', nowMs, timeZone)) : null
  return { from: timeText(startOfPreset(choice.name, nowMs, timeZone)), to }
}

function startOfPreset(name: SpanName, nowMs: number, timeZone: string): number {
  if (name === '24h') return Math.floor(nowMs / HOUR_MS) * HOUR_MS - 23 * HOUR_MS
  const days = { today: 0, yesterday: -1, '7d': -6, '30d': -29, '90d': -89 }
  const start = name === 'month' ? startOfMonth(nowMs, timeZone) : startOfDay(nowMs, timeZone, days[name])
  const offsetMs = dayOffsetAt(nowMs, timeZone).minutes * 60_000
  return Math.round((start + offsetMs) / DAY_MS) * DAY_MS - offsetMs
}

/** The bucket sizes in which a span can be drawn; the first is the usual one. */
export function bucketSizesOf(span: Span, nowMs: number): readonly BucketSize[] {
  const lengthMs = (span.to === null ? nowMs : Date.parse(span.to)) - Date.parse(span.from)
  if (lengthMs > MOST_BUCKETS_BY_HOUR * HOUR_MS) return ['day']
  return lengthMs < FEWEST_DAYS_BY_DAY * DAY_MS ? ['hour', 'day'] : ['day', 'hour']
}

/**
 * The offset of the days in which the API sums up, in minutes: the zone's at the end of the span. Records are summed by
 * whole hours of UTC, so where a zone is half an hour off the days are, too; `isShifted` says so.
 */
export function dayOffsetOf(
  span: Span,
  nowMs: number,
  timeZone: string,
): { readonly minutes: number; readonly isShifted: boolean } {
  return dayOffsetAt(lastMomentOf(span, nowMs), timeZone)
}

/** The last moment of a span, which tells whether its days are those of summer time. */
export function lastMomentOf(span: Span, nowMs: number): number {
  return span.to === null ? nowMs : Date.parse(span.to) - 1
}

function dayOffsetAt(ms: number, timeZone: string): { readonly minutes: number; readonly isShifted: boolean } {
  const exact = offsetMinutesAt(ms, timeZone)
  const minutes = Math.trunc(exact / 60) * 60
  return { minutes, isShifted: minutes !== exact }
}
