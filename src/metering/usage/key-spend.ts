import type { NanoUsd } from '../../core/money.ts'
import type { UsageTotals } from './usage-totals.ts'

export const KEY_SPEND_ORDERS = ['cost', 'requests', 'tokens', 'name'] as const

/** What each key of an account used in a span, a page of keys at a time. Those without a request in it are left out. */
export interface KeySpendQuery {
  readonly accountId: string
  /** Epoch milliseconds; widened to whole hours. The time before it is as long. */
  readonly fromMs: number
  readonly toMs: number
  readonly groupId?: string | undefined
  readonly model?: string | undefined
  /** Keys that have it now. */
  readonly tag?: string | undefined
  readonly orderBy: (typeof KEY_SPEND_ORDERS)[number]
  readonly isDescending: boolean
  /** The key behind which the page goes on: its id, and its value of what is ordered by. */
  readonly after: { readonly value: string; readonly id: string } | null
  /** 1 to 200. */
  readonly limit: number
}

export interface KeySpendPage {
  /** The span that is summed, and the one before it. Epoch milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  readonly beforeFromMs: number
  readonly keys: readonly KeySpend[]
  readonly next: KeySpendQuery['after']
  /** How many keys there are in all, not on this page. */
  readonly keysInAll: number
  readonly costInAll: NanoUsd
}

export interface KeySpend {
  readonly keyId: string
  /** The name of the key now; null: it is gone. */
  readonly name: string | null
  /** The shown parts of its secret. */
  readonly secretStart: string | null
  readonly secretEnd: string | null
  readonly tags: readonly string[]
  readonly totals: Omit<UsageTotals, 'balancePaid'>
  readonly costBefore: NanoUsd
}

/** What the keys of an account used in a span, by the tags that they have now. */
export type TagSpendQuery = Pick<KeySpendQuery, 'accountId' | 'fromMs' | 'toMs' | 'groupId' | 'model'>

export interface TagSpends extends Pick<KeySpendPage, 'fromMs' | 'toMs' | 'beforeFromMs' | 'costInAll'> {
  /** The dearest first. A key with two tags counts in both. */
  readonly tags: readonly TagSpend[]
}

export interface TagSpend {
  /** null: of keys without one. */
  readonly tag: string | null
  /** How many were used. */
  readonly keys: number
  readonly totals: Omit<UsageTotals, 'balancePaid'>
  readonly costBefore: NanoUsd
}
