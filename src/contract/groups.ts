import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { RESPONSE_CACHE_PRICE } from '../core/response-cache-rule.ts'
import { ROLES } from '../core/roles.ts'
import { givenName, listOf, multiplier, textOf, time, usd, version, wholeNumber, wordsOf } from './wire-values.ts'

const ttl = wholeNumber(BOUNDS.group.cache_ttl_seconds)
const models = listOf(textOf(BOUNDS.group.model), BOUNDS.group.models)
const price = z
  .string()
  .regex(RESPONSE_CACHE_PRICE, 'must be a factor from "0" to "1" with up to six places, such as "0.1"')

/** Answers to equal requests are kept and sold again. */
const cache = z
  .object({
    ttl_seconds: ttl,
    /** What a kept answer costs, as a factor on what it would cost anew. */
    price,
    /** Whether accounts get each other's answers. */
    shared: z.boolean(),
  })
  .openapi('ResponseCache')

const cacheWritten = z
  .object({ ttl_seconds: ttl, price: price.default('1'), shared: z.boolean().default(false) })
  .strict()
  .openapi('ResponseCacheWritten')

const openToRoles = wordsOf(ROLES)

/** A group: users see those they may use, admins all. */
export const group = z
  .object({
    id: z.string(),
    name: z.string(),
    multiplier,
    /** Public model names; `["*"]` is all. */
    models: z.array(z.string()),
    /** How many models that can be served now it really has. */
    model_count: z.number().int(),
    upstreams: z
      .array(z.string())
      .nullable()
      .describe('staff only: the names of the upstreams that its models have a target for it at; null: not shown'),
    /** The wire formats in which at least one of its models can be called. */
    protocols: z.array(z.string()),
    enabled: z.boolean(),
    /** Open to every account, else to those whose subscription opens it. */
    open: z.boolean(),
    /** Accounts of these roles may use it also while it is closed. */
    open_to_roles: openToRoles,
    /** null: no answers are kept. */
    cache: cache.nullable(),
    /** Whether the caller may use it now. */
    usable: z.boolean(),
    managed: z.boolean(),
    version,
  })
  .openapi('Group')

export const groupCreate = z
  .object({
    name: givenName(BOUNDS.group.name),
    multiplier: multiplier.default('1'),
    models: models.default(['*']),
    enabled: z.boolean().default(true),
    open: z.boolean().default(true),
    open_to_roles: openToRoles.default([]),
    cache: cacheWritten.nullable().default(null),
  })
  .strict()
  .openapi('GroupCreate')

export const groupPatch = z
  .object({
    name: givenName(BOUNDS.group.name),
    multiplier,
    models,
    enabled: z.boolean(),
    open: z.boolean(),
    open_to_roles: openToRoles,
    /** The whole rule; null: no answers are kept. */
    cache: cacheWritten.nullable(),
  })
  .partial()
  .strict()

/** `GET /api/groups/use`: who uses each group, and what it was charged of late. */
export const groupsUse = z
  .object({
    /** The last seven days, in whole hours. */
    from: time,
    to: time,
    data: z.array(
      z.object({
        id: z.string(),
        /** That are in it; deleted ones are left out. */
        keys: z.number().int(),
        /** Whose keys they are. */
        accounts: z.number().int(),
        /** That name it as one to fall back to. */
        fallback_keys: z.number().int(),
        requests: z.number().int(),
        charged: usd,
        own_multipliers: z
          .array(z.object({ multiplier, charged: usd }))
          .describe('what of it was charged to accounts with a multiplier of their own here, by that multiplier'),
      }),
    ),
  })
  .openapi('GroupsUse')

/** `POST /api/groups/{id}/move-keys` */
export const groupMoveKeys = z
  .object({ to: textOf(BOUNDS.group.name).describe('the name of the group that they move to') })
  .strict()

export const groupKeysMoved = z
  .object({
    /** By this call. */
    moved: z.number().int(),
    /** That are still to be moved: call again. */
    remaining: z.number().int(),
    /** From the declarative file, which alone moves them. */
    managed: z.number().int(),
  })
  .openapi('GroupKeysMoved')

export type GroupsUse = z.output<typeof groupsUse>
export type GroupKeysMoved = z.output<typeof groupKeysMoved>
export type GroupView = z.output<typeof group>
