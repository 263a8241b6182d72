import type { KeyWithOwner } from '../access/api-key.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import { windowMs } from '../core/quota-window.ts'
import type { KeyFunds, WindowState } from './key-funds.ts'
import type { Budget, BudgetState } from '../metering/budgets/budget.ts'
import type { Funding } from './funding.ts'

/** How much of a cap is used, and when it starts anew. */
export interface CapFigures {
  readonly limit: NanoUsd
  /** Settled: what runs is not in it. */
  readonly used: NanoUsd
  /** Epoch milliseconds, to the second. */
  readonly resetsAt: number
}

/** What bounds the spending of a key until a moment: its quota, a window of its own, its account's or a subscription's. */
export interface SpendCap extends CapFigures {
  /** The name of its period, in the words of Claude Code where it has one. */
  readonly period: string
}

/** What a node knows of a budget without asking: null where it knows nothing yet. */
export interface KnownBudget {
  readonly used: NanoUsd | null
  /** When its window ends; epoch milliseconds. */
  readonly resetsAt: number | null
}

/** The caps of a key that start anew. A balance, and a quota that never does, are not among them: they have no reset to show. */
export function spendCaps({ key }: KeyWithOwner, funds: KeyFunds, nowMs: number): readonly SpendCap[] {
  const { quota, spend, accountSpend, subscriptions } = funds
  const ofQuota = quota === null || quota.endsAt === null ? [] : [cap(key.quotaReset, quota, quota.endsAt)]
  const windows = [...spend, ...accountSpend, ...subscriptions.flatMap((each) => each.windows)]
  return [...ofQuota, ...windows.flatMap((each) => capOfWindow(each, nowMs))]
}

/** The cap to show of several: the fullest, or of those that are used up the one that resets last; null: there is none. */
export function fullestCap<Cap extends CapFigures>(caps: readonly Cap[]): Cap | null {
  return caps.reduce<Cap | null>((shown, each) => (shown === null || isBefore(each, shown) ? each : shown), null)
}

/** How much of a cap is used: two decimals, rounded down, and below 1 while anything is left. */
export function usedShare({ used, limit }: CapFigures): number {
  if (limit <= ZERO_NANO_USD) return 1
  const hundredths = (used * 100n) / limit
  return Number(hundredths > 100n ? 100n : hundredths) / 100
}

export function isUsedUp({ used, limit }: CapFigures): boolean {
  return used >= limit
}

/** The shares of a cap at whose passing its user is warned, the highest first. */
const WARNED_AT = [95, 75] as const

/** The last of them that was passed; null: none. */
export function passedThreshold({ used, limit }: CapFigures): 0.95 | 0.75 | null {
  const passed = WARNED_AT.find((percent) => used * 100n > limit * BigInt(percent))
  return passed === undefined ? null : passed === 95 ? 0.95 : 0.75
}

/**
 * The caps of a request as a node knows them: those of which it knows nothing yet are left out. Of the subscriptions that may pay,
 * it knows those that it drew on or found used up.
 */
export function knownCaps(
  { caps, sources }: Funding,
  known: (budget: Budget) => KnownBudget,
  nowMs: number,
): readonly CapFigures[] {
  const found: CapFigures[] = []
  const note = (budget: Budget) => {
    const { openingLimit: limit, window, endsAt } = budget
    if (limit === null || (window === null && endsAt === null)) return
    const { used, resetsAt } = known(budget)
    const ends = endsAt ?? resetsAt ?? nowMs + (window === null ? 0 : windowMs(window))
    if (used !== null) found.push({ limit, used, resetsAt: toSecond(ends) })
  }
  caps.forEach(note)
  for (const { budgets } of sources) budgets.forEach(note)
  return found
}

function isBefore(one: CapFigures, other: CapFigures): boolean {
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
  return { period, limit, used, resetsAt: toSecond(resetsAt) }
}

function toSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
