import type { ApiKey } from '../../access/api-key.ts'
import type { ListedKey, ShownStatus } from '../../access/key-list.ts'
import { nanoUsd } from '../../core/money.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import type { FoundKey } from './key-page.ts'

/** A key as lists show it. */
export function listedKey(key: ApiKey, found: FoundKey, nowMs: number): ListedKey {
  const { periodUsed } = found
  const hasQuota = key.quotaLimit !== null
  return {
    key,
    status: shownStatus(key, found, nowMs),
    spentInPeriod: hasQuota ? nanoUsd(periodUsed?.used ?? 0n) : null,
    periodEndsAt: hasQuota ? quotaPeriod(key.quotaReset, nowMs).endsAt : null,
    spentEver: nanoUsd(found.spentEver),
    lastUsedAt: found.lastUsedAt,
  }
}

/** The same as the filter by status. */
function shownStatus(key: ApiKey, { periodUsed }: FoundKey, nowMs: number): ShownStatus {
  if (key.status !== 'active') return 'disabled'
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired'
  if (key.quotaLimit === null) return 'active'
  const isUsedUp = key.quotaLimit <= 0n || (periodUsed !== null && periodUsed.used >= periodUsed.limit)
  return isUsedUp ? 'quota_exhausted' : 'active'
}
