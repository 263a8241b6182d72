import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { GROUP } from './objects/group.ts'
import { createShape, patchShape, shownShape } from './objects/object-fields.ts'
import { multiplier, textOf, time, usd, version } from './wire-values.ts'

const { name, multiplier: factor, models, ...others } = shownShape(GROUP)

/** A group: users see those they may use, admins all. */
export const group = z
  .object({
    id: z.string(),
    name,
    multiplier: factor,
    models,
    /** How many models that can be served now it really has. */
    model_count: z.number().int(),
    upstreams: z
      .array(z.string())
      .nullable()
      .describe('staff only: the names of the upstreams that its models have a target for it at; null: not shown'),
    /** The wire formats in which at least one of its models can be called. */
    protocols: z.array(z.string()),
    ...others,
    /** Whether the caller may use it now. */
    usable: z.boolean(),
    managed: z.boolean(),
    version,
  })
  .openapi('Group')

export const groupCreate = z.object(createShape(GROUP)).strict().openapi('GroupCreate')
export const groupPatch = z.object(patchShape(GROUP)).strict()

/** `GET /api/groups/use`: who uses each group, and what it was charged of late. */
export const groupsUse = z
  .object({
    /** The last seven days, in whole hours. */
    from: time,
    to: time,
    data: z.array(
      z.object({
        id: z.string(),
        /** Keys that are in it; deleted ones are left out. */
        keys: z.number().int(),
        /** Accounts whose keys they are. */
        accounts: z.number().int(),
        /** Keys that name it as one to fall back to. */
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
    /** Keys that this call moved. */
    moved: z.number().int(),
    /** Keys that are still to be moved: call again. */
    remaining: z.number().int(),
    /** Keys of the declarative file, which alone moves them. */
    managed: z.number().int(),
  })
  .openapi('GroupKeysMoved')

export type GroupsUse = z.output<typeof groupsUse>
export type GroupKeysMoved = z.output<typeof groupKeysMoved>
export type GroupView = z.output<typeof group>
