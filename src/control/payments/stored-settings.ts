import type { ControlStores } from '../parts.ts'

/** How payments are taken, as it is stored: secrets are sealed, amounts and rates are text. */
export interface StoredPayments {
  /** null: no shop can send signed orders. */
  readonly sealedSigningSecret: string | null
  /** USD that are offered for topping up, and the bounds of other amounts. */
  readonly amounts: readonly string[]
  readonly smallest: string
  readonly largest: string
  readonly stripe: StoredStripe | null
  readonly epay: StoredEpay | null
}

export interface StoredStripe {
  readonly on: boolean
  readonly currency: string
  readonly per_usd: string
  readonly invoices: boolean
  readonly sealedSecretKey: string | null
  readonly sealedWebhookSecret: string | null
}

export interface StoredEpay {
  readonly on: boolean
  readonly url: string
  readonly pid: string
  readonly ways: readonly ('alipay' | 'wxpay' | 'qqpay' | 'bank' | 'usdt')[]
  readonly currency: string
  readonly per_usd: string
  readonly sealedKey: string | null
}

const NAME = 'payments'
const NONE: StoredPayments = {
  sealedSigningSecret: null,
  amounts: ['5', '10', '20', '50', '100'],
  smallest: '1',
  largest: '1000',
  stripe: null,
  epay: null,
}

export async function readPayments(store: Pick<ControlStores['settings'], 'read'>): Promise<StoredPayments> {
  const stored = await store.read(NAME)
  // What a later version added is not lost on it: it is written back as it was.
  return stored === null ? NONE : { ...NONE, ...(JSON.parse(stored) as Partial<StoredPayments>) }
}

/** Whether anything was ever set of how payments are taken. */
export async function arePaymentsStored(store: Pick<ControlStores['settings'], 'read'>): Promise<boolean> {
  return (await store.read(NAME)) !== null
}

export async function writePayments(store: ControlStores['settings'], payments: StoredPayments): Promise<void> {
  await store.write(NAME, JSON.stringify(payments))
}

/** Stripe as it can be asked now; null: it is off, or lacks a secret. */
export function usableStripe({ stripe }: StoredPayments) {
  if (stripe === null || !stripe.on || stripe.sealedSecretKey === null || stripe.sealedWebhookSecret === null)
    return null
  const { sealedSecretKey, sealedWebhookSecret } = stripe
  return { ...stripe, sealedSecretKey, sealedWebhookSecret }
}

/** Epay as it can be asked now; null: it is off, or lacks its key. */
export function usableEpay({ epay }: StoredPayments) {
  return epay === null || !epay.on || epay.sealedKey === null ? null : { ...epay, sealedKey: epay.sealedKey }
}
