import type { Account, AccountStore } from '../access/account.ts'
import type { KeyWithOwner } from '../access/api-key.ts'
import { limitsInForce, type LimitSources } from '../access/limits-in-force.ts'
import type { SubscriptionStore } from '../access/subscription.ts'
import type { AccountLimits } from '../core/account-limits.ts'

/** The limits that hold for an account now, whatever set them. Rejects with what the database said. */
export async function readLimits(
  { id, limits, raise }: Pick<Account, 'id' | 'limits' | 'raise'>,
  stores: {
    readonly accounts: Pick<AccountStore, 'standardLimits'>
    readonly subscriptions: Pick<SubscriptionStore, 'live'>
  },
  nowMs: number,
): Promise<AccountLimits> {
  const [standard, live] = await Promise.all([stores.accounts.standardLimits(), stores.subscriptions.live(id, nowMs)])
  const sources = { own: limits, standard: standard ?? undefined, ...(raise === undefined ? {} : { raise }) }
  return limitsInForce(sources, live, nowMs)
}

/** The owner of a request, as far as its limits are concerned. */
type LimitedOwner = Pick<KeyWithOwner, 'limiting' | 'subscriptions'>

interface LimitsSpan {
  readonly limits: AccountLimits
  /** Epoch milliseconds: from one, until the other. */
  readonly fromMs: number
  readonly untilMs: number
}

/** The limits that held last for each caller in memory: they change with nothing but time until it is read anew. */
const spans = new WeakMap<LimitSources, LimitsSpan>()

/** The limits of a caller's account at this moment; null: it has none. Every request asks this. `nowMs`: epoch milliseconds. */
export function accountLimitsAt({ limiting, subscriptions }: LimitedOwner, nowMs: number): AccountLimits | null {
  if (limiting === undefined) return null
  const known = spans.get(limiting)
  if (known !== undefined && known.fromMs <= nowMs && nowMs < known.untilMs) return known.limits
  const turns = subscriptions.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
  if (limiting.raise !== undefined) turns.push(limiting.raise.endsAt)
  const span: LimitsSpan = {
    limits: limitsInForce(limiting, subscriptions, nowMs),
    fromMs: Math.max(-Infinity, ...turns.filter((at) => at <= nowMs)),
    untilMs: Math.min(Infinity, ...turns.filter((at) => at > nowMs)),
  }
  spans.set(limiting, span)
  return span.limits
}
