import type { Fault } from '../core/faults.ts'
import type { QuotaWindow } from '../core/quota-window.ts'
import type { WireFamily } from '../core/wire.ts'

// Written whole: a name that is put together for each answer costs more than the rest of its header.
const STATUS = 'anthropic-ratelimit-unified-status'
const RESET = 'anthropic-ratelimit-unified-reset'
const CLAIM = 'anthropic-ratelimit-unified-representative-claim'
const OVERAGE_STATUS = 'anthropic-ratelimit-unified-overage-status'
const OVERAGE_RESET = 'anthropic-ratelimit-unified-overage-reset'
const UTILIZATION = 'anthropic-ratelimit-unified-overage-utilization'
const THRESHOLD = 'anthropic-ratelimit-unified-overage-surpassed-threshold'

/** A cap on what a signed-in device spends, as its client shows it. */
export interface ShownCap {
  /** How much of it is used: from 0 to 1, with two decimals. */
  readonly share: number
  /** The share at whose passing the client warns, of those that are passed; null: none is. */
  readonly passed: 0.95 | 0.75 | null
  /** Epoch milliseconds. */
  readonly resetsAt: number
}

/**
 * How the cap of an admitted request stands, as response headers: names and values in turn. Claude Code reads them as its own
 * gateway sends them (2.1.332, `GET /protocol`) and says "You've used 82% of your usage credits · resets …" once a share is passed.
 * `overage` is the one claim that it computes no window of its own for. A family that is left out has no such headers.
 */
export const CAP_HEADERS: { readonly [F in WireFamily]?: (cap: ShownCap) => readonly string[] } = {
  anthropic: unifiedHeaders,
}

function unifiedHeaders({ share, passed, resetsAt }: ShownCap): readonly string[] {
  const status = passed === null ? 'allowed' : 'allowed_warning'
  const reset = String(Math.floor(resetsAt / 1000))
  const utilization = String(Math.min(share, MOST_WHILE_ALLOWED))
  const headers = [STATUS, status, CLAIM, 'overage', OVERAGE_STATUS, status, UTILIZATION, utilization]
  headers.push(RESET, reset, OVERAGE_RESET, reset)
  if (passed !== null) headers.push(THRESHOLD, String(passed))
  return headers
}

/** 1 is what a cap has that refuses. */
const MOST_WHILE_ALLOWED = 0.99

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
      [STATUS]: 'rejected',
      [RESET]: reset,
      [OVERAGE_RESET]: reset,
      [UTILIZATION]: '1',
      [THRESHOLD]: '1',
      'anthropic-ratelimit-unified-overage-period': PERIODS[window ?? ''] ?? 'monthly',
      'anthropic-ratelimit-unified-overage-disabled-reason': 'org_spend_cap_reached',
    },
  }
}

export const CAP_REFUSAL_STATUS = 429
export const CAP_REFUSAL_TYPE = 'billing_error'

/** The nearest of the three that the client knows; it shows none of them. */
const PERIODS: Readonly<Record<string, string>> = {
  '5h': 'daily',
  '1d': 'daily',
  '7d': 'weekly',
  '30d': 'monthly',
} satisfies Record<QuotaWindow, string>
