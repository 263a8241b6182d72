import { accountLimitsOnWire, type SentLimits, setLimitsOf } from '../../contract/objects/account-limits.ts'
import type { Account } from '../../access/account.ts'
import type { LimitRaise } from '../../access/limits-in-force.ts'
import type { LimitsReport } from '../../contract/account-limits.ts'
import { mostKeys, type SetLimits } from '../../core/account-limits.ts'
import { countedLimitFacts } from '../../core/counted-limits.ts'
import { formatUsd } from '../../core/money.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import { readAccountSpend } from '../../entitlement/key-funds.ts'
import { fieldProblem } from '../problem.ts'
import { readTime, timeOrNull } from '../api/wire-forms.ts'
import type { ControlParts } from '../parts.ts'

const LONGEST_RAISE_MS = 366 * 86_400_000

/**
 * Limits of an account that were sent, in the form in which objects have them: absent where none is set. `field`: where they
 * stand in the body. Throws Problem where a window stands twice.
 */
export function readSetLimits(sent: SentLimits | null | undefined, field = 'limits'): { readonly limits?: SetLimits } {
  requireEachWindowOnce(sent?.spend ?? [], `${field}.spend`)
  const limits = setLimitsOf(sent)
  return limits === undefined ? {} : { limits }
}

/** `field`: where the amounts stand in the body. Throws Problem where a window stands twice. */
export function requireEachWindowOnce(amounts: readonly { readonly window: string }[], field: string): void {
  const windows = amounts.map(({ window }) => window)
  const twice = windows.findIndex((window, index) => windows.indexOf(window) < index)
  if (twice < 0) return
  const at = `${field}.${twice}.window`
  throw fieldProblem(at, `${at} must name each window once: put one amount there.`)
}

/** A raise that was sent, in the form in which accounts have it: absent where it is taken back. */
export function readRaise(
  sent: { readonly limits: SentLimits; readonly ends_at: string } | null,
  nowMs: number,
): { readonly raise?: LimitRaise } {
  if (sent === null) return {}
  const endsAt = readTime(sent.ends_at)
  if (endsAt <= nowMs) throw fieldProblem('raise.ends_at', 'raise.ends_at must be in the future.')
  if (endsAt > nowMs + LONGEST_RAISE_MS) {
    throw fieldProblem('raise.ends_at', 'raise.ends_at must be within a year: set the limit itself.')
  }
  const { limits } = readSetLimits(sent.limits, 'raise.limits')
  if (limits === undefined) throw fieldProblem('raise.limits', 'raise.limits must have at least one limit.')
  return { raise: { limits, endsAt } }
}

/** The limits that hold for an account now, and how each of them stands. */
export async function limitsReportOf(account: Account, parts: ControlParts, nowMs: number): Promise<LimitsReport> {
  const { store } = parts
  const { raise } = account
  const limits = await readLimits(account, store, nowMs)
  const [spend, keys, counted] = await Promise.all([
    readAccountSpend(account.id, limits, { budgets: store.budgets, nowMs }),
    store.keys.countOf(account.id),
    parts.limitStates({ id: account.id, rateLimit: limits }),
  ])
  return {
    limits: accountLimitsOnWire(limits),
    raised_until: timeOrNull(raise !== undefined && raise.endsAt > nowMs ? raise.endsAt : null),
    counted: counted.map(({ limit, max, used }) => ({
      type: countedLimitFacts(limit).field,
      limit: max,
      used: Math.ceil(used),
    })),
    spend: spend.map(({ window, state }) => ({
      window,
      limit: formatUsd(state.limit),
      used: formatUsd(state.used),
      resets_at: timeOrNull(state.endsAt),
    })),
    keys: { used: keys, limit: mostKeys(limits) },
  }
}
