import type { NanoUsd } from '../core/money.ts'
import type { QuotaWindow } from '../core/quota-window.ts'
import type { ApiKey } from './api-key.ts'

/** Filters of a list of keys. Deleted ones are never listed. What is absent may be anything. */
export interface KeyFilter {
  /** null: of all accounts. */
  readonly accountId: string | null
  /** Part of the name in any case, of the id, or of the shown beginning or end of the secret. */
  readonly search?: string | undefined
  /** The status as a person sees it. */
  readonly status?: ShownStatus | undefined
  readonly groupId?: string | undefined
  readonly tag?: string | undefined
  /** Leaves out the keys of the console's playground. */
  readonly isWithoutPlayground?: boolean | undefined
}

/** A key that is active and over is `expired`; one that is neither and has spent all of its quota is `quota_exhausted`. */
export type ShownStatus = 'active' | 'disabled' | 'expired' | 'quota_exhausted'

export interface KeyOrder {
  /** `spent`: ever. What never expires, and what was never used, stands at the far end. */
  readonly by: 'created_at' | 'name' | 'last_used_at' | 'spent' | 'expires_at'
  readonly isDescending: boolean
}

/** Where a list goes on: behind the key with this id, and this value of what it is ordered by. */
export interface KeyListPlace {
  readonly value: string
  readonly id: string
}

export interface KeyPage {
  readonly keys: readonly ListedKey[]
  /** null: there are no more. */
  readonly next: KeyListPlace | null
  /** How many pass the filter; with `isTotalMore`, more than that. */
  readonly total: number
  readonly isTotalMore: boolean
}

export interface ListedKey {
  readonly key: ApiKey
  readonly status: ShownStatus
  /** What is spent of its quota in the period that runs; null: it has no quota. */
  readonly spentInPeriod: NanoUsd | null
  /** When that period ends; null: never, or it has no quota. Epoch milliseconds. */
  readonly periodEndsAt: number | null
  readonly spentEver: NanoUsd
  /** When its newest request began; null: it was never used. */
  readonly lastUsedAt: number | null
}

/** What to watch an account's keys for, without those of the playground: keys that soon stop, or did of late. Epoch milliseconds. */
export interface Watch {
  readonly accountId: string
  readonly nowMs: number
  /** Keys that expired earlier are old news. */
  readonly endedAfterMs: number
  readonly endsBeforeMs: number
  /** The share of a quota or spend window that is used, from which a key is watched. */
  readonly percent: number
}

/** A key with what it is near to, or past. Epoch milliseconds. */
export type WatchedKey = { readonly id: string; readonly name: string } & (
  | { readonly why: 'expiry'; readonly at: number }
  | {
      readonly why: 'quota' | 'spend'
      readonly used: NanoUsd
      readonly limit: NanoUsd
      /** When its period or window ends; null: never. */
      readonly resetsAt: number | null
      /** null: of a quota. */
      readonly window: QuotaWindow | null
    }
)
