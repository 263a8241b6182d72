import type { NanoUsd } from '../core/money.ts'

/** A signed change of an account's balance with its reason. Append-only. */
export interface LedgerEntry {
  readonly id: string
  readonly accountId: string
  readonly createdAt: number
  readonly kind: LedgerEntryKind
  /** Positive adds to the balance. */
  readonly amount: NanoUsd
  readonly balanceAfter: NanoUsd
  /** The request that was charged, for `usage`. */
  readonly requestId: string | null
  readonly reason: string
  /** Who did it: an account id, `cli`, `config`, `gateway`. */
  readonly actor: string
}

/** `grant`: what an account begins with. `credit`: a top-up. `redeem`: a redeem code's balance. `adjustment`: anything an operator corrects. */
export type LedgerEntryKind = 'usage' | 'grant' | 'credit' | 'redeem' | 'adjustment'

export interface LedgerStore {
  /**
   * Adds to (or, negative, takes from) a balance. With `once`, a second entry of the same account and the same `once` is
   * not written. Answers the entry, or why there is none. Taking more than is neither used nor held is refused.
   */
  post(entry: Omit<LedgerEntry, 'balanceAfter' | 'requestId'> & { once?: string }): Promise<PostAnswer>
  balance(accountId: string): Promise<NanoUsd>
  entries(accountId: string, limit: number): Promise<readonly LedgerEntry[]>
  /** Reads the books of one moment and compares every figure that must agree. */
  prove(): Promise<LedgerProof>
}

export type PostAnswer =
  | { readonly kind: 'posted'; readonly entry: LedgerEntry }
  | { readonly kind: 'already_posted' }
  | { readonly kind: 'insufficient'; readonly available: NanoUsd }
  | { readonly kind: 'unknown_account' }

/** What `check-ledger` found. `disagreements` holds the first hundred, each a sentence that names the record. */
export interface LedgerProof {
  readonly accounts: number
  readonly entries: number
  readonly records: number
  readonly charged: NanoUsd
  /** Charges that met no active lease, over all budgets: what a frozen node had in flight. */
  readonly overruns: number
  readonly disagreements: readonly string[]
}
