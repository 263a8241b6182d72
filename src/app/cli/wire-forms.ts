import type { Account } from '../../access/account.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { formatUsd } from '../../core/money.ts'
import type { NanoUsd } from '../../core/money.ts'

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
    expires_at: key.expiresAt === null ? null : timeOnWire(key.expiresAt),
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

/** `expired` is derived: nothing changes in the database when the time comes. */
function shownStatus({ status, expiresAt }: ApiKey, nowMs: number): string {
  return status === 'active' && expiresAt !== null && nowMs >= expiresAt ? 'expired' : status
}

function timeOnWire(ms: number): string {
  return new Date(ms).toISOString()
}
