import { type CountedLimits, NO_COUNTS } from './counted-limits.ts'
import { KEYS_OF_AN_ACCOUNT_LIMIT } from './limits.ts'
import type { NanoUsd } from './money.ts'
import type { SpendWindow } from './quota-window.ts'

/** What limits an account as a whole, all of its keys together. null: no such limit. */
export interface AccountLimits extends CountedLimits {
  readonly spend: readonly { readonly window: SpendWindow; readonly usd: NanoUsd }[]
  /** Keys that are not deleted. */
  readonly maxKeys: number | null
  /** Days from the creation of a key until its end, at most. */
  readonly maxKeyValidityDays: number | null
}

/** The limits that one source sets (an admin on the account, a plan, the installation); the others it leaves open. */
export type SetLimits = Partial<AccountLimits>

/** What holds where no source says anything. */
export const NO_ACCOUNT_LIMITS: AccountLimits = { ...NO_COUNTS, spend: [], maxKeys: null, maxKeyValidityDays: null }

/** How many keys the account may have: never more than any account. */
export function mostKeys({ maxKeys }: Pick<AccountLimits, 'maxKeys'>): number {
  return Math.min(maxKeys ?? Infinity, KEYS_OF_AN_ACCOUNT_LIMIT)
}
