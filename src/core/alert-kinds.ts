/** The type of an alert as receivers of webhooks know it, the kind of thing that it is about, and who hears of it. */
interface AlertKindFacts {
  readonly type: string
  readonly subject: string
  readonly to: 'owner' | 'admins'
}

/** What alerts say. Owners hear of their budgets and ends; each that admins hear of comes once an hour at most for each thing. */
export const ALERT_KINDS = {
  key_quota: { type: 'budget.threshold', subject: 'key', to: 'owner' },
  subscription: { type: 'budget.threshold', subject: 'subscription', to: 'owner' },
  low_balance: { type: 'balance.low', subject: 'account', to: 'owner' },
  key_ending: { type: 'key.ending', subject: 'key', to: 'owner' },
  subscription_ending: { type: 'subscription.ending', subject: 'subscription', to: 'owner' },
  renewal_failed: { type: 'renewal.failed', subject: 'subscription', to: 'owner' },
  /** A device was signed out since an earlier one of its refresh tokens was used again: someone may have copied its sign-in. */
  device_reused: { type: 'device.reused', subject: 'key', to: 'owner' },
  /** A device of any account was signed out so. */
  account_device_reused: { type: 'account.device_reused', subject: 'key', to: 'admins' },
  /** An upstream reports usage that is not believed. */
  doubted_usage: { type: 'usage.doubted', subject: 'upstream', to: 'admins' },
  /** A provider refuses a credential, or says that its account has nothing left. */
  credential_held: { type: 'credential.held', subject: 'credential', to: 'admins' },
  /** A credential has cost what it may in a day, and rests until midnight. */
  credential_spend_cap: { type: 'credential.spend_cap', subject: 'credential', to: 'admins' },
  upstream_spend_cap: { type: 'upstream.spend_cap', subject: 'upstream', to: 'admins' },
  target_spend_cap: { type: 'target.spend_cap', subject: 'target', to: 'admins' },
  /** One of these has cost four fifths of that. */
  spend_cap_near: { type: 'spend_cap.near', subject: 'spend_cap', to: 'admins' },
  /** A model's requests fail one after the other, and none is answered. */
  model_unserved: { type: 'model.unserved', subject: 'model', to: 'admins' },
  /** The database will not take a settlement, which is in no book. */
  settlement_set_aside: { type: 'settlement.set_aside', subject: 'gateway', to: 'admins' },
  /** The newest backup is older than it may be, or there is none. */
  backup_old: { type: 'backup.old', subject: 'gateway', to: 'admins' },
  /** Money came for an order that could not be credited. */
  payment_held: { type: 'payment.held', subject: 'order', to: 'admins' },
  /** A provider paid back more than is left of an order, or in another currency. */
  refund_held: { type: 'refund.held', subject: 'order', to: 'admins' },
  /** The database does not answer. It is posted directly, since no alert can be stored then. */
  store_failing: { type: 'store.failing', subject: 'gateway', to: 'admins' },
} as const satisfies Readonly<Record<string, AlertKindFacts>>

type Kinds = typeof ALERT_KINDS
export type AlertKind = keyof Kinds
/** What every admin hears of. */
export type AdminAlertKind = { [Kind in AlertKind]: Kinds[Kind]['to'] extends 'admins' ? Kind : never }[AlertKind]

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as readonly AlertKind[]

export function isAdminAlert(kind: string): kind is AdminAlertKind {
  const kinds: Readonly<Record<string, AlertKindFacts | undefined>> = ALERT_KINDS
  return kinds[kind]?.to === 'admins'
}
