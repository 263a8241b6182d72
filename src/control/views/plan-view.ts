import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import type { Subscription } from '../../access/subscription.ts'
import { isRunning } from '../../access/subscription.ts'
import type { PlanView } from '../../contract/billing.ts'
import { formatUsd } from '../../core/money.ts'
import { versionOf } from '../api/version.ts'
import type { Plan } from '../../metering/funds/plan.ts'

/** `groupName` puts names to the ids of groups. */
export function planView(
  plan: Plan,
  groupName: (id: string) => string,
  { subscriptions, nowMs }: { subscriptions: readonly Subscription[]; nowMs: number },
): PlanView {
  return {
    id: plan.id,
    ...planSettings(plan, groupName),
    subscribed: subscriptions.some((each) => each.planId === plan.id && isRunning(each, nowMs)),
    managed: plan.isManaged,
    version: versionOf(planSettings(plan, groupName)),
  }
}

/** What can be set on a plan, as it is written. */
export function planSettings(plan: Plan, groupName: (id: string) => string) {
  return {
    name: plan.name,
    groups: plan.groupIds.map(groupName),
    days: plan.days,
    price: formatUsd(plan.price),
    quotas: plan.quotas.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
    limits: setLimitsOnWire(plan.limits),
  }
}
