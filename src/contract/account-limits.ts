import { z } from '@hono/zod-openapi'
import { COUNTED_LIMIT_FIELDS } from '../core/counted-limits.ts'
import { ACCOUNT_LIMITS, spendWindow } from './objects/account-limits.ts'
import { shownShape } from './objects/object-fields.ts'
import { time, usd } from './wire-values.ts'

/** The limits of an account that hold now; null: no such limit. */
const accountLimits = z.object(shownShape(ACCOUNT_LIMITS)).openapi('AccountLimits')

/** `GET /api/me/limits` and `GET /api/accounts/{id}/limits` */
export const limitsReport = z
  .object({
    limits: accountLimits,
    raised_until: time
      .nullable()
      .describe('a raise that an admin gave is part of these limits until then; null: none is'),
    counted: z
      .array(
        z.object({
          type: z.enum(COUNTED_LIMIT_FIELDS),
          limit: z.number().int(),
          used: z.number().int(),
        }),
      )
      .describe('as far as the node that answers knows'),
    spend: z.array(
      z.object({
        window: spendWindow,
        limit: usd,
        used: usd,
        resets_at: time.nullable().describe('null: the window opens with the next charge'),
      }),
    ),
    keys: z.object({
      used: z.number().int().describe('keys that are not deleted'),
      limit: z.number().int().describe('`max_keys`, or the most that any account may have'),
    }),
  })
  .openapi('AccountLimitsReport')

export type LimitsReport = z.output<typeof limitsReport>
