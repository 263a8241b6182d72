import type { KeyWithOwner } from '../access/api-key.ts'
import { stopOf } from '../access/key-stop.ts'
import { limitsInForce } from '../access/limits-in-force.ts'
import { explainedFault } from '../causes/explained-fault.ts'
import { closedCount } from '../core/counted-limits.ts'
import type { FaultFacts } from '../core/fact-values.ts'
import type { Fault } from '../core/faults.ts'
import { formatUsd } from '../core/money.ts'
import { utcTime } from '../core/utc-time.ts'
import { type Moment, refusalOfAll, usableGroups } from './callable-models.ts'
import { type KeyFunds, leftOf, leftOfSubscription, type WindowState } from './key-funds.ts'

/**
 * The Fault that every request of this key would meet now, whatever it asked for; null: there is none. Its own state and its
 * owner's come first, then its groups and models, its limits of 0, and its money. Other limits by the minute are left out: they
 * pass by themselves.
 */
export function verdictOn(of: KeyWithOwner, funds: KeyFunds, moment: Moment): Fault | null {
  return (
    stopOf(of, moment.nowMs) ?? refusalOfAll(of, moment) ?? closureOf(of, moment.nowMs) ?? shortageOf(of, funds, moment)
  )
}

function closureOf({ key, limiting, subscriptions }: KeyWithOwner, nowMs: number): Fault | null {
  const ofAccount = limiting === undefined ? null : limitsInForce(limiting, subscriptions, nowMs)
  for (const [scope, limits] of [
    ['key', key.rateLimit],
    ['account', ofAccount],
  ] as const) {
    const limit = limits === null ? undefined : closedCount(limits)
    if (limit !== undefined) return explainedFault('rate_limited', { limit, scope, max: 0, used: 0 })
  }
  return null
}

function shortageOf(
  of: KeyWithOwner,
  { quota, spend, accountSpend, balance, subscriptions }: KeyFunds,
  moment: Moment,
): Fault | null {
  const groups = usableGroups(of, moment)
  // What costs nothing needs no money.
  if (groups.every((group) => group.multiplier === 0n)) return null
  if (quota !== null && leftOf(quota) === 0n) {
    return explainedFault('key_quota_exhausted', { limit_usd: formatUsd(quota.limit), ...resetOf(quota.endsAt) })
  }
  const spent = spend.find(({ state }) => leftOf(state) === 0n)
  if (spent !== undefined) {
    return spendingFault('key', spent)
  }
  const spentByAll = accountSpend.find(({ state }) => leftOf(state) === 0n)
  if (spentByAll !== undefined) {
    return spendingFault('account', spentByAll)
  }
  const payers = subscriptions.filter(({ subscription }) => groups.some(({ id }) => subscription.groupIds.includes(id)))
  if (balance > 0n || payers.some((each) => leftOfSubscription(each) !== 0n)) return null
  if (payers.length === 0) return explainedFault('balance_exhausted', { left_usd: '0' })
  const resets = payers.flatMap(({ windows }) => windows.map(({ state }) => state.endsAt ?? Infinity))
  const first = Math.min(...resets)
  return explainedFault('subscription_quota_exhausted', {
    left_usd: '0',
    ...resetOf(Number.isFinite(first) ? first : null),
  })
}

function spendingFault(scope: 'key' | 'account', { window, state }: WindowState): Fault {
  const limit = formatUsd(state.limit)
  return explainedFault('rate_limited', {
    limit: 'spend',
    scope,
    limit_usd: limit,
    ...(window === null ? {} : { window }),
    ...resetOf(state.endsAt),
  })
}

function resetOf(endsAt: number | null): Pick<FaultFacts, 'resets_at'> {
  return endsAt === null ? {} : { resets_at: utcTime(endsAt) }
}
