import { dateTimeFormat, numberFormat, relativeTimeFormat } from './kept-formats.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `4:20 PM` or `16:20`: one of them on all pages. */
export type HourCycle = 'h12' | 'h23'

/** The clock that the reader's browser is set to, whichever language the console speaks. */
function hourCycleHere(): HourCycle {
  const { hour12 } = dateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions()
  return hour12 === true ? 'h12' : 'h23'
}

/** The hour as each time of day begins, for `Intl.DateTimeFormat`. */
export function hourOptions(hourCycle: HourCycle = hourCycleHere()) {
  return { hour: hourCycle === 'h12' ? 'numeric' : '2-digit', hourCycle } as const
}

/** Date and time in the reader's time zone, to the second where that matters. */
export function formatTime(
  time: string,
  language: string,
  { precision, hourCycle = hourCycleHere() }: { precision?: 'minute' | 'second'; hourCycle?: HourCycle } = {},
): string {
  return dateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: precision === 'second' ? 'medium' : 'short',
    hourCycle,
  }).format(new Date(time))
}

/** Day and time to the second, without the year that goes without saying in a list. */
export function formatMoment(time: string, language: string, hourCycle = hourCycleHere()): string {
  return dateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    ...hourOptions(hourCycle),
    minute: '2-digit',
    second: '2-digit',
  }).format(new Date(time))
}

/**
 * A time zone as its readers call it: `Central European Standard Time (UTC+1)`, or `UTC+1` where it has no name. `atMs`:
 * daylight saving differs.
 */
export function formatTimeZone(timeZone: string, language: string, atMs: number): string {
  const part = (timeZoneName: 'long' | 'shortOffset'): string =>
    dateTimeFormat(language, { timeZone, timeZoneName }).formatToParts(atMs).find(isZoneName)?.value ?? timeZone
  const offset = part('shortOffset').replace('GMT', 'UTC').replace('-', '−').replace(/\+0$/, '')
  const name = part('long')
  if (/^GMT[+\-−]/.test(name)) return offset
  return language === 'zh-CN' ? `${name}（${offset}）` : `${name} (${offset})`
}

function isZoneName({ type }: Intl.DateTimeFormatPart): boolean {
  return type === 'timeZoneName'
}

export function formatDate(time: string, language: string): string {
  return dateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time))
}

/** `3 minutes ago`, `in 2 days`: the largest unit that fits. `nowMs`: epoch milliseconds. */
export function formatRelative(time: string, nowMs: number, language: string): string {
  const awayMs = Date.parse(time) - nowMs
  const [unitMs, name] = RELATIVE_UNITS.find(({ belowMs }) => Math.abs(awayMs) < belowMs)?.unit ?? [
    365 * DAY_MS,
    'year',
  ]
  const text = relativeTimeFormat(language).format(Math.trunc(awayMs / unitMs), name)
  // As everywhere else in Chinese here: a space between figures and characters.
  return language === 'zh-CN' ? text.replace(/(?<=\d)(?=\p{Script=Han})/u, ' ') : text
}

const RELATIVE_UNITS = [
  { belowMs: MINUTE_MS, unit: [1000, 'second'] },
  { belowMs: HOUR_MS, unit: [MINUTE_MS, 'minute'] },
  { belowMs: DAY_MS, unit: [HOUR_MS, 'hour'] },
  { belowMs: 60 * DAY_MS, unit: [DAY_MS, 'day'] },
  { belowMs: 700 * DAY_MS, unit: [30 * DAY_MS, 'month'] },
] as const

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
export function formatClock(
  timeMs: number,
  { nowMs, language, hourCycle = hourCycleHere() }: { nowMs: number; language: string; hourCycle?: HourCycle },
): string {
  const time = new Date(timeMs)
  const isToday = time.toDateString() === new Date(nowMs).toDateString()
  return dateTimeFormat(language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'medium',
    hourCycle,
  }).format(time)
}

/** The time of day to the minute, with the date unless it is today’s. `nowMs`: epoch milliseconds. */
export function formatMinute(time: string, nowMs: number, language: string): string {
  const at = new Date(time)
  if (at.toDateString() !== new Date(nowMs).toDateString()) return formatTime(time, language)
  return dateTimeFormat(language, { ...hourOptions(), minute: '2-digit' }).format(at)
}

/**
 * How long something took: `340 ms`, `2.4 s`, `3.0 s`, `3 min 5 s`. Each unit has its own number of places, whatever the
 * amount, so that what took nearly as long is not written more or less exactly.
 */
export function formatDuration(durationMs: number, language: string): string {
  const ms = Math.round(durationMs)
  const shown = (amount: number, of: Unit): string => inUnit(amount, of, language)
  if (ms < 1000) return shown(ms, { symbol: 'ms', places: 0 })
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return shown(tenths / 10, { symbol: 's', places: 1 })
  const seconds = Math.round(ms / 1000)
  const whole = shown(Math.floor(seconds / 60), { symbol: 'min', places: 0 })
  return seconds % 60 === 0 ? whole : `${whole} ${shown(seconds % 60, { symbol: 's', places: 0 })}`
}

/** English has three styles of short units, and mixes them; these are the symbols, which stand in no style. */
const CHINESE_UNITS = { ms: '毫秒', s: '秒', min: '分' } as const

interface Unit {
  readonly symbol: keyof typeof CHINESE_UNITS
  readonly places: number
}

function inUnit(amount: number, { symbol, places }: Unit, language: string): string {
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
  const number = numberFormat(language, digits).format(amount)
  return language === 'zh-CN' ? `${number} ${CHINESE_UNITS[symbol]}` : `${number} ${symbol}`
}
