import { explainedFault } from '../../causes/explained-fault.ts'
import type { FaultFacts } from '../../core/fact-values.ts'
import type { Fault } from '../../core/faults.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { QuotaWindow } from '../../core/quota-window.ts'
import { utcTime } from '../../core/utc-time.ts'
import type { SpendingAdvice } from './admission-request.ts'
import type { Budget } from '../budgets/budget.ts'
import type { EstimatedTokens, LimitRefusal } from '../limits/limit-terms.ts'

/** What a refused request lacks. */
export interface Shortage {
  readonly needed: NanoUsd
  readonly available: NanoUsd
  readonly limit: NanoUsd
  /** When the period or window ends; null: never, or it has not opened. */
  readonly endsAt: number | null
  readonly window: QuotaWindow | null
  readonly nowMs: number
  readonly advice: SpendingAdvice
}

/** The wait that is announced for a limit that waiting does not help: longer than any client waits. */
const NEVER_SECONDS = 86_400

export function balanceExhausted(shortage: Shortage): Fault {
  return explainedFault('balance_exhausted', { ...amounts(shortage), ...shortage.advice })
}

/** A plan's quota is used up and the balance cannot step in. */
export function subscriptionExhausted(subscription: Shortage, balance: Shortage): Fault {
  const { advice } = balance.available > subscription.available ? balance : subscription
  return explainedFault('subscription_quota_exhausted', {
    ...amounts(subscription),
    ...resetOf(subscription),
    balance_usd: formatUsd(balance.available),
    ...advice,
  })
}

/** A cap of the key: its quota, or what it may spend in a window; or what all keys of its account may spend in one. */
export function capExhausted(budget: Budget, shortage: Shortage): Fault {
  const { endsAt, nowMs, advice } = shortage
  const facts = { ...amounts(shortage), ...resetOf(shortage), limit_usd: formatUsd(shortage.limit), ...advice }
  if (budget.kind === 'key_quota') return explainedFault('key_quota_exhausted', facts)
  const scope = budget.kind === 'account_spend' ? 'account' : 'key'
  return explainedFault(
    'rate_limited',
    { limit: 'spend', scope, ...facts },
    { retryAfterSeconds: endsAt === null ? NEVER_SECONDS : Math.max(1, Math.ceil((endsAt - nowMs) / 1000)) },
  )
}

/** `of`: whose limit refused it. */
export function limitReached(refusal: LimitRefusal, tokens: EstimatedTokens, of: 'key' | 'account' = 'key'): Fault {
  const { limit, max, used, waitMs, part, nodes } = refusal
  const helps = max > 0 && Number.isFinite(waitMs)
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const facts = {
    limit,
    scope: of,
    max,
    used,
    ...(helps ? { wait_s: seconds } : {}),
    ...(nodes > 1 || limit === 'tokens' ? { part } : {}),
    ...(nodes > 1 ? { nodes } : {}),
    ...(limit === 'tokens' ? { input_tokens: tokens.input, output_tokens: tokens.output } : {}),
  }
  return explainedFault('rate_limited', facts, { retryAfterSeconds: helps ? seconds : NEVER_SECONDS })
}

function amounts({ needed, available }: Shortage): Pick<FaultFacts, 'needed_usd' | 'left_usd'> {
  return { needed_usd: formatUsd(needed), left_usd: formatUsd(available) }
}

/** When there is more again. Without `resets_at` there never is, or not before something of it is spent. */
function resetOf({ endsAt, window, nowMs }: Shortage): Pick<FaultFacts, 'window' | 'resets_at' | 'wait_s'> {
  return {
    ...(window === null ? {} : { window }),
    ...(endsAt === null ? {} : { resets_at: utcTime(endsAt), wait_s: Math.max(1, Math.ceil((endsAt - nowMs) / 1000)) }),
  }
}
