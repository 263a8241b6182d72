import {
  paymentSettings,
  paymentSettingsPatch,
  type PaymentSettingsView,
  signingSecret,
} from '../../contract/payments.ts'
import { changesBetween } from '../../access/audit.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { versionOf } from '../api/version.ts'
import { changedSettings } from '../payments/change-settings.ts'
import { isTestKey } from '../../payments/stripe-client.ts'
import type { ControlParts } from '../parts.ts'
import {
  readPayments,
  type StoredEpay,
  type StoredPayments,
  type StoredStripe,
  writePayments,
} from '../payments/stored-settings.ts'

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
