import { useMemo } from 'react'
import { usePreferences } from '../preferences.ts'
import { formatBytes } from './bytes.ts'
import { formatFew, formatList } from './list.ts'
import { formatExactMoney, formatMoney, formatMoneyChange, formatRoughMoney } from './money.ts'
import { formatCompact, formatNumber, formatPercent, formatPercentChange } from './number.ts'
import { formatAgo, formatClock, formatDate, formatDuration, formatMinute, formatRelative, formatTime } from './time.ts'

export interface Format {
  /** Easily read: `$12.50`, `$0.00042`. Takes the wire's decimal string. */
  money(amount: string): string
  /** A large figure: `<$0.01` for what is less than a cent, whose digits its title has. */
  roughMoney(amount: string): string
  /** Money with its sign: `+$12.50`. */
  moneyChange(change: string): string
  /** Every place: `$0.000420001`. */
  exactMoney(amount: string): string
  number(count: number): string
  bytes(count: number): string
  compact(count: number): string
  /** A share from 0 to 1. */
  percent(share: number): string
  /** A percentage with its sign: `+5%`, `−5%`. */
  percentChange(share: number): string
  time(time: string): string
  second(time: string): string
  /** The time of day, with the date unless it is today’s. */
  minute(time: string, nowMs: number): string
  date(time: string): string
  relative(time: string, nowMs: number): string
  /** A distance into the past: never after now. */
  ago(time: string, nowMs: number, precision?: 'minute' | 'second'): string
  /** Epoch milliseconds. */
  clock(timeMs: number, nowMs: number): string
  duration(durationMs: number): string
  /** Names, one after the other. */
  list(names: readonly string[]): string
  /** The first of many names, and how many more there are. `count`: of all, where `names` are not all of them. */
  few(names: readonly string[], most: number, count?: number): string
}

/** How amounts, counts and times are written in the reader's language. */
export function useFormat(): Format {
  const { language } = usePreferences()
  return useMemo(
    () => ({
      money: (amount) => formatMoney(amount, language),
      roughMoney: (amount) => formatRoughMoney(amount, language),
      moneyChange: (change) => formatMoneyChange(change, language),
      exactMoney: (amount) => formatExactMoney(amount, language),
      number: (count) => formatNumber(count, language),
      bytes: (count) => formatBytes(count, language),
      compact: (count) => formatCompact(count, language),
      percent: (share) => formatPercent(share, language),
      percentChange: (share) => formatPercentChange(share, language),
      time: (time) => formatTime(time, language),
      second: (time) => formatTime(time, language, { precision: 'second' }),
      minute: (time, nowMs) => formatMinute(time, nowMs, language),
      date: (time) => formatDate(time, language),
      relative: (time, nowMs) => formatRelative(time, nowMs, language),
      ago: (time, nowMs, precision = 'minute') => formatAgo(time, { nowMs, language, precision }),
      clock: (timeMs, nowMs) => formatClock(timeMs, { nowMs, language }),
      duration: (durationMs) => formatDuration(durationMs, language),
      list: (names) => formatList(names, language),
      few: (names, most, count = names.length) => formatFew(names, language, { most, count }),
    }),
    [language],
  )
}
