import type { ColumnType, Selectable } from 'kysely'
import type { KeySettings, RateLimit } from '../../access/key-settings.ts'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import { nanoUsd } from '../../core/money.ts'
import type { QuotaReset } from '../../core/quota-period.ts'
import type { KeyResponseCache } from '../../core/response-cache-rule.ts'
import type { SpendWindow } from '../../core/quota-window.ts'

/** The columns that hold a key's settings. */
export interface KeySettingsColumns {
  name: string
  group_id: string
  fallback_group_ids_json: ColumnType<unknown, string, string>
  expires_at: number | null
  quota_limit_nano: bigint | null
  quota_reset: QuotaReset
  rate_limit_json: ColumnType<unknown, string | null, string | null>
  allowed_models_json: ColumnType<unknown, string, string>
  allowed_ips_json: ColumnType<unknown, string, string>
  response_cache: KeyResponseCache
}

/** Writes the columns. */
export function settingsColumns(key: KeySettings) {
  return {
    name: key.name,
    group_id: key.groupId,
    fallback_group_ids_json: JSON.stringify(key.fallbackGroupIds),
    expires_at: key.expiresAt,
    quota_limit_nano: key.quotaLimit,
    quota_reset: key.quotaReset,
    rate_limit_json: rateLimitJson(key.rateLimit),
    allowed_models_json: JSON.stringify(key.allowedModels),
    allowed_ips_json: JSON.stringify(key.allowedIps),
    response_cache: key.responseCache,
  }
}

/** Reads the columns. */
export function settingsOf(row: Selectable<KeySettingsColumns>): KeySettings {
  return {
    name: row.name,
    groupId: row.group_id,
    fallbackGroupIds: row.fallback_group_ids_json as readonly string[],
    expiresAt: row.expires_at,
    quotaLimit: row.quota_limit_nano === null ? null : nanoUsd(row.quota_limit_nano),
    quotaReset: row.quota_reset,
    rateLimit: rateLimitOf(row.rate_limit_json),
    allowedModels: row.allowed_models_json as readonly string[],
    allowedIps: row.allowed_ips_json as readonly string[],
    responseCache: row.response_cache,
  }
}

interface StoredRateLimit extends Omit<RateLimit, 'spend'> {
  /** nano-USD as text: JSON has no integers of 64 bits. */
  readonly spend: readonly { readonly window: SpendWindow; readonly usdNano: string }[]
}

function rateLimitJson(limit: RateLimit | null): string | null {
  if (limit === null) return null
  const spend = limit.spend.map(({ window, usd }) => ({ window, usdNano: String(usd) }))
  return JSON.stringify({ ...limit, spend } satisfies StoredRateLimit)
}

/** `parsed`: the content of a `rate_limit_json` column. */
export function rateLimitOf(parsed: unknown): RateLimit | null {
  if (parsed === null) return null
  const { spend, ...limits } = parsed as StoredRateLimit
  // A limit that did not exist when the key was written does not hold for it.
  return {
    ...NO_COUNTS,
    ...limits,
    spend: spend.map(({ window, usdNano }) => ({ window, usd: nanoUsd(BigInt(usdNano)) })),
  }
}
