import { z } from '@hono/zod-openapi'
import { auditVia } from './administration.ts'
import { apiKey } from './keys.ts'
import { usageStep } from './usage.ts'
import { offsetMinutes, time, usd } from './wire-values.ts'

/** `GET /api/keys/{id}/report` */
export const keyReportQuery = z.object({ offset_minutes: offsetMinutes })

/** `GET /api/keys/activity`: `ids` are separated by commas. */
export const keyActivityQuery = z.object({
  ids: z
    .string()
    .max(13_000)
    .regex(/^[\w,]+$/, 'must be ids of keys, separated by commas'),
  offset_minutes: offsetMinutes,
})

const day = z.object({ at: time, requests: z.number().int(), failed: z.number().int(), cost: usd })

const amounts = z.object({
  used: usd,
  limit: usd,
  resets_at: time.nullable().describe('null: never, or it has not begun'),
})

const historyEntry = z.object({
  id: z.string(),
  created_at: time,
  /** Like `key.update`. */
  action: z.string(),
  /** `you`, or `an admin`. */
  actor: z.string(),
  via: auditVia,
  /** The address it came from; null: it was not you. */
  address: z.string().nullable(),
  /** The fields that were changed, before and after; nothing secret. */
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
})

/** How one key stands, and what it did. */
export const keyReport = z
  .object({
    key: apiKey,
    limits: z.object({
      counted: z
        .array(
          z.object({
            type: z.enum(['concurrency', 'requests_per_minute', 'tokens_per_minute']),
            used: z.number().int(),
            limit: z.number().int(),
          }),
        )
        .describe('as far as the node that answers knows'),
      quota: amounts.nullable(),
      spend: z.array(amounts.extend({ window: z.enum(['5h', '1d', '7d']) })),
    }),
    /** The last thirty days, those without a request left out. */
    days: z.array(day),
    /** The address of the last use, as the gateway understands it behind trusted proxies; null: not known. */
    last_address: z.string().nullable(),
    ever: z.object({ requests: z.number().int(), failed: z.number().int(), cost: usd }),
    /** The ten newest requests, newest first. */
    requests: z.array(usageStep),
    /** The five newest that ended with a fault. */
    failed: z.array(usageStep),
    /** What was done with the key, newest first; at most twenty entries. */
    history: z.array(historyEntry),
  })
  .openapi('ApiKeyReport')

/** What keys of a list used lately, day by day. A key that was not used, or is not yours, is left out. */
export const keyActivity = z
  .object({ data: z.array(z.object({ id: z.string(), days: z.array(day) })) })
  .openapi('ApiKeyActivity')

export type KeyReport = z.output<typeof keyReport>
export type KeyActivityAnswer = z.output<typeof keyActivity>
