const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Date and time in the reader's time zone, to the second where that matters. */
export function formatTime(time: string, language: string, precision: 'minute' | 'second' = 'minute'): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: precision === 'minute' ? 'short' : 'medium',
  }).format(new Date(time))
}

export function formatDate(time: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time))
}

/** `3 minutes ago`, `in 2 days`: the largest unit that fits. `nowMs`: epoch milliseconds. */
export function formatRelative(time: string, nowMs: number, language: string): string {
  const awayMs = Date.parse(time) - nowMs
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const size = Math.abs(awayMs)
  if (size < MINUTE_MS) return format.format(Math.trunc(awayMs / 1000), 'second')
  if (size < HOUR_MS) return format.format(Math.trunc(awayMs / MINUTE_MS), 'minute')
  if (size < DAY_MS) return format.format(Math.trunc(awayMs / HOUR_MS), 'hour')
  if (size < 60 * DAY_MS) return format.format(Math.trunc(awayMs / DAY_MS), 'day')
  if (size < 700 * DAY_MS) return format.format(Math.trunc(awayMs / (30 * DAY_MS)), 'month')
  return format.format(Math.trunc(awayMs / (365 * DAY_MS)), 'year')
}

const JUST_NOW: Readonly<Record<string, string>> = { en: 'just now', 'zh-CN': '刚刚' }

/**
 * `3 minutes ago`, never after now: clocks differ, and `nowMs` may be a little old. Below a minute it is `just now`, or
 * the seconds.
 */
export function formatAgo(
  time: string,
  { nowMs, language, precision }: { nowMs: number; language: string; precision: 'minute' | 'second' },
): string {
  const pastMs = Math.max(0, nowMs - Date.parse(time))
  const justNow = JUST_NOW[language]
  if (justNow !== undefined && pastMs < (precision === 'minute' ? MINUTE_MS : 1000)) return justNow
  return formatRelative(time, Math.max(nowMs, Date.parse(time)), language)
}

/** The time of day, with the date unless it is today's. Both in epoch milliseconds. */
export function formatClock(timeMs: number, nowMs: number, language: string): string {
  const time = new Date(timeMs)
  const isToday = time.toDateString() === new Date(nowMs).toDateString()
  return new Intl.DateTimeFormat(language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'medium',
  }).format(time)
}

/** How long something took: `340 ms`, `2.4 s`, `3 min 5 s`. */
export function formatDuration(durationMs: number, language: string): string {
  if (durationMs < 1000) return unit(durationMs, { unit: 'millisecond', language, places: 0 })
  if (durationMs < MINUTE_MS) return unit(durationMs / 1000, { unit: 'second', language, places: 1 })
  const minutes = Math.floor(durationMs / MINUTE_MS)
  const seconds = Math.floor((durationMs % MINUTE_MS) / 1000)
  const whole = unit(minutes, { unit: 'minute', language, places: 0 })
  return seconds === 0 ? whole : `${whole} ${unit(seconds, { unit: 'second', language, places: 0 })}`
}

function unit(amount: number, how: { unit: string; language: string; places: number }): string {
  return new Intl.NumberFormat(how.language, {
    style: 'unit',
    unit: how.unit,
    unitDisplay: 'short',
    maximumFractionDigits: how.places,
  }).format(amount)
}
