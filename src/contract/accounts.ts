import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { ROLES } from '../core/roles.ts'
import { setLimits } from './objects/account-limits.ts'
import {
  listOf,
  multiplier,
  pageQuery,
  textOf,
  time,
  usd,
  usdAmount,
  usdChange,
  version,
  wholeNumber,
} from './wire-values.ts'

/** The part of limits that is higher until a time: it lowers nothing, and limits nothing that is not limited. */
const limitRaise = z.object({ limits: setLimits, ends_at: time }).strict().openapi('LimitRaise')

/** What an account is charged in a group, in place of the group's own multiplier. */
const ownMultiplier = z
  .object({ group: textOf(BOUNDS.group.name), multiplier })
  .strict()
  .openapi('OwnMultiplier')

export const account = z
  .object({
    id: z.string(),
    version,
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['active', 'disabled']),
    balance: usd,
    limits: setLimits
      .nullable()
      .describe("set on the account itself, in place of its plans' and the installation's; see `GET …/limits`"),
    raise: limitRaise
      .nullable()
      .describe('more than these for a while; it stays here when it is over, until another takes its place'),
    open_groups: z.array(z.string()).describe('closed groups that are open to it by name: their ids'),
    multipliers: z
      .array(ownMultiplier)
      .describe('its own price multipliers, by the ids of groups; where the group’s is lower, that one counts'),
    created_at: time,
    managed: z.boolean(),
    closed: z.boolean().describe('its owner was taken away from it, and it is never enabled again'),
  })
  .openapi('Account')

/** `GET /api/accounts` */
export const listedAccount = account
  .extend({
    spend_30d: usd.describe('what its requests of the last 30 days were charged, in whole hours'),
    keys: z.number().int().describe('that are not deleted'),
    last_seen_at: time.nullable().describe('of a session or of a key; null: never'),
    balance_30d: z
      .object({
        before: usd.describe('the balance 30 days ago, to the hour'),
        days: z
          .array(z.object({ at: time.describe('when the UTC day begins'), balance: usd }))
          .describe('the balance at the end of each day on which it changed, the oldest first'),
      })
      .describe('how the balance went'),
  })
  .openapi('ListedAccount')

export const accountsQuery = pageQuery.extend({
  search: z.string().max(100).optional(),
  role: z.enum(ROLES).optional(),
  status: z.enum(['active', 'disabled']).optional(),
})

/** `GET /api/accounts.csv` */
export const accountsCsvQuery = accountsQuery.omit({ limit: true, cursor: true }).extend({
  /** `true` begins the file with the mark by which spreadsheets recognise UTF-8. */
  bom: z.enum(['true', 'false']).default('false'),
})

export const accountCreate = z
  .object({
    email: z.email().max(BOUNDS.account.email.most),
    role: z.enum(ROLES).default('user'),
    /** Left out: the account signs in by a link first (see `POST /api/accounts/{id}/reset-link`). */
    password: z.string().max(BOUNDS.account.password.most).optional(),
    limits: setLimits.nullable().optional(),
  })
  .strict()
  .openapi('AccountCreate')

export const accountPatch = z
  .object({
    role: z.enum(ROLES),
    status: z.enum(['active', 'disabled']),
    password: z.string().max(BOUNDS.account.password.most),
    limits: setLimits.nullable().describe('as a whole: what is left out of it is no longer set; null: none of them'),
    raise: limitRaise
      .nullable()
      .describe('in place of the one before; it ends by itself, on every node. null: ends it now'),
    open_groups: listOf(textOf(BOUNDS.group.name), BOUNDS.account.open_groups).describe(
      'closed groups that are open to it by name, by names or ids; as a whole',
    ),
    multipliers: listOf(ownMultiplier, BOUNDS.account.multipliers).describe(
      'its own price multipliers, by names or ids of groups, none above the group’s own; as a whole',
    ),
  })
  .partial()
  .strict()

/** `POST /api/accounts/{id}/ledger` */
export const adjustment = z
  .object({
    amount: usdChange,
    reason: z.string().trim().min(BOUNDS.ledger_entry.reason.least).max(BOUNDS.ledger_entry.reason.most),
    kind: z.enum(['credit', 'adjustment']).default('adjustment'),
    /** Like the number of an invoice: an account has each once, also when two people send it. */
    reference: z
      .string()
      .regex(/^[\w.-]{1,60}$/)
      .optional(),
  })
  .strict()

/** `GET /api/accounts/{id}/subscriptions` */
export const accountSubscriptionsQuery = pageQuery

/** `POST /api/accounts/{id}/subscriptions`: opens one, or renews the newest of that plan that was not cancelled. */
export const subscriptionOpen = z.object({ plan: textOf(BOUNDS.plan.name), renew: z.boolean().default(false) }).strict()

/** A one-time link to pass on by hand; its secret part stands behind `#`. */
export const link = z.object({
  /** Null when an `Idempotency-Key` is repeated: it is shown once. */
  url: z.string().nullable(),
  expires_at: time,
  was_mailed: z.boolean(),
})

/** What invitations that are made together have in common. */
const invitationTerms = z
  .object({
    role: z.enum(ROLES).default('user'),
    /** Default: a week. */
    expires_in_hours: wholeNumber(BOUNDS.invitation.expires_in_hours).optional(),
    credit: usdAmount
      .nullable()
      .default(null)
      .describe('the balance that each account begins with; in one call $10000 at most, over all of them'),
    plan: textOf(BOUNDS.plan.name)
      .nullable()
      .default(null)
      .describe('a plan that each account begins with, by id or name; it runs from when the invitation is accepted'),
    open_groups: listOf(textOf(BOUNDS.group.name), BOUNDS.invitation.open_groups)
      .default([])
      .describe('closed groups that are open to each account by name, by names or ids'),
  })
  .strict()

/** `POST /api/invitations` */
export const invitationCreate = invitationTerms.extend({
  /** Only this address may use it, and counts as verified; null: any address. */
  email: z.email().max(BOUNDS.account.email.most).nullable().default(null),
})

/** `POST /api/invitations/batch` */
export const invitationsCreate = invitationTerms.extend({
  emails: listOf(textOf(BOUNDS.invitation.email), BOUNDS.invitation.emails).describe(
    'as they were typed; each has its row in the answer',
  ),
})

export const invitation = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    role: z.enum(ROLES),
    created_at: time,
    expires_at: time,
    /** The account that was opened with it; null: it has not been used. */
    used_by: z.string().nullable(),
    invited_by: z
      .string()
      .nullable()
      .describe('the address of who made it; null: the admin token, or a closed account'),
    credit: usd.nullable().describe('what the account begins with; null: nothing'),
    plan: z
      .object({ id: z.string(), name: z.string(), days: z.int() })
      .nullable()
      .describe('what it gives by now; of one that was used, the plan as it is today'),
    open_groups: z.array(z.string()).describe('names of closed groups that are open to the account'),
  })
  .openapi('Invitation')

/** `GET /api/invitations`: the newest 200. */
export const invitations = z.object({ data: z.array(invitation) })

export const invitationMade = link.extend({ invitation })

export const invitationsMade = z.object({
  urls: z
    .array(z.string().nullable())
    .nullable()
    .describe('the links, in the order of `data`; null when an `Idempotency-Key` is repeated: they are shown once'),
  data: z.array(
    z.object({
      /** The line that was sent, without spaces around it. */
      email: z.string(),
      problem: z
        .enum(['not_an_address', 'repeated', 'has_account'])
        .nullable()
        .describe('why this line has no invitation; `repeated`: an earlier line has it'),
      was_mailed: z.boolean(),
      invitation: invitation.nullable(),
    }),
  ),
  total: usd.describe('the credit that these invitations give in all'),
})

export type AccountView = z.output<typeof account>
export type ListedAccountView = z.output<typeof listedAccount>
export type InvitationView = z.output<typeof invitation>
export type InvitationsMadeView = z.output<typeof invitationsMade>
