import type { KeyWithOwner } from '../../access/api-key.ts'
import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import { remainingFor } from '../../entitlement/key-funds.ts'
import type { BalanceForm } from '../balance-paths.ts'
import { readUsageSummary, type SummaryParts } from './key-usage-summary.ts'

/**
 * The body: what this key used, and what it may still use, whatever sets its end: its quota, what its account has, a limit of
 * either. Throws Fault `store_unavailable`.
 */
export async function answerBalance(
  form: BalanceForm,
  caller: KeyWithOwner,
  { parts, nowMs }: { readonly parts: SummaryParts; readonly nowMs: number },
): Promise<object> {
  const summary = await readUsageSummary(caller, parts, nowMs)
  const used = summary.quota === null ? summary.ever.cost : summary.quota.used
  const left = remainingFor(summary)
  if (form === 'usage') return { object: 'list', total_usage: usd(nanoUsd(used * CENTS)) }
  return form === 'token' ? tokenOf(caller, { used, left }) : subscriptionOf(caller, { used, left })
}

interface BalanceFigures {
  readonly used: NanoUsd
  /** null: no end to it. */
  readonly left: NanoUsd | null
}

/** What is left is the limit less the usage that the other path says. */
function subscriptionOf({ key }: KeyWithOwner, { used, left }: BalanceFigures): object {
  const limit = left === null ? NO_LIMIT_USD : usd(nanoUsd(used + left))
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: seconds(key.expiresAt),
  }
}

/** The token of a key, in units of these gateways. */
function tokenOf({ key }: KeyWithOwner, { used, left }: BalanceFigures): object {
  return {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: key.name,
      total_granted: units(nanoUsd(used + (left ?? 0n))),
      total_used: units(used),
      total_available: units(left ?? nanoUsd(0n)),
      unlimited_quota: left === null,
      model_limits: Object.fromEntries(key.allowedModels.map((model) => [model, true])),
      model_limits_enabled: key.allowedModels.length > 0,
      expires_at: seconds(key.expiresAt),
    },
  }
}

/** What they say of a key without a limit. */
const NO_LIMIT_USD = 100_000_000
const CENTS = 100n
/** The unit that these gateways begin with: 500,000 for a dollar. */
const NANO_USD_A_UNIT = 2_000n

/** A number, as these clients read nothing else. It is shown, and never counted with. */
function usd(amount: NanoUsd): number {
  const written = formatUsd(amount)
  return JSON.parse(written) as number
}

function units(amount: NanoUsd): number {
  const whole = amount / NANO_USD_A_UNIT
  return Number(whole)
}

/** 0: never. */
function seconds(ms: number | null): number {
  return ms === null ? 0 : Math.floor(ms / 1_000)
}
