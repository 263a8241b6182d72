import type { Fault } from '../core/faults.ts'
import type { QuotaWindow } from '../core/quota-window.ts'

/**
 * How a signed-in Claude Code is refused where a cap on spending is used up: in the shape of its own gateway (2.1.332,
 * `GET /protocol`), of which it prints the sentence alone. With `representative-claim` or `overage-status` it would write one of
 * its own in place of ours. null: the fault is not of a cap, or of one that never resets.
 */
export function capRefusal(fault: Fault): { readonly headers: Record<string, string> } | null {
  const { resets_at: resetsAt, limit, wait_s: waitSeconds, window } = fault.details.facts ?? {}
  const isCap =
    fault.code === 'key_quota_exhausted' ||
    fault.code === 'subscription_quota_exhausted' ||
    (fault.code === 'rate_limited' && limit === 'spend')
  if (!isCap || resetsAt === undefined) return null
  const reset = String(Math.floor(Date.parse(resetsAt) / 1000))
  return {
    headers: {
      'retry-after': String(Math.max(1, waitSeconds ?? 1)),
      'x-should-retry': 'false',
      [`${UNIFIED}-status`]: 'rejected',
      [`${UNIFIED}-reset`]: reset,
      [`${UNIFIED}-overage-reset`]: reset,
      [`${UNIFIED}-overage-utilization`]: '1',
      [`${UNIFIED}-overage-surpassed-threshold`]: '1',
      [`${UNIFIED}-overage-period`]: PERIODS[window ?? ''] ?? 'monthly',
      [`${UNIFIED}-overage-disabled-reason`]: 'org_spend_cap_reached',
    },
  }
}

export const CAP_REFUSAL_STATUS = 429
export const CAP_REFUSAL_TYPE = 'billing_error'

const UNIFIED = 'anthropic-ratelimit-unified'
/** The nearest of the three that the client knows; it shows none of them. */
const PERIODS: Readonly<Record<string, string>> = {
  '5h': 'daily',
  '1d': 'daily',
  '7d': 'weekly',
  '30d': 'monthly',
} satisfies Record<QuotaWindow, string>
