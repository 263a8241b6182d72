import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { COUNTED_LIMIT_FIELDS } from '../core/counted-limits.ts'
import { forEachCount } from '../core/counted-limits.ts'
import { time, usd, usdAmount, wholeNumber } from './wire-values.ts'

const count = wholeNumber(BOUNDS.account_limits.count)
const window = z.enum(['5h', '1d', '7d'])
const spend = z.array(z.object({ window, usd: usdAmount }).strict()).max(window.options.length)
const maxKeys = wholeNumber(BOUNDS.account_limits.max_keys).describe('keys that are not deleted')
const maxKeyValidityDays = wholeNumber(BOUNDS.account_limits.max_key_validity_days).describe(
  'days from the creation of a key until its end, at most; a key without an end is refused then',
)

/**
 * Limits of an account for all of its keys together, as one source sets them. A limit that is left out is left to the next
 * source: the account's own, else its running subscriptions' (the most generous), else the installation's. null: no limit.
 */
export const setLimits = z
  .object({
    ...forEachCount(() => count.nullable().optional()),
    spend: spend.nullable().optional().describe('each window at most once; null or empty: no such limit'),
    max_keys: maxKeys.nullable().optional(),
    max_key_validity_days: maxKeyValidityDays.nullable().optional(),
  })
  .strict()
  .openapi('SetLimits')

/** The limits of an account that hold now; null: no such limit. */
const accountLimits = z
  .object({
    ...forEachCount(() => count.nullable()),
    spend: z.array(z.object({ window, usd })),
    max_keys: maxKeys.nullable(),
    max_key_validity_days: maxKeyValidityDays.nullable(),
  })
  .openapi('AccountLimits')

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
        window,
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
