import type { RateLimit } from '../access/api-key.ts'
import { countsOnWire } from '../core/counted-limits.ts'
import { formatUsd } from '../core/money.ts'
import type { KeySettings } from './key-settings.ts'

/** A key's settings as the contract's JSON writes them; `groupName` puts names to the ids of groups. */
export function settingsOnWire(settings: KeySettings, groupName: (id: string) => string) {
  const { quotaLimit, rateLimit, expiresAt } = settings
  return {
    name: settings.name,
    group: groupName(settings.groupId),
    fallback_groups: settings.fallbackGroupIds.map(groupName),
    quota_limit: quotaLimit === null ? null : formatUsd(quotaLimit),
    quota_reset: settings.quotaReset,
    rate_limit: rateLimit === null ? null : rateLimitOnWire(rateLimit),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    allowed_models: [...settings.allowedModels],
    allowed_ips: [...settings.allowedIps],
  }
}

function rateLimitOnWire(limit: RateLimit) {
  return {
    ...countsOnWire(limit),
    spend: limit.spend.map(({ window, usd }) => ({ window, usd: formatUsd(usd) })),
  }
}
