import type { KeyReport } from '../../contract/key-report.ts'
import { countedLimitFacts } from '../../core/counted-limits.ts'
import { formatUsd } from '../../core/money.ts'
import type { RateLimit } from '../../access/key-settings.ts'
import type { BudgetState } from '../../metering/budgets/budget.ts'
import type { LimitState } from '../../metering/limits/limit-terms.ts'
import type { UsageBucket } from '../../metering/usage/usage-summary.ts'
import type { UsageTotals } from '../../metering/usage/usage-totals.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** How full the limits of a key are. `spend`: the states of its windows, in their order. */
export function limitsOnWire(
  { rateLimit }: { readonly rateLimit: RateLimit | null },
  states: {
    readonly counted: readonly LimitState[]
    readonly quota: BudgetState | null
    readonly spend: readonly BudgetState[]
  },
): KeyReport['limits'] {
  return {
    counted: states.counted.map(({ limit, max, used }) => ({
      type: countedLimitFacts(limit).field,
      used: Math.ceil(used),
      limit: max,
    })),
    quota: states.quota === null ? null : amountsOf(states.quota),
    spend: (rateLimit?.spend ?? []).flatMap(({ window }, at) => {
      const state = states.spend[at]
      return state === undefined ? [] : [{ window, ...amountsOf(state) }]
    }),
  }
}

/** A day of a key's use. */
export function usageOfDay({ startsAt, totals }: UsageBucket): KeyReport['days'][number] {
  return { at: timeOnWire(startsAt), ...figuresOf(totals) }
}

export function figuresOf({ requests, failed, cost }: UsageTotals): KeyReport['ever'] {
  return { requests, failed, cost: formatUsd(cost) }
}

function amountsOf({ used, limit, endsAt }: BudgetState) {
  return { used: formatUsd(used), limit: formatUsd(limit), resets_at: timeOrNull(endsAt) }
}
