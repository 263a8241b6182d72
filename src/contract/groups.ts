import { z } from '@hono/zod-openapi'
import { givenName, multiplier } from './wire-values.ts'

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
    /** The wire formats in which at least one of its models can be called. */
    protocols: z.array(z.string()),
    enabled: z.boolean(),
    /** Open to every account, else to those whose subscription covers it. */
    open: z.boolean(),
    /** Whether the caller may use it now. */
    usable: z.boolean(),
    managed: z.boolean(),
  })
  .openapi('Group')

export const groupCreate = z
  .object({
    name: givenName,
    multiplier: multiplier.default('1'),
    models: z.array(z.string().min(1).max(200)).max(2000).default(['*']),
    enabled: z.boolean().default(true),
    open: z.boolean().default(true),
  })
  .strict()
  .openapi('GroupCreate')

export const groupPatch = z
  .object({
    name: givenName,
    multiplier,
    models: z.array(z.string().min(1).max(200)).max(2000),
    enabled: z.boolean(),
    open: z.boolean(),
  })
  .partial()
  .strict()

export type GroupView = z.output<typeof group>
