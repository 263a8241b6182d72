import { z } from '@hono/zod-openapi'
import { multiplier, pageQuery, time, usd, usdAmount, version } from './wire-values.ts'

/** Names of the providers that are built in: a shop of one's own has another. */
const BUILT_IN_PROVIDERS = ['stripe', 'epay'] as const

const ORDER_STATES = ['open', 'paid', 'cancelled', 'held', 'partly_refunded', 'refunded'] as const

/** What is paid, in the currency of the provider. */
const price = z
  .object({
    amount: z
      .string('must be an amount as text, like "12.50"')
      .regex(/^\d{1,12}(\.\d{1,9})?$/, 'must be an amount as text, like "12.50"')
      .openapi({ example: '12.50' }),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, 'must be the three letters of a currency, like "eur"')
      .openapi({ example: 'eur' }),
  })
  .strict()

export const order = z
  .object({
    id: z.string(),
    created_at: time,
    account_id: z.string(),
    /** The address of the account; for staff alone. */
    account_email: z.string().nullable(),
    /** `stripe`, `epay`, or the name of a shop. */
    provider: z.string(),
    /** What it is called there. */
    provider_order: z.string().nullable(),
    kind: z.enum(['balance', 'plan']),
    /** What it adds to the balance. */
    amount: usd.nullable(),
    plan: z.string().nullable(),
    price,
    state: z.enum(ORDER_STATES),
    /** Why the money that came is held. */
    trouble: z.enum(['amount_differs', 'balance_too_large', 'account_gone']).nullable(),
    paid_at: time.nullable(),
    /** Where it can be paid; null once it cannot. */
    checkout_url: z.string().nullable(),
    invoice_url: z.string().nullable(),
    /** What was refunded of the price. */
    refunded: z.string(),
    /** What was taken back of the balance. */
    taken_back: usd,
    /** What the provider took back and the balance did not hold any more; for staff alone. */
    uncollected: usd.nullable(),
    subscription_id: z.string().nullable(),
  })
  .openapi('Order')

/** `GET /api/orders`, newest first. */
export const ordersQuery = pageQuery.extend({
  /** Staff only: another account's, or `*` for all. Absent: own. */
  account_id: z.string().max(64).optional(),
  state: z.enum(['open', 'paid', 'cancelled', 'held']).optional(),
  provider: z.string().max(32).optional(),
})

/** `POST /api/orders/{id}/refund` */
export const orderRefund = z
  .object({
    /** An amount of the price, in its currency; absent: all that is not refunded yet. */
    amount: price.shape.amount.optional(),
    reason: z.string().trim().min(1).max(200),
  })
  .strict()

const shopName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,31}$/, 'must be 2 to 32 of a-z, 0-9 and "-", beginning with a letter')
  .refine(
    (name) => !(BUILT_IN_PROVIDERS as readonly string[]).includes(name),
    'must be a name other than stripe and epay',
  )
  .openapi({ example: 'my-shop' })

const shopOrder = z.string().min(1).max(128)

/** `POST /api/payments/orders`: exactly one of `amount` and `plan`. */
export const signedOrder = z
  .object({
    provider: shopName,
    order: shopOrder.describe('what the shop calls it, once for each order'),
    account: z.string().min(1).max(320).describe('its id or its email address'),
    amount: usdAmount.optional(),
    plan: z.string().max(100).optional(),
    price,
  })
  .strict()

/** `POST /api/payments/paid` */
export const signedPayment = z
  .object({
    provider: shopName,
    order: shopOrder,
    price,
    invoice_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .nullable()
      .default(null),
  })
  .strict()

/** `POST /api/payments/refunded` */
export const signedRefund = z
  .object({
    provider: shopName,
    order: shopOrder,
    refund: shopOrder.describe('what the shop calls the refund, once for each'),
    price: price.describe('what is paid back'),
    failed: z.boolean().default(false).describe('it was said to be made, and was not'),
  })
  .strict()

const provider = z.enum(BUILT_IN_PROVIDERS)
const way = z.enum(['alipay', 'wxpay', 'qqpay', 'bank', 'usdt'])
const currency = price.shape.currency
const perUsd = multiplier.describe('units of the currency that one USD of balance costs')

/** `GET /api/payments`: what the console offers; no provider: nothing can be bought. */
export const paymentOffer = z
  .object({
    amounts: z.array(usd),
    smallest: usd,
    largest: usd,
    providers: z.array(
      z.object({
        name: provider,
        currency,
        per_usd: perUsd,
        ways: z.array(way),
        is_test: z.boolean().describe('no money moves: its key is of the test mode'),
      }),
    ),
    has_orders: z.boolean().describe('whether the account that asks has ordered anything: `GET /api/orders` lists it'),
  })
  .openapi('PaymentOffer')

/** `POST /api/orders`: exactly one of `amount` and `plan`. */
export const orderCreate = z
  .object({
    provider,
    amount: usdAmount.optional(),
    plan: z.string().max(100).optional(),
    /** The way of paying by epay. */
    way: way.optional(),
  })
  .strict()

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,500}$/, 'must be 16 to 500 printable characters without spaces')
  .describe('kept when left out, and never shown')

const stripeSettings = z.object({
  on: z.boolean(),
  currency,
  per_usd: perUsd,
  invoices: z.boolean().describe('whether Stripe makes an invoice of each payment, for which it takes a fee'),
})
const epaySettings = z.object({
  on: z.boolean(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .describe('of the gateway, to which submit.php is added'),
  pid: z.string().min(1).max(64),
  ways: z.array(way).min(1).max(5),
  currency,
  per_usd: perUsd,
})

/** `PATCH /api/payment-settings`; null takes a provider away with its secrets. */
export const paymentSettingsPatch = z
  .object({
    amounts: z.array(usdAmount).max(12),
    smallest: usdAmount,
    largest: usdAmount,
    stripe: stripeSettings.extend({ secret_key: secret, webhook_secret: secret }).partial().strict().nullable(),
    epay: epaySettings.extend({ key: secret }).partial().strict().nullable(),
  })
  .partial()
  .strict()

/** `GET /api/payment-settings`. Secrets are never shown. */
export const paymentSettings = z
  .object({
    amounts: z.array(usd).describe('that are offered for topping up'),
    smallest: usd,
    largest: usd,
    stripe: stripeSettings
      .extend({
        has_secret_key: z.boolean(),
        has_webhook_secret: z.boolean(),
        is_test: z
          .boolean()
          .nullable()
          .describe('whether its secret key is of the test mode, where no money moves; null: it has none'),
        webhook_url: z.string().describe('what Stripe is to send events to'),
      })
      .nullable(),
    epay: epaySettings.extend({ has_key: z.boolean() }).nullable(),
    has_signing_secret: z.boolean().describe('whether shops can send signed orders'),
    version,
  })
  .openapi('PaymentSettings')

/** `POST /api/payment-settings/signing-secret`: said once. */
export const signingSecret = z.object({ secret: z.string().nullable() })

export type OrderView = z.output<typeof order>
export type PaymentOffer = z.output<typeof paymentOffer>
export type PaymentSettingsPatch = z.input<typeof paymentSettingsPatch>
export type PaymentSettingsView = z.output<typeof paymentSettings>
