import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { setLimits } from './objects/account-limits.ts'
import { createShape, patchShape, shownShape } from './objects/object-fields.ts'
import { PLAN, quotaWindow } from './objects/plan.ts'
import { offsetMinutes, pageQuery, textOf, time, usd, usdAmount, version, wholeNumber } from './wire-values.ts'

const ledgerKind = z.enum(['usage', 'grant', 'credit', 'redeem', 'refund', 'renewal', 'adjustment', 'import'])

/** `GET /api/subscriptions` */
export const subscriptionsQuery = pageQuery.extend({
  /** Admins only: another account's. Absent: own. */
  account_id: z.string().max(64).optional(),
})

/** `GET /api/ledger`, newest first. */
export const ledgerQuery = pageQuery.extend({
  /** Admins only: another account's. Absent: own. */
  account_id: z.string().max(64).optional(),
  kind: ledgerKind.optional(),
  from: time.optional(),
  to: time.optional(),
})

/** `GET /api/accounts/{id}/ledger` */
export const accountLedgerQuery = ledgerQuery.omit({ account_id: true })

export const ledgerEntry = z
  .object({
    id: z.string(),
    created_at: time,
    kind: ledgerKind,
    amount: usd,
    balance_after: usd,
    request_id: z.string().nullable(),
    reason: z.string(),
    /** The maker’s own reference, like the number of an invoice. */
    reference: z.string().nullable(),
    /** `you`, `an admin`, `gateway`, `config`, `cli`; admins see who. */
    actor: z.string(),
    /** The key that asked, as it was called then, and for which model. null: it is not `usage`, or its record is gone. */
    key_id: z.string().nullable(),
    key_name: z.string().nullable(),
    model: z.string().nullable(),
    code_end: z
      .string()
      .nullable()
      .describe('of `redeem`: the last four characters of the code; null: another kind, or the code is gone'),
  })
  .openapi('LedgerEntry')

/** `GET /api/ledger/days` */
export const ledgerDaysQuery = z.object({
  /** Admins only: another account's. Absent: own. */
  account_id: z.string().max(64).optional(),
  offset_minutes: offsetMinutes,
  cursor: z.string().max(512).optional(),
})

/** What became of a balance, day by day, newest first: each page a month of days, those on which nothing happened left out. */
export const ledgerDays = z
  .object({
    from: time,
    to: time,
    data: z.array(
      z.object({
        /** When the day begins. */
        at: time,
        /** All requests that began on it, also those that cost nothing. */
        requests: z.number().int(),
        paid_by_balance: usd,
        paid_by_subscriptions: usd,
        /** All entries of the ledger but those of requests. */
        entries: z.array(ledgerEntry),
      }),
    ),
    /** There are more of those entries in the span than the newest 200. */
    has_more_entries: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .openapi('LedgerDays')

export const subscription = z
  .object({
    id: z.string(),
    plan: z.string(),
    groups: z.array(z.string()).describe('whose requests it pays for'),
    opens_groups: z.boolean().describe('closed groups among them are open to its account while it runs'),
    status: z.enum(['running', 'upcoming', 'ended', 'cancelled']),
    starts_at: time,
    ends_at: time,
    cancelled_at: time.nullable(),
    quotas: z.array(
      z.object({
        window: quotaWindow,
        limit: usd,
        used: usd,
        /** null: the window opens with the next charge; `term` never resets, and a renewal adds to it. */
        resets_at: time.nullable(),
      }),
    ),
    limits: setLimits.nullable().describe('of the account while it runs; null: none'),
    renews_up_to: usd
      .nullable()
      .describe(
        'it is renewed from the balance within an hour of its end, where its plan costs no more than this; null: it ends',
      ),
    plan_price: usd.nullable().describe('what its plan costs now; null: it is not sold, or not any more'),
  })
  .openapi('Subscription')

/** `POST /api/subscriptions/{id}/renewal` */
export const subscriptionRenewal = z.object({
  up_to: usdAmount
    .nullable()
    .describe('what a renewal may cost at the most, at least what the plan costs now; null: it ends'),
})

export const plan = z
  .object({
    id: z.string(),
    ...shownShape(PLAN),
    /** Whether the caller has one that runs now. */
    subscribed: z.boolean(),
    managed: z.boolean(),
    version,
  })
  .openapi('Plan')

export const planCreate = z.object(createShape(PLAN)).strict().openapi('PlanCreate')
export const planPatch = z.object(patchShape(PLAN)).strict()

/** `POST /api/redeem` */
export const redeem = z.object({ code: z.string().min(1).max(100) }).strict()

export const redeemAnswer = z
  .object({
    kind: z.enum(['balance', 'plan']),
    amount: usd.nullable(),
    balance: usd,
    plan: z.string().nullable(),
    ends_at: time.nullable(),
  })
  .openapi('Redeemed')

/** `POST /api/redeem-codes`: exactly one of `amount` and `plan`. */
export const redeemCodeCreate = z
  .object({
    amount: usdAmount.optional(),
    plan: z.string().max(BOUNDS.plan.name.most).optional(),
    count: wholeNumber(BOUNDS.redeem_code.count).default(1),
    note: textOf(BOUNDS.redeem_code.note).default(''),
    expires_at: time.nullable().default(null),
  })
  .strict()

export const redeemCode = z
  .object({
    id: z.string(),
    code_start: z.string(),
    code_end: z.string(),
    kind: z.enum(['balance', 'plan']),
    amount: usd.nullable(),
    plan: z.string().nullable(),
    note: z.string(),
    created_at: time,
    expires_at: time.nullable(),
    redeemed_at: time.nullable(),
    /** The account's id, and its address. */
    redeemed_by: z.string().nullable(),
    redeemed_by_email: z.string().nullable(),
  })
  .openapi('RedeemCode')

/** `GET /api/redeem-codes` */
export const redeemCodesQuery = pageQuery.extend({
  state: z.enum(['unused', 'used', 'expired']).optional().describe('a used one counts as used alone'),
  batch: time.optional().describe('when the codes were created, as in `GET /api/redeem-codes/batches`'),
  search: z.string().max(100).optional().describe('part of the note, the end of the code, or its id'),
})

/** The codes themselves, in the order of `data`, are said once, here. Null when an `Idempotency-Key` is repeated. */
export const redeemCodesMade = z.object({ codes: z.array(z.string()).nullable(), data: z.array(redeemCode) })

/** `POST /api/subscriptions/{id}/extend` */
export const subscriptionExtend = z
  .object({
    days: wholeNumber(BOUNDS.subscription.days),
    reason: z.string().trim().min(BOUNDS.subscription.reason.least).max(BOUNDS.subscription.reason.most),
  })
  .strict()

export type RedeemCodeView = z.output<typeof redeemCode>
export type LedgerEntryView = z.output<typeof ledgerEntry>
export type LedgerDays = z.output<typeof ledgerDays>
export type SubscriptionView = z.output<typeof subscription>
export type PlanView = z.output<typeof plan>
export type RedeemAnswerView = z.output<typeof redeemAnswer>
