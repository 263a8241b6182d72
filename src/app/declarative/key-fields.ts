import { z } from 'zod'
import type { KeyStatus, QuotaReset, RateLimit } from '../../access/api-key.ts'
import type { NanoUsd } from '../../core/money.ts'
import { addressRange, listOf, moment, oncePerWindow, oneOf, text, usd, wholeNumber } from './fields.ts'

/** The fields of an API key as the contract writes them (section 4), for the declarative file and the command line. */
export const keyFields = {
  name: text(100),
  group: text(100),
  fallback_groups: listOf(text(100), 'group names').nullish(),
  quota_limit: usd().nullish(),
  quota_reset: oneOf('never', 'daily', 'weekly', 'monthly').nullish(),
  rate_limit: rateLimit().nullish(),
  expires_at: moment().nullish(),
  allowed_models: listOf(text(200), 'model names').nullish(),
  allowed_ips: listOf(addressRange(), 'IP addresses and CIDR ranges').nullish(),
  status: oneOf('active', 'disabled').nullish(),
} as const

/** A key as somebody wrote it, names not yet looked up. */
export interface KeySettings {
  readonly name: string
  readonly group: string
  readonly fallbackGroups: readonly string[]
  readonly quotaLimit: NanoUsd | null
  readonly quotaReset: QuotaReset
  readonly rateLimit: RateLimit | null
  readonly expiresAt: number | null
  readonly allowedModels: readonly string[]
  readonly allowedIps: readonly string[]
  /** null: nothing was said about it. */
  readonly status: Exclude<KeyStatus, 'deleted'> | null
}

/** Fills in what the contract says holds when a field is left out. */
export function keySettings(fields: z.output<z.ZodObject<typeof keyFields>>): KeySettings {
  return {
    name: fields.name,
    group: fields.group,
    fallbackGroups: fields.fallback_groups ?? [],
    quotaLimit: fields.quota_limit ?? null,
    quotaReset: fields.quota_reset ?? 'never',
    rateLimit: fields.rate_limit ?? null,
    expiresAt: fields.expires_at ?? null,
    allowedModels: fields.allowed_models ?? [],
    allowedIps: fields.allowed_ips ?? [],
    status: fields.status ?? null,
  }
}

function rateLimit() {
  const spend = z.strictObject({ window: oneOf('5h', '1d', '7d'), usd: usd() }, 'a map with window and usd')
  return z
    .strictObject(
      {
        concurrency: wholeNumber(0).nullish(),
        requests_per_minute: wholeNumber(0).nullish(),
        tokens_per_minute: wholeNumber(0).nullish(),
        spend: oncePerWindow(spend, 'spend limits').nullish(),
      },
      'a map with concurrency, requests_per_minute, tokens_per_minute or spend',
    )
    .transform((fields): RateLimit => ({
      concurrency: fields.concurrency ?? null,
      requestsPerMinute: fields.requests_per_minute ?? null,
      tokensPerMinute: fields.tokens_per_minute ?? null,
      spend: fields.spend ?? [],
    }))
}
