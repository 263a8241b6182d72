import type { z } from '@hono/zod-openapi'
import {
  paymentSettings,
  paymentSettingsPatch,
  type PaymentSettingsView,
  signingSecret,
} from '../../contract/payments.ts'
import { changesBetween } from '../../access/audit.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { versionOf } from '../api/version.ts'
import { isTestKey } from '../../payments/stripe-client.ts'
import type { ControlParts } from '../parts.ts'
import {
  readPayments,
  type StoredEpay,
  type StoredPayments,
  type StoredStripe,
  writePayments,
} from '../payments/stored-settings.ts'
import { givenFields } from '../../core/given-fields.ts'
import { readCurrency } from '../../core/currency.ts'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import { fieldProblem } from '../problem.ts'

const route = routesOf('Administration')

/** 256 bits. */
const SECRET_BYTES = 32

const readPaymentSettings = route('get /api/payment-settings', {
  summary: 'Read how payments are taken',
  description: 'Secrets are never shown.',
  who: 'staff',
  answer: paymentSettings,
  handle: async (call, { store, unseal }) => settingsView(await readPayments(store.settings), call.origin, unseal),
})

const changePaymentSettings = route('patch /api/payment-settings', {
  summary: 'Change how payments are taken',
  description: 'What is left out stays as it is, secrets too. null takes a provider away with its secrets.',
  who: 'admin',
  body: paymentSettingsPatch,
  answer: paymentSettings,
  example: { body: { stripe: { on: true, currency: 'eur', per_usd: '0.95' } } },
  async handle(call, { seal, unseal, publicOrigin }) {
    const after = await call.change(async ({ settings }, audit) => {
      const before = await readPayments(settings)
      const asked = changedSettings(before, call.body, { seal, publicOrigin })
      call.requireVersion({ before: shown(before), after: shown(asked), secrets: secretsOf(before) })
      await writePayments(settings, asked)
      const changes = changesBetween(audited(before), audited(asked))
      await audit({ action: 'payments.update', subject: null, accountId: null, changes })
      return asked
    })
    return settingsView(after, call.origin, unseal)
  },
})

const createSigningSecret = route('post /api/payment-settings/signing-secret', {
  summary: 'Create the secret that signs orders of a shop',
  description:
    'It replaces the one before, which signs nothing from then on. The secret is in this answer and in no other.',
  who: 'admin',
  answer: signingSecret,
  status: 201,
  secretFields: ['secret'],
  async handle(call, { randomBytes, seal }) {
    const secret = `tgpay_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')}`
    await call.change(async ({ settings }, audit) => {
      const before = await readPayments(settings)
      await writePayments(settings, { ...before, sealedSigningSecret: seal(secret) })
      const had = before.sealedSigningSecret === null ? null : 'set'
      const changes = changesBetween({ signing_secret: had }, { signing_secret: 'set anew' })
      await audit({ action: 'payments.secret', subject: null, accountId: null, changes })
    })
    return { secret }
  },
})

export const paymentSettingsRoutes: readonly ApiRoute[] = [
  readPaymentSettings,
  changePaymentSettings,
  createSigningSecret,
]

function settingsView(stored: StoredPayments, origin: string, unseal: ControlParts['unseal']): PaymentSettingsView {
  const { stripe, ...others } = shown(stored)
  return {
    ...others,
    stripe: stripe && { ...stripe, is_test: isTestOf(stored, unseal), webhook_url: `${origin}/api/payments/stripe` },
    version: versionOf(shown(stored), secretsOf(stored)),
  }
}

/** null where none is kept. */
function isTestOf({ stripe }: StoredPayments, unseal: ControlParts['unseal']): boolean | null {
  const sealed = stripe?.sealedSecretKey ?? null
  return sealed === null ? null : isTestKey(unseal(sealed))
}

/** Settings without their secrets. */
function shown({ sealedSigningSecret, amounts, stripe, epay, smallest, largest }: StoredPayments) {
  return {
    smallest,
    largest,
    amounts: [...amounts],
    stripe: stripe && shownStripe(stripe),
    epay: epay && shownEpay(epay),
    has_signing_secret: sealedSigningSecret !== null,
  }
}

function shownStripe({ sealedSecretKey, sealedWebhookSecret, ...others }: StoredStripe) {
  return { ...others, has_secret_key: sealedSecretKey !== null, has_webhook_secret: sealedWebhookSecret !== null }
}

function shownEpay({ sealedKey, ways, ...others }: StoredEpay) {
  return { ...others, ways: [...ways], has_key: sealedKey !== null }
}

function secretsOf({ sealedSigningSecret, stripe, epay }: StoredPayments): readonly string[] {
  const sealed = [sealedSigningSecret, stripe?.sealedSecretKey, stripe?.sealedWebhookSecret, epay?.sealedKey]
  return sealed.map((each) => each ?? '')
}

/** Settings for the audit, where marks tell one secret from another and say nothing of them. */
function audited(stored: StoredPayments) {
  const { stripe, epay, ...others } = shown(stored)
  const secrets = versionOf({}, secretsOf(stored))
  return { ...others, stripe: JSON.stringify(stripe), epay: JSON.stringify(epay), secrets }
}

type Sent = z.output<typeof paymentSettingsPatch>
type Seal = (text: string) => string

/**
 * Settings with what was sent in place of what stood; secrets that were not sent stay. `publicOrigin`: TOLLGATE_PUBLIC_URL.
 * Throws Problem.
 */
function changedSettings(
  before: StoredPayments,
  sent: Sent,
  { seal, publicOrigin }: { readonly seal: Seal; readonly publicOrigin: string | null },
): StoredPayments {
  const after: StoredPayments = {
    ...before,
    amounts: sent.amounts ?? before.amounts,
    smallest: sent.smallest ?? before.smallest,
    largest: sent.largest ?? before.largest,
    stripe: sent.stripe === undefined ? before.stripe : sent.stripe && stripeOf(before.stripe, sent.stripe, seal),
    epay: sent.epay === undefined ? before.epay : sent.epay && epayOf(before.epay, sent.epay, seal),
  }
  if (sent.epay?.on === true && publicOrigin === null) {
    throw fieldProblem(
      'epay.on',
      'epay.on needs TOLLGATE_PUBLIC_URL: the payment gateway reports payments to that address.',
    )
  }
  if (parseUsd(after.smallest) <= 0n) throw fieldProblem('smallest', 'smallest must be more than zero.')
  if (parseUsd(after.smallest) > parseUsd(after.largest)) {
    throw fieldProblem('largest', 'largest must be at least smallest.')
  }
  const outside = after.amounts.findIndex(
    (amount) => parseUsd(amount) < parseUsd(after.smallest) || parseUsd(amount) > parseUsd(after.largest),
  )
  if (outside >= 0) throw fieldProblem(`amounts.${outside}`, 'amounts must be between smallest and largest.')
  return after
}

function stripeOf(before: StoredStripe | null, sent: NonNullable<Sent['stripe']>, seal: Seal): StoredStripe {
  const { secret_key: key, webhook_secret: webhook, ...others } = givenFields(sent)
  const standing = before ?? { ...NEW, invoices: false, sealedSecretKey: null, sealedWebhookSecret: null }
  const after = {
    ...standing,
    ...others,
    sealedSecretKey: key === undefined ? standing.sealedSecretKey : seal(key),
    sealedWebhookSecret: webhook === undefined ? standing.sealedWebhookSecret : seal(webhook),
  }
  return { ...after, ...checkedRate(after, 'stripe') }
}

function epayOf(before: StoredEpay | null, sent: NonNullable<Sent['epay']>, seal: Seal): StoredEpay {
  const { key, ...others } = givenFields(sent)
  const standing = before ?? { ...NEW, currency: 'cny', url: '', pid: '', ways: ['alipay' as const], sealedKey: null }
  const after = { ...standing, ...others, sealedKey: key === undefined ? standing.sealedKey : seal(key) }
  for (const field of ['url', 'pid'] as const) {
    if (after[field] === '')
      throw fieldProblem(`epay.${field}`, `epay.${field} is missing: the gateway gave it to you.`)
  }
  if (before !== null && before.url !== after.url && key === undefined) {
    throw fieldProblem('epay.key', 'epay.key must be sent with another url: a key goes to its own gateway alone.')
  }
  return { ...after, ...checkedRate(after, 'epay') }
}

const NEW = { on: false, currency: 'usd', per_usd: '1' } as const

function checkedRate(of: { readonly currency: string; readonly per_usd: string }, path: string) {
  const currency = readCurrency(of.currency)
  if (currency === null)
    throw fieldProblem(`${path}.currency`, `${path}.currency is not a currency that is known here.`)
  if (parseMultiplier(of.per_usd) === 0n)
    throw fieldProblem(`${path}.per_usd`, `${path}.per_usd must be more than zero.`)
  return { currency }
}
