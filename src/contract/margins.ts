import { z } from '@hono/zod-openapi'
import { time, usd } from './wire-values.ts'

const name = z.string().max(200).optional()

/** `GET /api/margins` */
export const marginsQuery = z.object({
  from: time.optional(),
  to: time.optional(),
  split: z.enum(['upstream', 'credential', 'model', 'group', 'fault']).default('upstream'),
  upstream: name,
  /** The name of a credential; those of several upstreams may have the same. Not with a model or group. */
  credential: name,
  model: name,
  /** The group's name or id. */
  group: name,
})

/** `GET /api/margins.csv`. `bom`: begins with the mark by which Excel knows UTF-8. */
export const marginsCsvQuery = marginsQuery.extend({ bom: z.enum(['true', 'false']).default('false') })

export type MarginsSplit = z.output<typeof marginsQuery>['split']

const figures = z.object({
  requests: z.number().int(),
  failed: z.number().int(),
  /** All that was charged. */
  charged: usd,
  /** What was charged for requests of which the provider's cost is known. */
  costed: usd,
  provider_cost: usd,
  /** What is left of `costed`; below zero it was sold below cost. */
  margin: usd,
})

export const margins = z
  .object({
    from: time,
    to: time,
    totals: figures,
    /** Rows that cost most first, at most 500. */
    rows: z.array(
      figures.extend({
        /** The name of the upstream, credential or model, the group's id, or the fault code; empty: there was none. */
        id: z.string(),
        /** The group's name as it is now; otherwise the id. null: it is gone, or there was none. */
        name: z.string().nullable(),
        /** The upstream of a credential; null for all else. */
        upstream: z.string().nullable(),
      }),
    ),
  })
  .openapi('Margins')

export type MarginsView = z.output<typeof margins>
