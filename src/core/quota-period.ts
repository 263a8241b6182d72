import { DAY_MS } from './durations.ts'

/** How often a key's quota starts anew: calendar periods in UTC; weeks begin on Monday. */
export const QUOTA_RESETS = ['never', 'daily', 'weekly', 'monthly'] as const

export type QuotaReset = (typeof QUOTA_RESETS)[number]

/** The period of a key's quota that contains a moment: calendar, UTC, weeks from Monday. Epoch milliseconds; `endsAt` null for `never`. */
export function quotaPeriod(
  reset: QuotaReset,
  nowMs: number,
): { readonly startsAt: number; readonly endsAt: number | null } {
  const day = Math.floor(nowMs / DAY_MS)
  switch (reset) {
    case 'never':
      return { startsAt: 0, endsAt: null }
    case 'daily':
      return { startsAt: day * DAY_MS, endsAt: (day + 1) * DAY_MS }
    case 'weekly': {
      // 1970-01-01 was a Thursday, three days after a Monday.
      const monday = day - ((day + 3) % 7)
      return { startsAt: monday * DAY_MS, endsAt: (monday + 7) * DAY_MS }
    }
    case 'monthly': {
      const date = new Date(nowMs)
      const year = date.getUTCFullYear()
      const month = date.getUTCMonth()
      return { startsAt: Date.UTC(year, month, 1), endsAt: Date.UTC(year, month + 1, 1) }
    }
  }
}
