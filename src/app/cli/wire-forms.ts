import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import type { ShownStatus } from '../../access/key-list.ts'
import { subscriptionStatus } from '../../access/subscription.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import { settingsOnWire } from '../../access/key-settings.ts'
import { leftOf, type SubscriptionState } from '../../entitlement/key-funds.ts'
import type { LedgerEntry } from '../../metering/funds/ledger.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { RedeemCode } from '../../metering/funds/redeem-code.ts'

/** An account as the contract's JSON writes it. */
export function accountOnWire(account: Account, balance: NanoUsd) {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    status: account.status,
    balance: formatUsd(balance),
    created_at: timeOnWire(account.createdAt),
    managed: account.isManaged,
  }
}

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

export function ledgerEntryOnWire(entry: LedgerEntry) {
  return {
    id: entry.id,
    account_id: entry.accountId,
    created_at: timeOnWire(entry.createdAt),
    kind: entry.kind,
    amount: formatUsd(entry.amount),
    balance_after: formatUsd(entry.balanceAfter),
    request_id: entry.requestId,
    reason: entry.reason,
    actor: entry.actor,
  }
}

export function planOnWire(plan: Plan, group: (id: string) => string) {
  return {
    id: plan.id,
    name: plan.name,
    groups: plan.groupIds.map(group),
    opens_groups: plan.opensGroups,
    days: plan.days,
    price: formatUsd(plan.price),
    quotas: plan.quotas.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
    managed: plan.isManaged,
  }
}

/** A subscription with how each of its windows stands. */
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

/** `redeemedBy`: the email address of the account that redeemed it. */
export function redeemCodeOnWire(code: RedeemCode, more: { redeemedBy: string | null; nowMs: number }) {
  return {
    id: code.id,
    code_start: code.codeStart,
    code_end: code.codeEnd,
    usd: code.grants.kind === 'balance' ? formatUsd(code.grants.amount) : null,
    plan: code.grants.kind === 'plan' ? code.grants.planName : null,
    status: redeemStatus(code, more.nowMs),
    note: code.note,
    created_at: timeOnWire(code.createdAt),
    expires_at: timeOrNull(code.expiresAt),
    redeemed_at: timeOrNull(code.redeemedAt),
    redeemed_by: more.redeemedBy,
  }
}

function redeemStatus({ redeemedAt, expiresAt }: RedeemCode, nowMs: number): string {
  if (redeemedAt !== null) return 'redeemed'
  return expiresAt !== null && nowMs >= expiresAt ? 'expired' : 'open'
}

function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOnWire(ms)
}
