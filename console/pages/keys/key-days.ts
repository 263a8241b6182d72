import type { KeyReport } from '../../../src/contract/key-report.ts'

type KeyDay = KeyReport['days'][number]

/** The number of days that the API returns. */
export const KEY_DAYS = 30

const DAY_MS = 86_400_000

/** What was used in the day that runs; undefined: nothing. `nowMs`: epoch milliseconds. */
export function todayOf(days: readonly KeyDay[], nowMs: number): KeyDay | undefined {
  const last = days.at(-1)
  const isToday = last !== undefined && nowMs - Date.parse(last.at) < DAY_MS
  return isToday ? last : undefined
}
