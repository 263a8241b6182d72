import { z } from '@hono/zod-openapi'
import { ADMIN_INCIDENTS } from '../core/admin-incidents.ts'
import { auditEntry } from './administration.ts'
import { time } from './wire-values.ts'

/** `GET /api/incidents` */
export const incidentsQuery = z.object({
  /** The last so many days, the hour that runs included. */
  days: z.coerce.number().int().min(1).max(31).default(1),
})

export const incident = z.object({
  kind: z
    .enum(['failures', ...ADMIN_INCIDENTS])
    .describe(
      '`failures`: at least a quarter of at least ten requests of an hour failed at an upstream, or before they reached one. The others: what the alert of that name says',
    ),
  upstream: z.string().nullable().describe('null: no upstream was reached, or it is about something else'),
  models: z.array(z.string()),
  /** What an alert is about, by its name; null: the upstream and models say it. */
  about: z.string().nullable(),
  /** Whole hours. */
  from: time,
  until: time.nullable().describe('null: it goes on in the hour that runs'),
  /** Requests of those hours; null: not counted. */
  requests: z.number().int().nullable(),
  failed: z.number().int().nullable(),
  /** The most frequent fault; null: not known. */
  fault: z.string().nullable(),
})

export const incidents = z
  .object({
    from: time,
    to: time,
    /** Newest first; at most 200. */
    data: z.array(incident),
    /** Each hour with a request; `client`: what callers did wrong. */
    hours: z.array(
      z.object({
        at: time,
        requests: z.number().int(),
        failed: z.object({ client: z.number().int(), gateway: z.number().int(), upstream: z.number().int() }),
      }),
    ),
    /** What was changed in that time of upstreams, models, groups, plans and settings, newest first; at most 200. */
    changes: z.array(auditEntry),
  })
  .openapi('Incidents')

export type IncidentsView = z.output<typeof incidents>
export type IncidentView = z.output<typeof incident>
