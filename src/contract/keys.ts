import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { forEachCount } from '../core/counted-limits.ts'
import { KEY_RESPONSE_CACHES } from '../core/response-cache-rule.ts'
import { KEY_TAG } from '../core/key-tags.ts'
import {
  givenName,
  listOf,
  multiplier,
  pageQuery,
  TEXTS_OF_FORMS,
  textOf,
  time,
  usd,
  usdAmount,
  version,
  wholeNumber,
} from './wire-values.ts'

const spendWindow = z.enum(['5h', '1d', '7d'])
const quotaReset = z.enum(['never', 'daily', 'weekly', 'monthly'])

/** 0: none at all, which stops the key. */
const count = wholeNumber(BOUNDS.key.count)

export const rateLimit = z
  .object({
    ...forEachCount(() => count.nullable().default(null)),
    /** Each window at most once. */
    spend: z
      .array(z.object({ window: spendWindow, usd: usdAmount }).strict())
      .max(spendWindow.options.length)
      .default([]),
  })
  .strict()
  .openapi('RateLimit')

/** A tag as it is compared: `Finance` and `finance` are one. */
const tag = z
  .string()
  .trim()
  .toLowerCase()
  .min(BOUNDS.key.tag.least)
  .max(BOUNDS.key.tag.most)
  .regex(KEY_TAG, TEXTS_OF_FORMS.key_tag)

/** What the owner set on a key. */
const settings = {
  name: givenName(BOUNDS.key.name),
  group: textOf(BOUNDS.key.group).describe("the group's name"),
  fallback_groups: listOf(textOf(BOUNDS.key.group), BOUNDS.key.fallback_groups).describe(
    'names of groups, used in this order when `group` cannot serve the model',
  ),
  quota_limit: usdAmount.nullable().describe('what the key may spend in one period of `quota_reset`; null: unlimited'),
  quota_reset: quotaReset.describe('when a new period begins: calendar, UTC, weeks from Monday'),
  rate_limit: rateLimit.nullable(),
  expires_at: time.nullable().describe('null: never'),
  allowed_models: listOf(textOf(BOUNDS.key.allowed_model), BOUNDS.key.allowed_models).describe(
    "empty: all of the group's",
  ),
  allowed_ips: listOf(textOf(BOUNDS.key.allowed_ip), BOUNDS.key.allowed_ips).describe(
    'IP addresses and CIDR ranges; empty: all',
  ),
  response_cache: z
    .enum(KEY_RESPONSE_CACHES)
    .describe('which answers that its group keeps it is given: as the group says, its own alone, or none'),
  tags: listOf(tag, BOUNDS.key.tags).describe('under which its use is summed, in lower case; no rule goes by them'),
}

/** Fields as bodies give them: a list that is null is empty. */
const given = {
  ...settings,
  fallback_groups: orEmpty(settings.fallback_groups),
  allowed_models: orEmpty(settings.allowed_models),
  allowed_ips: orEmpty(settings.allowed_ips),
  tags: orEmpty(settings.tags),
}

function orEmpty<T>(list: z.ZodType<T[], T[]>) {
  return list.nullable().transform((items) => items ?? [])
}

/** An API key as lists and pages show it. The secret is in no answer but the ones that made it. */
export const apiKey = z
  .object({
    id: z.string(),
    version,
    account_id: z.string(),
    ...settings,
    status: z
      .enum(['active', 'disabled', 'expired', 'quota_exhausted'])
      .describe('an active one that is over or spent is `expired` or `quota_exhausted`'),
    secret_start: z.string(),
    secret_end: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    spent: usd.describe('in the running quota period; without a quota, ever'),
    quota_resets_at: time.nullable().describe('when the running quota period ends; null: never'),
    managed: z.boolean().describe('comes from the declarative file, and is read-only here'),
    playground: z.boolean().describe("created by the console's playground for one visit; only named lists show it"),
    group_multiplier: multiplier.describe('at which its account is charged in its group'),
    group_enabled: z.boolean(),
    overlap: z
      .object({ secret_end: z.string(), ends_at: time, last_used_at: time.nullable() })
      .nullable()
      .describe('the secret before the last rotation, while it still works'),
    captured_until: time
      .nullable()
      .describe('an admin captures what its requests send and get, at most until then; null: nothing is captured'),
    quota_raise: z
      .object({ limit: usd.describe('what holds again then'), ends_at: time })
      .nullable()
      .describe('`quota_limit` is raised by an admin for a while; null: it is not'),
  })
  .openapi('ApiKey')

/** `POST /api/keys/{id}/raise-quota` */
export const keyRaiseQuota = z
  .object({
    limit: usdAmount.describe('above the quota that the key has'),
    ends_at: time.describe('when the quota from before holds again; within a year'),
  })
  .strict()

/** `GET /api/keys` */
export const keysQuery = pageQuery.extend({
  account_id: z
    .string()
    .max(64)
    .optional()
    .describe("admins only: another account's keys, or `*` for all; absent: own"),
  search: z.string().max(100).optional().describe('part of the name, of the shown parts of the secret, or of the id'),
  status: z.enum(['active', 'disabled', 'expired', 'quota_exhausted']).optional(),
  group: z.string().max(100).optional(),
  tag: z.string().max(100).optional().describe('keys with this tag alone'),
  playground: z
    .enum(['true', 'false'])
    .default('false')
    .describe("`true`: also the short-lived keys that the console's playground created"),
  sort: z.enum(['created_at', 'name', 'last_used_at', 'spent', 'expires_at']).default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
})

/** `total` is exact up to 10,000; `total_is_more` says that there are more. */
export const keysPage = z.object({
  data: z.array(apiKey),
  next_cursor: z.string().nullable(),
  total: z.number().int(),
  total_is_more: z.boolean(),
})

/** `GET /api/keys/tags` */
export const keyTagsQuery = z.object({ account_id: keysQuery.shape.account_id })

export const keyTags = z.object({
  data: z
    .array(z.object({ tag: z.string(), keys: z.number().int().describe('that have it') }))
    .describe('the most used first'),
})

/** `POST /api/keys`. Everything but name and group may be left out. */
export const keyCreate = z
  .object({
    ...given,
    fallback_groups: given.fallback_groups.default([]),
    quota_limit: settings.quota_limit.default(null),
    quota_reset: settings.quota_reset.default('never'),
    rate_limit: settings.rate_limit.default(null),
    expires_at: settings.expires_at.default(null),
    allowed_models: given.allowed_models.default([]),
    allowed_ips: given.allowed_ips.default([]),
    response_cache: settings.response_cache.default('group'),
    tags: given.tags.default([]),
    custom_key: z
      .string()
      .regex(
        new RegExp(`^[A-Za-z0-9_-]{${BOUNDS.key.custom_key.least},${BOUNDS.key.custom_key.most}}$`),
        TEXTS_OF_FORMS.custom_key,
      )
      .optional()
      .describe('20 to 128 of `A-Z a-z 0-9 _ -`; left out, the secret is generated, which is the better choice'),
    account_id: z.string().max(64).optional().describe('admins only: for another account'),
    playground: z
      .boolean()
      .default(false)
      .describe(
        'for one visit to a playground: `expires_at` is within 24 hours, and lists and notices leave the key out',
      ),
  })
  .strict()
  .openapi('ApiKeyCreate')

/** The only answers that have a secret in them. It is null when an `Idempotency-Key` is repeated: a secret is said once. */
export const keyWithSecret = z.object({ key: apiKey, secret: z.string().nullable() }).openapi('ApiKeyWithSecret')

/** The answer of a rotation. `ended_overlap`: an older secret that still worked, and until when it would have. */
export const keyRotated = keyWithSecret
  .extend({ ended_overlap: z.object({ secret_end: z.string(), ends_at: time }).nullable() })
  .openapi('ApiKeyRotated')

/** `PATCH /api/keys/{id}`: any of the settings, and `status`. */
export const keyPatch = z
  .object({ ...given, status: z.enum(['active', 'disabled']) })
  .partial()
  .strict()
  .openapi('ApiKeyPatch')

/** `POST /api/keys/{id}/rotate`. 0: the old secret stops at once. */
export const keyRotate = z.object({ overlap_seconds: z.number().int().min(0).max(2_592_000).default(0) }).strict()

/** `POST /api/keys/bulk`: the same step for many keys; each that cannot be done is named. */
export const keysBulk = z
  .object({ ids: z.array(z.string().max(64)).min(1).max(200), action: z.enum(['enable', 'disable', 'delete']) })
  .strict()

export const keysBulkAnswer = z.object({
  done: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), code: z.string(), detail: z.string() })),
})

/** `POST /api/keys/{id}/test`: whether this key could call now, without its secret and for nothing. */
export const keyTest = z.object({
  ok: z.boolean(),
  /** The fault a request would get now; null when it would be let through. */
  fault: z.string().nullable(),
  detail: z.string(),
  models: z.array(z.string()),
})

export type ApiKeyView = z.output<typeof apiKey>
export type KeyTags = z.output<typeof keyTags>
export type KeysPage = z.output<typeof keysPage>
export type KeyCreate = z.input<typeof keyCreate>
export type KeyPatch = z.input<typeof keyPatch>
export type KeyWithSecret = z.output<typeof keyWithSecret>
export type KeyRotated = z.output<typeof keyRotated>
export type KeysBulk = z.input<typeof keysBulk>
export type KeysBulkAnswer = z.output<typeof keysBulkAnswer>
export type KeyRaiseQuota = z.input<typeof keyRaiseQuota>
export type KeyTest = z.output<typeof keyTest>
export type RateLimitView = z.output<typeof rateLimit>
