import { z } from '@hono/zod-openapi'
import { COUNTED_LIMIT_FIELDS } from '../core/counted-limits.ts'
import { WIRE_NAMES } from '../core/wire.ts'
import { why } from './attempt-obstacle.ts'
import { learnedRefusal, prices } from './models.ts'
import { routeStep } from './usage.ts'
import { multiplier, time } from './wire-values.ts'

const name = z.string().min(1).max(320)

/** `GET /api/route` */
export const routeQuery = z.object({
  /** Id or email address. Absent: the key's, or the asker's own. Another account's is for admins. */
  account: name.optional(),
  /** Id, or its name in the account. Absent: the account's only key. */
  key: name.optional(),
  /** The public name. */
  model: name,
  /** What the client speaks. */
  protocol: z.enum(WIRE_NAMES).default('openai-chat'),
})

const candidate = routeStep.extend({
  /** What the model is called there; admins only, null for others. */
  model: z.string().nullable(),
  priority: z.number().int(),
  weight: z.number().int(),
  /** The group of the key that the request would be charged in there, and its multiplier; null: none of them may use it. */
  group: z.string().nullable(),
  multiplier: multiplier.nullable(),
  /** The attempt that would ask it, if those before failed; null: none. */
  attempt: z.number().int().nullable(),
  /** Milliseconds, at most, that a request waits for it until it is ready; null: it would be asked at once, or not at all. */
  wait_ms: z.number().int().nullable(),
  why,
  /** Whether it would be asked beside the first, where that let wait for `hedge_after_ms`. */
  hedge: z.boolean(),
  learned: z
    .array(learnedRefusal)
    .describe('settings that it would be asked without, since it has refused them. Admins only, empty for others'),
})

export const routeAnswer = z
  .object({
    account_id: z.string(),
    key_id: z.string(),
    key_name: z.string(),
    model: z.string(),
    protocol: z.enum(WIRE_NAMES),
    /** The fault that the request would get now; null: it would be sent. */
    fault: z.string().nullable(),
    detail: z.string().nullable(),
    /** The group that it would be charged in, as the targets stand now; null: none serves it. */
    group: z.string().nullable(),
    multiplier: multiplier.nullable(),
    /** Prices after the multiplier. */
    price: prices.nullable(),
    /** The limits by the minute of the key and of its account, as far as the node that answers knows. The question counts as none. */
    limits: z.array(
      z.object({
        of: z.enum(['key', 'account']),
        type: z.enum(COUNTED_LIMIT_FIELDS),
        limit: z.number().int(),
        used: z.number().int(),
        /** When all of it is free again; null: it is so now, or it is not of a minute. */
        resets_at: time.nullable(),
      }),
    ),
    /** The time without anything of an answer after which a second target is asked beside the first; null: never. */
    hedge_after_ms: z.number().int().nullable(),
    /** Every target of the model, those that would be asked first. */
    candidates: z.array(candidate),
  })
  .openapi('Route')

export type RouteAnswer = z.output<typeof routeAnswer>
export type RouteAsked = z.output<typeof routeQuery>
