import type { KeyWithOwner } from '../../access/api-key.ts'
import { DAY_MS } from '../../core/durations.ts'
import { storeIsAway } from '../../core/plain-fault.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { type KeyFunds, readFunds } from '../../entitlement/key-funds.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'
import type { KeyLimits } from '../../metering/limits/key-limits.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import type { UsageStore, UsageTotals } from '../../metering/usage/usage-store.ts'
import type { Snapshot } from '../snapshot.ts'

/** How an API key stands at one moment: what it used, what is left of everything that limits it. */
export interface KeyUsageSummary extends KeyFunds {
  readonly counted: readonly LimitState[]
  /** The counts of all keys of its account together. */
  readonly countedOfAccount: readonly LimitState[]
  /** The totals since midnight, UTC. */
  readonly today: UsageTotals
  readonly ever: UsageTotals
}

export interface SummaryParts {
  readonly budgets: BudgetStore
  readonly usage: Pick<UsageStore, 'record' | 'totalsOfKey'>
  readonly keyLimits: KeyLimits
  snapshot(): Snapshot
}

/** Rejects with the Fault `store_unavailable`. `nowMs`: epoch milliseconds. */
export async function readUsageSummary(
  caller: KeyWithOwner,
  parts: SummaryParts,
  nowMs: number,
): Promise<KeyUsageSummary> {
  const { key, account } = caller
  const rateLimit = accountLimitsAt(caller, nowMs)
  const [funds, totals, counted, countedOfAccount] = await Promise.all([
    readFunds(caller, { catalogue: parts.snapshot(), budgets: parts.budgets }, nowMs),
    parts.usage.totalsOfKey(key.id, Math.floor(nowMs / DAY_MS) * DAY_MS),
    parts.keyLimits.statesNow(key),
    parts.keyLimits.statesNow({ id: account.id, rateLimit }),
  ]).catch(storeIsAway)
  return { ...funds, counted, countedOfAccount, today: totals.since, ever: totals.ever }
}
