import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { type Subscription, subscriptionStatus } from '../../access/subscription.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { BudgetState } from '../../metering/budgets/budget.ts'
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
export function keyOnWire(key: ApiKey, names: { account: string; group: (id: string) => string; nowMs: number }) {
  return {
    id: key.id,
    account_id: key.accountId,
    account: names.account,
    name: key.name,
    group: names.group(key.groupId),
    fallback_groups: key.fallbackGroupIds.map(names.group),
    status: shownStatus(key, names.nowMs),
    expires_at: timeOrNull(key.expiresAt),
    quota_limit: key.quotaLimit === null ? null : formatUsd(key.quotaLimit),
    quota_reset: key.quotaReset,
    rate_limit:
      key.rateLimit === null
        ? null
        : {
            concurrency: key.rateLimit.concurrency,
            requests_per_minute: key.rateLimit.requestsPerMinute,
            tokens_per_minute: key.rateLimit.tokensPerMinute,
            spend: key.rateLimit.spend.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
          },
    allowed_models: key.allowedModels,
    allowed_ips: key.allowedIps,
    secret_start: key.secretStart,
    secret_end: key.secretEnd,
    created_at: timeOnWire(key.createdAt),
    managed: key.isManaged,
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
    days: plan.days,
    price: formatUsd(plan.price),
    quotas: plan.quotas.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
    managed: plan.isManaged,
  }
}

/** `windows`: how each of its quotas stands, in their order. */
export function subscriptionOnWire(
  subscription: Subscription,
  more: { windows: readonly BudgetState[]; group: (id: string) => string; nowMs: number },
) {
  return {
    id: subscription.id,
    account_id: subscription.accountId,
    plan: subscription.planName,
    status: subscriptionStatus(subscription, more.nowMs),
    groups: subscription.groupIds.map(more.group),
    starts_at: timeOnWire(subscription.startsAt),
    ends_at: timeOnWire(subscription.endsAt),
    cancelled_at: timeOrNull(subscription.cancelledAt),
    created_at: timeOnWire(subscription.createdAt),
    quotas: subscription.quotas.map(({ window, usd }, i) => {
      const used = more.windows[i]?.used ?? nanoUsd(0n)
      const reset_at = timeOrNull(more.windows[i]?.endsAt ?? null)
      const remaining = nanoUsd(usd > used ? usd - used : 0n)
      return { window, limit: formatUsd(usd), used: formatUsd(used), remaining: formatUsd(remaining), reset_at }
    }),
  }
}

/** `redeemedBy`: the email address of whoever redeemed it. */
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

/** `expired` is derived: nothing changes in the database when the time comes. */
function shownStatus({ status, expiresAt }: ApiKey, nowMs: number): string {
  return status === 'active' && expiresAt !== null && nowMs >= expiresAt ? 'expired' : status
}

function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOnWire(ms)
}
