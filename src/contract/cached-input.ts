import { z } from '@hono/zod-openapi'
import { time } from './wire-values.ts'

const name = z.string().max(200).optional()

/** `GET /api/cached-input` and `GET /api/cached-input.csv` */
export const cachedInputQuery = z.object({ from: time.optional(), to: time.optional(), upstream: name, model: name })

const tokens = z.object({
  /** Input of all kinds, of requests whose upstream says what it read from its cache. */
  input_tokens: z.number().int(),
  cached_tokens: z.number().int(),
  /** The part of the input that was cached, such as 0.91; null: there was no input. */
  share: z.number().nullable(),
})

const both = z.object({
  /** Tokens of requests that were kept where their conversation was. */
  with_affinity: tokens,
  without_affinity: tokens,
})

export const cachedInput = z
  .object({
    from: time,
    to: time,
    totals: both,
    /** Rows with the most input first, at most 500. */
    rows: z.array(both.extend({ model: z.string(), upstream: z.string() })),
  })
  .openapi('CachedInput')
