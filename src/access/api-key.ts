import type { Account } from './account.ts'
import type { RunningCapture } from './capture.ts'
import type { KeySettings } from './key-settings.ts'
import type { LimitSources } from './limits-in-force.ts'
import type { QuotaRaise } from './quota-raise.ts'
import type { Subscription } from './subscription.ts'

/**
 * A credential that a client presents, as the gateway needs it. The secret is not in it: only its hash is stored,
 * and the key is found by that hash.
 */
export interface ApiKey extends KeySettings {
  readonly id: string
  readonly accountId: string
  readonly status: KeyStatus
  /** When it was disabled or deleted; null while active. Epoch milliseconds, as is every `…At`. */
  readonly statusChangedAt: number
  /** First ten and last four characters of the secret, for display. */
  readonly secretStart: string
  readonly secretEnd: string
  /** The secret before the last rotation, as long as it is kept: also after it stopped working. */
  readonly overlap: SecretOverlap | null
  readonly createdAt: number
  /** Comes from the declarative file and is read-only elsewhere. */
  readonly isManaged: boolean
  /** The console's playground created it for one visit: lists, notices and exports leave it out. */
  readonly isForPlayground?: true
  /** Set for the key of a signed-in device (`device.ts`), whose access tokens carry this epoch; absent: it has a secret. */
  readonly device?: { readonly epoch: number }
  /** What its requests send and get is kept, until then; absent: nothing is. */
  readonly capture?: RunningCapture
  /** The raise of its quota for a while; absent: it is not raised. */
  readonly quotaRaise?: QuotaRaise
}

/** What is known of the secret before the last rotation: it works until `endsAt`. 0: it stopped with the rotation. */
export interface SecretOverlap {
  readonly secretEnd: string
  readonly endsAt: number
  /** When the secret was used last since the rotation, to the minute. */
  readonly lastUsedAt: number | null
}

export type KeyStatus = 'active' | 'disabled' | 'deleted'

/** A key with what is decided about its owner: the two are read together and cached together. */
export interface KeyWithOwner {
  readonly key: ApiKey
  readonly account: Account
  /** The key was found by the secret before its last rotation. */
  readonly isByPreviousSecret?: true
  /** The key was found by the hash that another gateway has of its secret: it has none of its own yet. */
  readonly isByBroughtHash?: true
  /** What a device’s key was found by: the client of its stored secret, or empty for an access token. Absent: it is not a device’s. */
  readonly deviceSecret?: string
  /** The owner's, as far as they had not ended or been cancelled when this was read; the one that ends first comes first. */
  readonly subscriptions: readonly Subscription[]
  /** Where the limits of the owner come from. Absent: it has none, now or later. */
  readonly limiting?: LimitSources
}

/** What a new key is made of, beside its secret. */
export type NewKey = Omit<ApiKey, 'statusChangedAt' | 'secretStart' | 'secretEnd' | 'overlap' | 'status' | 'capture'>
