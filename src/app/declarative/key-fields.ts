import { z } from 'zod'
import type { KeyStatus } from '../../access/api-key.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { countsOf, forEachCount } from '../../core/counted-limits.ts'
import { QUOTA_RESETS } from '../../core/quota-period.ts'
import { KEY_RESPONSE_CACHES } from '../../core/response-cache-rule.ts'
import { type RateLimit, UNSET, type WantedSettings } from '../../access/key-settings.ts'
import { addressRange, givenName, keyTag, listOf, moment, oneOf, text, usd, wholeNumber } from './fields.ts'
import { RATE_LIMIT_FIELDS, spendLimits } from './limit-fields.ts'

const { key } = BOUNDS

/** The fields of an API key as the contract writes them (section 4), for the declarative file and the command line. */
export const keyFields = {
  name: givenName(key.name),
  group: text(key.group),
  fallback_groups: listOf(text(key.group), 'group names', key.fallback_groups).nullish(),
  quota_limit: usd(key.quota_limit).nullish(),
  quota_reset: oneOf(...QUOTA_RESETS).nullish(),
  rate_limit: rateLimit().nullish(),
  expires_at: moment().nullish(),
  allowed_models: listOf(text(key.allowed_model), 'model names', key.allowed_models).nullish(),
  allowed_ips: listOf(addressRange(), 'IP addresses and CIDR ranges', key.allowed_ips).nullish(),
  response_cache: oneOf(...KEY_RESPONSE_CACHES).nullish(),
  tags: listOf(keyTag(), 'tags', key.tags).nullish(),
  status: oneOf('active', 'disabled').nullish(),
} as const

type Complete<Fields> = { readonly [Field in keyof Fields]-?: Exclude<Fields[Field], undefined> }

/** A key as it was written, with every field filled in. */
export interface WrittenKey extends Complete<WantedSettings> {
  /** null: nothing was said about it. */
  readonly status: Exclude<KeyStatus, 'deleted'> | null
}

/** Fills in what the contract says holds when a field is left out. */
export function writtenKey(fields: z.output<z.ZodObject<typeof keyFields>>): WrittenKey {
  return {
    name: fields.name,
    group: fields.group,
    fallbackGroups: fields.fallback_groups ?? [],
    quotaLimit: fields.quota_limit ?? UNSET.quotaLimit,
    quotaReset: fields.quota_reset ?? UNSET.quotaReset,
    rateLimit: fields.rate_limit ?? UNSET.rateLimit,
    expiresAt: fields.expires_at ?? UNSET.expiresAt,
    allowedModels: fields.allowed_models ?? UNSET.allowedModels,
    allowedIps: fields.allowed_ips ?? UNSET.allowedIps,
    responseCache: fields.response_cache ?? UNSET.responseCache,
    tags: fields.tags ?? UNSET.tags,
    status: fields.status ?? null,
  }
}

function rateLimit() {
  return z
    .strictObject(
      {
        ...forEachCount(() => wholeNumber(key.count).nullish()),
        spend: spendLimits(key.spend).nullish(),
      },
      `a map with ${RATE_LIMIT_FIELDS}`,
    )
    .transform((fields): RateLimit => ({
      ...countsOf(fields),
      spend: fields.spend ?? [],
    }))
}
