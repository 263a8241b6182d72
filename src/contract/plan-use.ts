import { z } from '@hono/zod-openapi'
import { redeemCode } from './billing.ts'
import { time } from './wire-values.ts'

/** `GET /api/plans/use` */
export const plansUse = z
  .object({
    /** Seven days from now. */
    until: time,
    data: z.array(
      z.object({
        id: z.string(),
        /** Subscriptions that run now. */
        running: z.number().int(),
        /** Running ones that end until then. */
        ending: z.number().int(),
      }),
    ),
  })
  .openapi('PlansUse')

/** `GET /api/redeem-codes/batches`: codes that were created by one request. */
export const redeemCodeBatches = z
  .object({
    data: z.array(
      redeemCode.pick({ kind: true, amount: true, plan: true, note: true, created_at: true, expires_at: true }).extend({
        made: z.number().int(),
        used: z.number().int(),
      }),
    ),
  })
  .openapi('RedeemCodeBatches')

export type PlansUse = z.output<typeof plansUse>
export type RedeemCodeBatches = z.output<typeof redeemCodeBatches>
