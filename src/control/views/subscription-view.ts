import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import type { Group } from '../../access/group.ts'
import { type Subscription, subscriptionStatus } from '../../access/subscription.ts'
import type { SubscriptionView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import { readSubscriptions, type SubscriptionState } from '../../entitlement/key-funds.ts'
import { isForSale, type Plan } from '../../metering/funds/plan.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import type { Viewer } from '../catalogue.ts'
import { groupsPaidIn } from './plan-view.ts'

/** Subscriptions with how each of their windows stands, read in one go, as a viewer is shown them. */
export async function subscriptionViews(
  subscriptions: readonly Subscription[],
  using: {
    readonly budgets: BudgetStore
    readonly plans: readonly Pick<Plan, 'id' | 'price'>[]
    readonly groups: readonly Group[]
    readonly viewer: Viewer
    readonly nowMs: number
  },
): Promise<SubscriptionView[]> {
  const { plans, nowMs } = using
  const states = await readSubscriptions(subscriptions, using.budgets, nowMs)
  const groupsOf = groupsPaidIn(using.groups, using.viewer)
  return states.map((state) => subscriptionView(state, { plans, groupsOf, nowMs }))
}

function subscriptionView(
  { subscription, windows }: SubscriptionState,
  using: {
    readonly plans: readonly Pick<Plan, 'id' | 'price'>[]
    groupsOf(subscription: Subscription): string[]
    readonly nowMs: number
  },
): SubscriptionView {
  const plan = using.plans.find(({ id }) => id === subscription.planId)
  return {
    id: subscription.id,
    plan: subscription.planName,
    groups: using.groupsOf(subscription),
    opens_groups: subscription.opensGroups,
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
