import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import { type Subscription, subscriptionStatus } from '../../access/subscription.ts'
import type { SubscriptionView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import { readSubscriptions, type SubscriptionState } from '../../entitlement/key-funds.ts'
import { isForSale, type Plan } from '../../metering/funds/plan.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** Subscriptions with how each of their windows stands, read in one go. `groupName` puts names to the ids of groups. */
export async function subscriptionViews(
  subscriptions: readonly Subscription[],
  using: {
    readonly budgets: BudgetStore
    readonly plans: readonly Pick<Plan, 'id' | 'price'>[]
    groupName(id: string): string
    readonly nowMs: number
  },
): Promise<SubscriptionView[]> {
  const states = await readSubscriptions(subscriptions, using.budgets, using.nowMs)
  return states.map((state) => subscriptionView(state, using))
}

function subscriptionView(
  { subscription, windows }: SubscriptionState,
  using: {
    readonly plans: readonly Pick<Plan, 'id' | 'price'>[]
    groupName(id: string): string
    readonly nowMs: number
  },
): SubscriptionView {
  const plan = using.plans.find(({ id }) => id === subscription.planId)
  return {
    id: subscription.id,
    plan: subscription.planName,
    groups: subscription.groupIds.map(using.groupName),
    status: subscriptionStatus(subscription, using.nowMs),
    starts_at: timeOnWire(subscription.startsAt),
    ends_at: timeOnWire(subscription.endsAt),
    cancelled_at: timeOrNull(subscription.cancelledAt),
    quotas: windows.map(({ window, state }) => ({
      window,
      limit: formatUsd(state.limit),
      used: formatUsd(state.used),
      resets_at: timeOrNull(state.endsAt),
    })),
    limits: setLimitsOnWire(subscription.limits),
    renews_up_to: subscription.renewsUpTo === undefined ? null : formatUsd(subscription.renewsUpTo),
    plan_price: plan === undefined || !isForSale(plan) ? null : formatUsd(plan.price),
  }
}
