import { z } from '@hono/zod-openapi'
import { alert } from './administration.ts'
import { subscription } from './billing.ts'
import { usageStep } from './usage.ts'
import { offsetMinutes, time, usd } from './wire-values.ts'

/** `GET /api/overview` */
export const overviewQuery = z.object({
  offset_minutes: offsetMinutes,
})

const figures = z.object({ requests: z.number().int(), failed: z.number().int(), cost: usd })

/** What a span had, beside what the same hours of the span before had. */
const compared = z.object({ from: time, now: figures, before: figures })

const watchedKey = z.object({
  id: z.string(),
  name: z.string(),
  why: z.enum(['expiry', 'quota', 'spend']),
  /** The spend window; null: it is about no window. */
  window: z.enum(['5h', '1d', '7d', '30d']).nullable(),
  /** What is used of the quota or window; null for `expiry`. */
  used: usd.nullable(),
  limit: usd.nullable(),
  /** When the key expires or expired, or its quota or window resets; null: never. */
  at: time.nullable(),
})

/** Everything that an account should see first, in one answer. */
export const overview = z
  .object({
    as_of: time,
    /** Whether a request of the account ever ended well: before that, there is nothing to look over. */
    has_answered: z.boolean(),
    balance: z.object({
      amount: usd,
      held: usd,
      /** What the balance paid a day, over the last seven days or since the account was opened. */
      per_day: usd,
      /** Whole days that the balance lasts at that pace; null: nothing was paid from it. */
      days_left: z.number().int().nullable(),
    }),
    spend: z.object({ today: compared, last_7_days: compared, this_month: compared }),
    /** The last thirty days, those without a request left out. */
    days: z.array(figures.extend({ at: time })),
    /** Subscriptions that run. */
    subscriptions: z.array(subscription),
    /** Active keys that are near a limit or their end, or past it of late; at most twenty. */
    keys: z.array(watchedKey),
    /** The ten newest requests, newest first. */
    requests: z.array(usageStep),
    /** Alerts of the last two weeks, newest first; at most five. */
    alerts: z.array(alert),
    gateway: z.object({ state: z.enum(['serving', 'draining']), version: z.string() }),
  })
  .openapi('Overview')

export type Overview = z.output<typeof overview>
