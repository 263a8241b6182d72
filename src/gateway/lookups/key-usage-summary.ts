import type { KeyWithOwner } from '../../access/api-key.ts'
import { isRunning, type Subscription } from '../../access/subscription.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import type { QuotaWindow } from '../../core/quota-window.ts'
import {
  balanceBudget,
  type Budget,
  type BudgetState,
  type BudgetStore,
  keyQuotaBudget,
  keySpendBudget,
  subscriptionBudget,
} from '../../metering/budgets/budget.ts'
import type { KeyLimits, LimitState } from '../../metering/limits/key-limits.ts'
import type { UsageStore, UsageTotals } from '../../metering/usage/usage-store.ts'
import { namedGroups, type Snapshot } from '../snapshot.ts'

/** How an API key stands at one moment: what it used, what is left of everything that limits it. */
export interface KeyUsageSummary {
  /** May be below zero. */
  readonly balance: NanoUsd
  /** In the period that runs; null: unlimited. */
  readonly quota: BudgetState | null
  readonly spend: readonly WindowState[]
  /** The running ones that pay for a group of this key, in the order in which they are drawn. */
  readonly subscriptions: readonly SubscriptionState[]
  readonly counted: readonly LimitState[]
  /** Since midnight, UTC. */
  readonly today: UsageTotals
  readonly ever: UsageTotals
}

export interface WindowState {
  readonly window: QuotaWindow
  readonly state: BudgetState
}

export interface SubscriptionState {
  readonly subscription: Subscription
  /** Empty: it pays for everything. */
  readonly windows: readonly WindowState[]
}

/** Where a summary is read. */
export interface SummaryParts {
  readonly budgets: BudgetStore
  readonly usage: Pick<UsageStore, 'record' | 'totalsOfKey'>
  readonly keyLimits: KeyLimits
  snapshot(): Snapshot
}

const DAY_MS = 86_400_000

/** Rejects with what the database said. `nowMs`: epoch milliseconds. */
export async function readUsageSummary(
  caller: KeyWithOwner,
  parts: SummaryParts,
  nowMs: number,
): Promise<KeyUsageSummary> {
  const { key, account } = caller
  const balance = balanceBudget(account.id)
  const quota =
    key.quotaLimit === null
      ? null
      : keyQuotaBudget(key.id, key.quotaLimit, { reset: key.quotaReset, ...quotaPeriod(key.quotaReset, nowMs) })
  const spend = (key.rateLimit?.spend ?? []).map(({ window, usd }) => keySpendBudget(key.id, usd, window))
  const paying = payingFor(caller, parts.snapshot(), nowMs).map((subscription) => ({
    subscription,
    budgets: subscription.quotas.map(({ window, usd }) => subscriptionBudget(subscription.id, usd, window)),
  }))
  const budgets = [balance, ...(quota === null ? [] : [quota]), ...spend, ...paying.flatMap((each) => each.budgets)]
  const [states, totals] = await Promise.all([
    parts.budgets.states(budgets, nowMs),
    parts.usage.totalsOfKey(key.id, Math.floor(nowMs / DAY_MS) * DAY_MS),
  ])
  const stateById = new Map(budgets.map((budget, index) => [budget.id, states[index] ?? UNUSED]))
  const stateOf = (budget: Budget): BudgetState => stateById.get(budget.id) ?? UNUSED
  const inWindow = (budget: Budget): readonly WindowState[] =>
    budget.window === null ? [] : [{ window: budget.window, state: stateOf(budget) }]
  return {
    balance: nanoUsd(stateOf(balance).limit - stateOf(balance).used),
    quota: quota === null ? null : stateOf(quota),
    spend: spend.flatMap(inWindow),
    subscriptions: paying.map((each) => ({
      subscription: each.subscription,
      windows: each.budgets.flatMap(inWindow),
    })),
    counted: parts.keyLimits.states(key),
    today: totals.since,
    ever: totals.ever,
  }
}

const UNUSED: BudgetState = { limit: ZERO_NANO_USD, used: ZERO_NANO_USD, held: ZERO_NANO_USD, endsAt: null }

/** Disabled groups count as well: what pays for them is listed, though nothing is served. */
function payingFor(caller: KeyWithOwner, snapshot: Snapshot, nowMs: number): readonly Subscription[] {
  const groups = namedGroups(caller.key, snapshot)
  return caller.subscriptions.filter(
    (each) => isRunning(each, nowMs) && groups.some((group) => each.groupIds.includes(group.id)),
  )
}

/** What may still be spent of a budget. What leases hold is not spent, and comes back where it is not needed. */
export function leftOf({ limit, used }: BudgetState): NanoUsd {
  return atLeastNothing(nanoUsd(limit - used))
}

/** What a subscription still pays for now: the least that is left in one of its windows. null: everything. */
export function leftOfSubscription({ windows }: SubscriptionState): NanoUsd | null {
  return least(windows.map(({ state }) => leftOf(state)))
}

/** What subscriptions and balance together pay for now; null: everything. */
export function fundsOf({ balance, subscriptions }: KeyUsageSummary): NanoUsd | null {
  let funds: bigint = atLeastNothing(balance)
  for (const subscription of subscriptions) {
    const left = leftOfSubscription(subscription)
    if (left === null) return null
    funds += left
  }
  return nanoUsd(funds)
}

/** What the key may spend now: the least of its funds, its quota and its spend windows. null: no end to it. */
export function remainingFor(summary: KeyUsageSummary): NanoUsd | null {
  const funds = fundsOf(summary)
  const caps = summary.spend.map(({ state }) => leftOf(state))
  if (summary.quota !== null) caps.push(leftOf(summary.quota))
  return least(funds === null ? caps : [...caps, funds])
}

function least(amounts: readonly NanoUsd[]): NanoUsd | null {
  return amounts.reduce<NanoUsd | null>((so, amount) => (so === null || amount < so ? amount : so), null)
}

function atLeastNothing(amount: NanoUsd): NanoUsd {
  return amount > 0n ? amount : ZERO_NANO_USD
}
