import type { ApiKey, KeyWithOwner } from '../access/api-key.ts'
import { payingSubscriptions, type Subscription } from '../access/subscription.ts'
import type { AccountLimits } from '../core/account-limits.ts'
import { quotaPeriod, type QuotaReset } from '../core/quota-period.ts'
import type { FundingSource } from '../metering/admission/admission-request.ts'
import { accountLimitsAt } from './account-limits.ts'
import {
  accountSpendBudget,
  balanceBudget,
  type Budget,
  keyQuotaBudget,
  keyQuotaBudgetId,
  keySpendBudget,
  subscriptionBudget,
} from '../metering/budgets/budget.ts'

/** The quota of a key in the period that runs; null: it has none. `nowMs`: epoch milliseconds. */
export function quotaBudgetOf(key: Pick<ApiKey, 'id' | 'quotaLimit' | 'quotaReset'>, nowMs: number): Budget | null {
  if (key.quotaLimit === null) return null
  const { startsAt, endsAt } = quotaPeriod(key.quotaReset, nowMs)
  return keyQuotaBudget(key.id, key.quotaLimit, { reset: key.quotaReset, startsAt, endsAt })
}

/** The id of that budget, for a key whose row alone is known. */
export function quotaBudgetIdOf(keyId: string, reset: QuotaReset, nowMs: number): string {
  return keyQuotaBudgetId(keyId, { reset, ...quotaPeriod(reset, nowMs) })
}

/** What a key may spend in each of its windows. */
export function spendBudgetsOf(key: Pick<ApiKey, 'id' | 'rateLimit'>): readonly Budget[] {
  const spend = key.rateLimit?.spend ?? []
  return spend.map(({ window, usd }) => keySpendBudget(key.id, usd, window))
}

/** What holds and what pays a request in a group: every cap has to hold all of its cost, the first source that can pays it. */
export interface Funding {
  readonly caps: readonly Budget[]
  readonly sources: readonly FundingSource[]
}

/** The funding of a caller's request in this group. `nowMs`: epoch milliseconds. */
export function fundingOf(
  caller: Pick<KeyWithOwner, 'key' | 'account' | 'subscriptions' | 'limiting'>,
  groupId: string,
  nowMs: number,
): Funding {
  const sources = sourcesOf(caller.account.id, payingSubscriptions(caller, groupId, nowMs))
  return { caps: capsOf(caller, nowMs), sources }
}

/** What the account of these limits may spend in each of their windows. */
export function accountSpendBudgetsOf(accountId: string, limits: AccountLimits | null): readonly Budget[] {
  return limits === null ? [] : limits.spend.map(({ window, usd }) => accountSpendBudget(accountId, usd, window))
}

/** What must hold the whole cost of a key's request, regardless of who pays it. */
function capsOf(caller: Parameters<typeof fundingOf>[0], nowMs: number): readonly Budget[] {
  const { key, account } = caller
  // Every request asks this: one list, and none between.
  const caps: Budget[] = []
  if (key.rateLimit !== null) {
    for (const { window, usd } of key.rateLimit.spend) caps.push(keySpendBudget(key.id, usd, window))
  }
  const quota = quotaBudgetOf(key, nowMs)
  if (quota !== null) caps.push(quota)
  if (caller.limiting !== undefined) caps.push(...accountSpendBudgetsOf(account.id, accountLimitsAt(caller, nowMs)))
  return caps
}

/** What a subscription pays in each of its windows; none: it pays for everything. */
export function windowBudgetsOf({ id, quotas }: Pick<Subscription, 'id' | 'quotas'>): readonly Budget[] {
  return quotas.map(({ window, usd }) => subscriptionBudget(id, usd, window))
}

/** Who may pay for an account's request, in order: the subscriptions that cover it, then the balance. */
function sourcesOf(accountId: string, subscriptions: readonly Subscription[]): readonly FundingSource[] {
  const balance = { subscriptionId: null, budgets: [balanceBudget(accountId)] }
  if (subscriptions.length === 0) return [balance]
  return [...subscriptions.map((each) => ({ subscriptionId: each.id, budgets: windowBudgetsOf(each) })), balance]
}
