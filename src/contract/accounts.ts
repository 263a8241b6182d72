import { z } from '@hono/zod-openapi'
import { setLimits } from './account-limits.ts'
import { pageQuery, time, usd, usdChange } from './wire-values.ts'

export const account = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(['user', 'admin']),
    status: z.enum(['active', 'disabled']),
    balance: usd,
    limits: setLimits
      .nullable()
      .describe("set on the account itself, in place of its plans' and the installation's; see `GET …/limits`"),
    created_at: time,
    managed: z.boolean(),
  })
  .openapi('Account')

export const accountsQuery = pageQuery.extend({
  search: z.string().max(100).optional(),
  role: z.enum(['user', 'admin']).optional(),
  status: z.enum(['active', 'disabled']).optional(),
})

export const accountCreate = z
  .object({
    email: z.email().max(254),
    role: z.enum(['user', 'admin']).default('user'),
    /** Left out: the account signs in by a link first (see `POST /api/accounts/{id}/reset-link`). */
    password: z.string().max(200).optional(),
    limits: setLimits.nullable().optional(),
  })
  .strict()
  .openapi('AccountCreate')

export const accountPatch = z
  .object({
    role: z.enum(['user', 'admin']),
    status: z.enum(['active', 'disabled']),
    password: z.string().max(200),
    limits: setLimits.nullable().describe('as a whole: what is left out of it is no longer set; null: none of them'),
  })
  .partial()
  .strict()

/** `POST /api/accounts/{id}/ledger` */
export const adjustment = z
  .object({
    amount: usdChange,
    reason: z.string().trim().min(1).max(500),
    kind: z.enum(['credit', 'adjustment']).default('adjustment'),
  })
  .strict()

/** `GET /api/accounts/{id}/subscriptions` */
export const accountSubscriptionsQuery = pageQuery

/** `POST /api/accounts/{id}/subscriptions`: opens one, or renews the newest of that plan that was not cancelled. */
export const subscriptionOpen = z
  .object({ plan: z.string().min(1).max(100), renew: z.boolean().default(false) })
  .strict()

/** A one-time link to pass on by hand; its secret part stands behind `#`. */
export const link = z.object({
  /** Null when an `Idempotency-Key` is repeated: it is shown once. */
  url: z.string().nullable(),
  expires_at: time,
  was_mailed: z.boolean(),
})

/** `POST /api/invitations` */
export const invitationCreate = z
  .object({
    /** Only this address may use it, and counts as verified; null: any address. */
    email: z.email().max(254).nullable().default(null),
    role: z.enum(['user', 'admin']).default('user'),
    /** Default: a week. */
    expires_in_hours: z
      .int()
      .min(1)
      .max(24 * 90)
      .optional(),
  })
  .strict()

export const invitation = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    role: z.enum(['user', 'admin']),
    created_at: time,
    expires_at: time,
    /** The account that was opened with it; null: it has not been used. */
    used_by: z.string().nullable(),
  })
  .openapi('Invitation')

/** `GET /api/invitations`: the newest 200. */
export const invitations = z.object({ data: z.array(invitation) })

export const invitationMade = link.extend({ invitation })

export type AccountView = z.output<typeof account>
export type InvitationView = z.output<typeof invitation>
