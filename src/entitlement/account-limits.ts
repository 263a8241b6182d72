import type { KeyWithOwner } from '../access/api-key.ts'
import { limitsInForce, type LimitSources } from '../access/limits-in-force.ts'
import type { AccountLimits } from '../core/account-limits.ts'

/** The owner of a request, as far as its limits are concerned. */
type Limited = Pick<KeyWithOwner, 'limiting' | 'subscriptions'>

interface Span {
  readonly limits: AccountLimits
  /** Epoch milliseconds: from one, until the other. */
  readonly fromMs: number
  readonly untilMs: number
}

/** Of each caller in memory the limits that held last: they change with nothing but time until it is read anew. */
const spans = new WeakMap<LimitSources, Span>()

/** The limits of a caller's account at this moment; null: it has none. Every request asks this. `nowMs`: epoch milliseconds. */
export function accountLimitsAt({ limiting, subscriptions }: Limited, nowMs: number): AccountLimits | null {
  if (limiting === undefined) return null
  const known = spans.get(limiting)
  if (known !== undefined && known.fromMs <= nowMs && nowMs < known.untilMs) return known.limits
  const turns = subscriptions.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
  const span: Span = {
    limits: limitsInForce(limiting, subscriptions, nowMs),
    fromMs: Math.max(-Infinity, ...turns.filter((at) => at <= nowMs)),
    untilMs: Math.min(Infinity, ...turns.filter((at) => at > nowMs)),
  }
  spans.set(limiting, span)
  return span.limits
}
