import type { ApiKey } from '../../access/api-key.ts'
import type { ShownStatus } from '../../access/key-list.ts'
import { subscriptionStatus } from '../../access/subscription.ts'
import { formatUsd } from '../../core/money.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { leftOf, type SubscriptionState } from '../../entitlement/key-funds.ts'

/** A key as the contract's JSON writes it; `names` puts names to the ids in it. */
export function keyOnWire(
  key: ApiKey,
  names: { account: string; group: (id: string) => string; status: ShownStatus | 'deleted' },
) {
  return {
    id: key.id,
    account_id: key.accountId,
    account: names.account,
    ...settingsOnWire(key, names.group),
    status: names.status,
    secret_start: key.secretStart,
    secret_end: key.secretEnd,
    created_at: timeOnWire(key.createdAt),
    managed: key.isManaged,
    playground: key.isForPlayground === true,
  }
}

/** A subscription with the use of each of its windows. */
export function subscriptionOnWire(
  { subscription, windows }: SubscriptionState,
  more: { group: (id: string) => string; nowMs: number },
) {
  return {
    id: subscription.id,
    account_id: subscription.accountId,
    plan: subscription.planName,
    status: subscriptionStatus(subscription, more.nowMs),
    groups: subscription.groupIds.map(more.group),
    opens_groups: subscription.opensGroups,
    starts_at: timeOnWire(subscription.startsAt),
    ends_at: timeOnWire(subscription.endsAt),
    cancelled_at: timeOrNull(subscription.cancelledAt),
    created_at: timeOnWire(subscription.createdAt),
    quotas: windows.map(({ window, state }) => ({
      window,
      limit: formatUsd(state.limit),
      used: formatUsd(state.used),
      remaining: formatUsd(leftOf(state)),
      reset_at: timeOrNull(state.endsAt),
    })),
  }
}

function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOnWire(ms)
}
