import { z } from '@hono/zod-openapi'
import { time } from './wire-values.ts'

/** `POST /api/accounts/{id}/see-as` */
export const seeAsBegin = z
  .object({ reason: z.string().trim().min(1).max(200).describe('the owner is shown it') })
  .strict()

export const seeAsGrant = z.object({
  grant: z.string().nullable().describe('for `x-tollgate-see-as`; null in a repeated answer'),
  until: time,
})

/** `GET /api/me/visits` */
export const visits = z.object({
  data: z.array(z.object({ id: z.string(), at: time, until: time, reason: z.string() })),
})

export type SeeAsGrant = z.output<typeof seeAsGrant>
export type VisitsView = z.output<typeof visits>
