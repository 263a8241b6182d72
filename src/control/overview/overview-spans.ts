import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/durations.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { TimeSpan } from '../../metering/usage/usage-summary.ts'

const PACE_DAYS = 7

/** A span up to the hour that runs, and the same hours of the span before it. */
export interface SpanPair {
  readonly now: TimeSpan
  readonly before: TimeSpan
}

/** `offsetMinutes`: how far the reader's days begin before those of UTC, taken to the whole hour. */
export function overviewSpans(nowMs: number, offsetMinutes: number) {
  const offsetMs = wholeHours(offsetMinutes)
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS + HOUR_MS
  const dayMs = startOfDays(nowMs, { offsetMinutes, days: 1 })
  const there = new Date(nowMs + offsetMs)
  const monthMs = Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), 1) - offsetMs
  const lastMonthMs = Date.UTC(there.getUTCFullYear(), there.getUTCMonth() - 1, 1) - offsetMs
  const shifted = (fromMs: number, byMs: number): SpanPair => ({
    now: { fromMs, toMs },
    before: { fromMs: fromMs - byMs, toMs: toMs - byMs },
  })
  return {
    today: shifted(dayMs, DAY_MS),
    /** Today and the six days before. */
    week: shifted(dayMs - 6 * DAY_MS, 7 * DAY_MS),
    month: {
      now: { fromMs: monthMs, toMs },
      // The last month may be shorter than this one is old.
      before: { fromMs: lastMonthMs, toMs: Math.min(lastMonthMs + (toMs - monthMs), monthMs) },
    },
    /** The span over which the pace is taken that the balance is spent at. */
    pace: { fromMs: toMs - PACE_DAYS * DAY_MS, toMs },
    /** When the first of the last thirty days begins. */
    daysFromMs: startOfDays(nowMs, { offsetMinutes, days: 30 }),
  }
}

/** When the first of the last `days` days begins, today among them. */
export function startOfDays(
  nowMs: number,
  { offsetMinutes, days }: { readonly offsetMinutes: number; readonly days: number },
): number {
  const offsetMs = wholeHours(offsetMinutes)
  return Math.floor((nowMs + offsetMs) / DAY_MS) * DAY_MS - offsetMs - (days - 1) * DAY_MS
}

function wholeHours(offsetMinutes: number): number {
  return Math.floor((offsetMinutes * MINUTE_MS) / HOUR_MS) * HOUR_MS
}

/** More says no more than “years”. */
const MOST_DAYS = 9_999

/** How fast a balance is spent, and how long it lasts so. `paid`: in the span of the pace; a new account is not as old as that. */
export function balancePace(of: { readonly balance: NanoUsd; readonly paid: NanoUsd; readonly openForMs: number }): {
  readonly per_day: string
  readonly days_left: number | null
} {
  const days = BigInt(Math.min(PACE_DAYS, Math.max(1, Math.ceil(of.openForMs / DAY_MS))))
  const perDay = nanoUsd(of.paid / days)
  if (perDay <= 0n) return { per_day: formatUsd(perDay), days_left: null }
  const left = of.balance <= 0n ? 0n : of.balance / perDay
  return { per_day: formatUsd(perDay), days_left: Number(left > MOST_DAYS ? BigInt(MOST_DAYS) : left) }
}
