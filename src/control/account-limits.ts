import { accountLimitsOnWire, type SentLimits, setLimitsOf } from '../access/account-limits-on-wire.ts'
import type { Account } from '../access/account.ts'
import type { LimitsReport } from '../contract/account-limits.ts'
import { mostKeys, type SetLimits } from '../core/account-limits.ts'
import { countedLimitFacts } from '../core/counted-limits.ts'
import { formatUsd } from '../core/money.ts'
import { readLimits } from '../entitlement/account-limits.ts'
import { readAccountSpend } from '../entitlement/key-funds.ts'
import { fieldProblem } from './api/problem.ts'
import { timeOrNull } from './api/wire-forms.ts'
import type { ControlParts } from './parts.ts'

/**
 * Limits of an account that were sent, in the form in which objects have them: absent where none is set. `field`: where they
 * stand in the body. Throws Problem where a window stands twice.
 */
export function readSetLimits(sent: SentLimits | null | undefined, field = 'limits'): { readonly limits?: SetLimits } {
  const windows = sent?.spend?.map(({ window }) => window) ?? []
  const twice = windows.findIndex((window, index) => windows.indexOf(window) < index)
  if (twice >= 0) {
    const at = `${field}.spend.${twice}.window`
    throw fieldProblem(at, `${at} takes each window once: put one amount there.`)
  }
  const limits = setLimitsOf(sent)
  return limits === undefined ? {} : { limits }
}

/** The limits that hold for an account now, and how each of them stands. */
export async function limitsReportOf(account: Account, parts: ControlParts, nowMs: number): Promise<LimitsReport> {
  const { store } = parts
  const limits = await readLimits(account, store, nowMs)
  const [spend, keys] = await Promise.all([
    readAccountSpend(account.id, limits, { budgets: store.budgets, nowMs }),
    store.keys.countOf(account.id),
  ])
  return {
    limits: accountLimitsOnWire(limits),
    counted: parts.limitStates({ id: account.id, rateLimit: limits }).map(({ limit, max, used }) => ({
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
