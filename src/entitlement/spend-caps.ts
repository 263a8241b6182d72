import type { KeyWithOwner } from '../access/api-key.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import { windowMs } from '../core/quota-window.ts'
import type { KeyFunds, WindowState } from './key-funds.ts'
import type { BudgetState } from '../metering/budgets/budget.ts'

/** What bounds the spending of a key until a moment: its quota, a window of its own, its account's or a subscription's. */
export interface SpendCap {
  /** The name of its period, in the words of Claude Code where it has one. */
  readonly period: string
  readonly limit: NanoUsd
  /** Settled: what runs is not in it. */
  readonly used: NanoUsd
  /** Epoch milliseconds, to the second. */
  readonly resetsAt: number
}

/** The caps of a key that start anew. A balance, and a quota that never does, are not among them: they have no reset to show. */
export function spendCaps({ key }: KeyWithOwner, funds: KeyFunds, nowMs: number): readonly SpendCap[] {
  const { quota, spend, accountSpend, subscriptions } = funds
  const ofQuota = quota === null || quota.endsAt === null ? [] : [cap(key.quotaReset, quota, quota.endsAt)]
  const windows = [...spend, ...accountSpend, ...subscriptions.flatMap((each) => each.windows)]
  return [...ofQuota, ...windows.flatMap((each) => capOfWindow(each, nowMs))]
}

/** The cap to show of several: the fullest, or of those that are used up the one that resets last; null: there is none. */
export function fullestCap(caps: readonly SpendCap[]): SpendCap | null {
  return caps.reduce<SpendCap | null>((shown, each) => (shown === null || isBefore(each, shown) ? each : shown), null)
}

/** How much of a cap is used: two decimals, rounded down, and below 1 while anything is left. */
export function usedShare({ used, limit }: SpendCap): number {
  if (limit <= ZERO_NANO_USD) return 1
  const hundredths = (used * 100n) / limit
  return Number(hundredths > 100n ? 100n : hundredths) / 100
}

export function isUsedUp({ used, limit }: SpendCap): boolean {
  return used >= limit
}

function isBefore(one: SpendCap, other: SpendCap): boolean {
  if (isUsedUp(one) !== isUsedUp(other)) return isUsedUp(one)
  if (isUsedUp(one)) return one.resetsAt > other.resetsAt
  return one.used * other.limit > other.used * one.limit
}

/** A window that has not opened yet resets as if it opened now. */
function capOfWindow({ window, state }: WindowState, nowMs: number): readonly SpendCap[] {
  if (state.endsAt === null && window === 'term') return []
  return [cap(PERIODS[window] ?? window, state, state.endsAt ?? nowMs + (window === 'term' ? 0 : windowMs(window)))]
}

const PERIODS: Readonly<Record<string, string>> = { '1d': 'daily', '7d': 'weekly', '30d': 'monthly' }

function cap(period: string, { limit, used }: BudgetState, resetsAt: number): SpendCap {
  return { period, limit, used, resetsAt: Math.floor(resetsAt / 1000) * 1000 }
}
