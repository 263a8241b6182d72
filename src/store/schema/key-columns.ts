import type { ColumnType, Selectable } from 'kysely'
import type { KeyStatus } from '../../access/api-key.ts'
import type { KeySettings, RateLimit } from '../../access/key-settings.ts'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import { nanoUsd } from '../../core/money.ts'
import type { QuotaReset } from '../../core/quota-period.ts'
import type { KeyResponseCache } from '../../core/response-cache-rule.ts'
import type { SpendWindow } from '../../core/quota-window.ts'
import type { QuotaRaiseColumns } from './quota-raise-columns.ts'

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
  tags_json: ColumnType<unknown, string, string>
}

export interface ApiKeyRow extends KeySettingsColumns, QuotaRaiseColumns {
  id: string
  account_id: string
  /** The name in the form that searches compare. */
  name_lower: string
  status: KeyStatus
  status_changed_at: number
  secret_hash: string
  secret_start: string
  secret_end: string
  created_at: number
  is_managed: boolean
  /** Written once, when it is created. */
  is_for_playground: ColumnType<boolean, boolean | undefined, never>
  /** Null: its clients present a secret. Else it is a device's, and the number is its tokens'. */
  device_epoch: ColumnType<number | null, number | null | undefined, number>
  /** The hash of the secret before the last rotation; null: it was never rotated. */
  previous_secret_hash: ColumnType<string | null, never, string>
  previous_secret_end: ColumnType<string | null, never, string>
  /** When it stops working. */
  previous_ends_at: ColumnType<number | null, never, number>
  previous_last_used_at: ColumnType<number | null, never, number | null>
  /** The running capture of the key; null: none. */
  capture_id: ColumnType<string | null, never, string | null>
  capture_ends_at: ColumnType<number | null, never, number | null>
}

/** What lists of keys show and sort by. Every key has a row, from its creation on. */
export interface KeyActivityRow {
  account_id: string
  key_id: string
  /** When its newest request began; 0: it was never used. */
  last_used_at: number
  /** Ever. */
  spent_nano: bigint
  last_address: ColumnType<string | null, never, string | null>
  last_address_at: ColumnType<number | null, never, number | null>
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
    tags_json: JSON.stringify(key.tags),
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
    tags: row.tags_json as readonly string[],
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
