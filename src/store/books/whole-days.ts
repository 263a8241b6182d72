import { DAY_MS } from '../../core/durations.ts'
import { dayOf } from './roll-ups.ts'

/** A part of a time, and the sums of keys that it is read from. */
export interface KeySumsRange {
  readonly table: 'usage_days' | 'usage_hours'
  readonly time: 'day_at' | 'hour_at'
  readonly fromMs: number
  readonly toMs: number
}

/** Splits a time of whole hours: whole days are read from the sums of days, what is left at both ends from those of hours. */
export function wholeDays({ fromMs, toMs }: Pick<KeySumsRange, 'fromMs' | 'toMs'>): readonly KeySumsRange[] {
  const firstDay = Math.min(dayOf(fromMs + DAY_MS - 1), toMs)
  const lastDay = Math.max(firstDay, dayOf(toMs))
  const hours = { table: 'usage_hours', time: 'hour_at' } as const
  const ranges: readonly KeySumsRange[] = [
    { ...hours, fromMs, toMs: firstDay },
    { table: 'usage_days', time: 'day_at', fromMs: firstDay, toMs: lastDay },
    { ...hours, fromMs: lastDay, toMs },
  ]
  return ranges.filter((range) => range.fromMs < range.toMs)
}
