import { type Subscription, subscriptionStatus } from '../../access/subscription.ts'
import type { SubscriptionView } from '../../contract/billing.ts'
import { formatUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { type BudgetState, type BudgetStore, subscriptionBudget } from '../../metering/budgets/budget.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** Subscriptions with how each of their windows stands, read in one go. `groupName` puts names to the ids of groups. */
export async function subscriptionViews(
  subscriptions: readonly Subscription[],
  { budgets, groupName, nowMs }: { budgets: BudgetStore; groupName: (id: string) => string; nowMs: number },
): Promise<SubscriptionView[]> {
  const windows = subscriptions.flatMap(({ id, quotas }) =>
    quotas.map(({ window, usd }) => subscriptionBudget(id, usd, window)),
  )
  const states = windows.length === 0 ? [] : await budgets.states(windows, nowMs)
  const stateById = new Map(windows.map(({ id }, index) => [id, states[index]]))
  return subscriptions.map((subscription) =>
    subscriptionView(subscription, {
      stateOf: ({ window, usd }) => stateById.get(subscriptionBudget(subscription.id, usd, window).id),
      groupName,
      nowMs,
    }),
  )
}

function subscriptionView(
  subscription: Subscription,
  using: {
    stateOf(quota: Subscription['quotas'][number]): BudgetState | undefined
    groupName(id: string): string
    nowMs: number
  },
): SubscriptionView {
  return {
    id: subscription.id,
    plan: subscription.planName,
    groups: subscription.groupIds.map(using.groupName),
    status: subscriptionStatus(subscription, using.nowMs),
    starts_at: timeOnWire(subscription.startsAt),
    ends_at: timeOnWire(subscription.endsAt),
    cancelled_at: timeOrNull(subscription.cancelledAt),
    quotas: subscription.quotas.map((quota) => {
      const state = using.stateOf(quota)
      return {
        window: quota.window,
        limit: formatUsd(quota.usd),
        used: formatUsd(state?.used ?? ZERO_NANO_USD),
        resets_at: timeOrNull(state?.endsAt ?? null),
      }
    }),
  }
}
