import type { NanoUsd } from '../core/money.ts'
import type { ApiKey } from './api-key.ts'

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

/** The key without its raise, where its limit was set since, or the declarative file says what the limit is. */
export function withStandingRaise<Key extends Pick<ApiKey, 'quotaLimit' | 'quotaRaise' | 'isManaged'>>(key: Key): Key {
  if (key.quotaRaise === undefined) return key
  if (key.quotaRaise.to === key.quotaLimit && !key.isManaged) return key
  const { quotaRaise: _, ...kept } = key
  return kept as Key
}

/** The key as it is without its raise. */
export function afterRaise(key: ApiKey): ApiKey {
  if (key.quotaRaise === undefined) return key
  const { quotaRaise, ...kept } = key
  return { ...kept, quotaLimit: quotaRaise.from }
}
