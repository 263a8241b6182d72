import type { KeyReport } from '../../../src/contract/key-report.ts'
import { nanoOf } from '../../format/decimal.ts'

/** How long a quota lasts if it is used as in the last days. `isEnough`: it is reset before that. */
export type QuotaPace =
  | { readonly kind: 'used_up' }
  | { readonly kind: 'lasts'; readonly days: number; readonly endsAt: string; readonly isEnough: boolean }

const PACE_DAYS = 7
const DAY_MS = 86_400_000
/** The most days that are counted; more are said to be years. */
const MOST_DAYS = 999

/**
 * How long the quota lasts at the key's cost of the last seven days, or since it exists. null: nothing was used, so there is no pace, or there is no
 * quota. `nowMs`: epoch milliseconds.
 */
export function quotaPace(
  { key, limits, days }: Pick<KeyReport, 'key' | 'limits' | 'days'>,
  nowMs: number,
): QuotaPace | null {
  const { quota } = limits
  if (quota === null) return null
  const left = nanoOf(quota.limit) - nanoOf(quota.used)
  if (left <= 0n) return { kind: 'used_up' }
  const fromMs = nowMs - PACE_DAYS * DAY_MS
  const spent = days.reduce((sum, day) => (Date.parse(day.at) >= fromMs ? sum + nanoOf(day.cost) : sum), 0n)
  const ageMs = nowMs - Date.parse(key.created_at)
  const counted = BigInt(Math.min(PACE_DAYS, Math.max(1, Math.ceil(ageMs / DAY_MS))))
  if (spent <= 0n) return null
  const lastsMs = Number((left * counted * BigInt(DAY_MS)) / spent)
  const lasts = Math.min(lastsMs, MOST_DAYS * DAY_MS)
  const isEnough = quota.resets_at !== null && nowMs + lasts >= Date.parse(quota.resets_at)
  return { kind: 'lasts', days: Math.floor(lasts / DAY_MS), endsAt: new Date(nowMs + lasts).toISOString(), isEnough }
}
