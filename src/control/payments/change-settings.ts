import { givenFields } from '../../core/given-fields.ts'
import type { z } from '@hono/zod-openapi'
import type { paymentSettingsPatch } from '../../contract/payments.ts'
import { readCurrency } from '../../core/currency.ts'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import { fieldProblem } from '../problem.ts'
import type { StoredEpay, StoredPayments, StoredStripe } from './stored-settings.ts'

type Sent = z.output<typeof paymentSettingsPatch>
type Seal = (text: string) => string

/**
 * Settings with what was sent in place of what stood; secrets that were not sent stay. `publicOrigin`: TOLLGATE_PUBLIC_URL.
 * Throws Problem.
 */
export function changedSettings(
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
