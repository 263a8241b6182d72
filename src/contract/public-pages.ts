import { z } from '@hono/zod-openapi'
import { MODEL_KINDS } from '../core/model-kind.ts'
import { keyReport } from './key-report.ts'
import { prices } from './models.ts'
import { time, usd } from './wire-values.ts'

/** `GET /api/public/models` */
export const publicModels = z
  .object({
    data: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(MODEL_KINDS),
        context_tokens: z.number().int().nullable(),
        max_output_tokens: z.number().int().nullable(),
        /** USD per million tokens, as a new account pays it. */
        price: prices,
      }),
    ),
  })
  .openapi('PublicModels')

const share = z
  .number()
  .nullable()
  .describe('in percent, rounded down to a step so that nothing is said of how many requests there are; null: too few')

const latency = z
  .object({ p50: z.number().int(), p95: z.number().int() })
  .nullable()
  .describe('milliseconds until a streamed answer began, from a sample, to two digits; null: too few')

const spans = z.object({
  available: z.array(share),
  first_byte_ms: z.array(latency),
})

/** `GET /api/public/status` */
export const publicStatus = z
  .object({
    looked_at: time,
    /** When the first of the hours begins: each list of hours has 24, the last of which runs. */
    hours_from: time,
    /** When the first of the days begins, UTC: each list of days has 30, the last of which runs. */
    days_from: time,
    data: z.array(
      z.object({
        model: z.string(),
        /** How it answered in the last two hours; null: too few requests. */
        now: z.enum(['healthy', 'degraded', 'failing']).nullable(),
        /** Shares of the last 24 hours and 30 days. */
        available_day: share,
        available_month: share,
        hours: spans,
        days: spans,
        /** Hours in which it was served badly, newest first; at most ten. */
        incidents: z.array(
          z.object({
            from: time,
            until: time.nullable().describe('null: it goes on'),
            available: share,
          }),
        ),
      }),
    ),
  })
  .openapi('PublicStatus')

/** `POST /api/public/key-check` */
export const keyCheckAsked = z.object({ key: z.string().min(1).max(200) }).strict()

const figures = z.object({ requests: z.number().int(), failed: z.number().int(), cost: usd })

export const keyChecked = z
  .object({
    name: z.string(),
    status: z.enum(['active', 'disabled', 'expired', 'quota_exhausted']),
    /** The fault that a request would get now; null: it would be let through. */
    fault: z.string().nullable(),
    expires_at: time.nullable(),
    limits: keyReport.shape.limits,
    /** Figures since midnight, UTC, and ever. */
    today: figures,
    ever: figures,
    /** The last thirty days, UTC, those without a request left out. */
    days: z.array(figures.extend({ at: time })),
    /** How many models it can call now. */
    models: z.number().int(),
  })
  .openapi('KeyChecked')

export type PublicModels = z.output<typeof publicModels>
export type PublicStatus = z.output<typeof publicStatus>
export type KeyChecked = z.output<typeof keyChecked>
