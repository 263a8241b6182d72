import type { ApiKey } from '../../access/api-key.ts'
import type { ListedKey } from '../../access/key-list.ts'
import { nanoUsd } from '../../core/money.ts'
import { quotaPeriod } from '../../core/quota-period.ts'
import { shownStatus } from '../../entitlement/key-status.ts'
import type { FoundKey } from './key-page.ts'

/** A key as lists show it. */
export function listedKey(key: ApiKey, found: FoundKey, nowMs: number): ListedKey {
  const { periodUsed } = found
  const hasQuota = key.quotaLimit !== null
  return {
    key,
    status: shownStatus(key, periodUsed, nowMs),
    spentInPeriod: hasQuota ? nanoUsd(periodUsed?.used ?? 0n) : null,
    periodEndsAt: hasQuota ? quotaPeriod(key.quotaReset, nowMs).endsAt : null,
    spentEver: nanoUsd(found.spentEver),
    lastUsedAt: found.lastUsedAt,
  }
}
