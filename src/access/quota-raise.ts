import type { NanoUsd } from '../core/money.ts'

/** More than the quota of a key for a while. It stands for as long as the key's limit is the one that it was raised to. */
export interface QuotaRaise {
  /** What holds again behind it. */
  readonly from: NanoUsd
  readonly to: NanoUsd
  /** Epoch milliseconds. */
  readonly endsAt: number
  /** Who raised it, as the audit names actors. */
  readonly by: string
}

interface RaisableKey {
  readonly quotaLimit: NanoUsd | null
  readonly quotaRaise?: QuotaRaise
}

/** The key without its raise, where its limit was set since, or the declarative file says what the limit is. */
export function withStandingRaise<Key extends RaisableKey & { readonly isManaged: boolean }>(key: Key): Key {
  const { quotaRaise, ...kept } = key
  if (quotaRaise === undefined || (quotaRaise.to === key.quotaLimit && !key.isManaged)) return key
  return kept as Key
}

/** The key as it is without its raise. */
export function afterRaise<Key extends RaisableKey>(key: Key): Key {
  const { quotaRaise, ...kept } = key
  return quotaRaise === undefined ? key : ({ ...kept, quotaLimit: quotaRaise.from } as unknown as Key)
}
