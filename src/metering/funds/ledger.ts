import type { NanoUsd } from '../../core/money.ts'
import type { ArchivedRecords } from '../usage/retention.ts'

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
  /** The number that its maker gave it, like that of an invoice: an account has each once. null: none. */
  readonly reference: string | null
}

/**
 * `grant`: what an account begins with. `credit`: a top-up. `redeem`: a redeem code's balance. `refund`: what a refund of an
 * order takes back, or gives again where it failed. `renewal`: the price of a plan that runs on.
 * `adjustment`: a correction by an admin. `import`: what another gateway's books say of the account, and what has changed there since.
 */
export type LedgerEntryKind = 'usage' | 'grant' | 'credit' | 'redeem' | 'refund' | 'renewal' | 'adjustment' | 'import'

export type LedgerPosting = Omit<LedgerEntry, 'balanceAfter' | 'requestId' | 'reference'> & {
  readonly reference?: string
  readonly once?: string
}

export interface LedgerStore {
  /**
   * Adds to (or, negative, takes from) a balance. With a `reference`, or with `once`, a second entry of the same account and
   * the same one is not written; where both are given, the reference alone counts. Returns the entry, or why there is none. Taking more than is neither used nor held is refused, but for
   * `import`: what was spent elsewhere is spent.
   */
  post(entry: LedgerPosting): Promise<PostAnswer>
  balance(accountId: string): Promise<NanoUsd>
  /** The newest entries, newest first. */
  entries(accountId: string, limit: number): Promise<readonly LedgerEntry[]>
  /**
   * Entries of one account, newest first: those behind `after` (null: from the newest on). A page of a filter that few entries
   * pass may be shorter than `limit`, or empty, and go on all the same: only `next` null is the end. Throws RangeError for a
   * limit that is not 1 to 200.
   */
  page(filter: LedgerFilter, page: { readonly after: number | null; readonly limit: number }): Promise<LedgerPage>
  /**
   * Reads the books of one moment and compares every figure that must agree. Of days whose records were taken out, the sums
   * that were kept of them; with the whole `archive`, the records themselves.
   */
  prove(options?: ProveOptions): Promise<LedgerProof>
}

export interface ProveOptions {
  readonly archive?: ArchivedRecords
  readonly onProgress?: OnProofProgress
}

/** Hears how many rows of what is read were looked at. What it throws ends the proof. */
export type OnProofProgress = (step: string, done: number, all: number) => void

/** Filters of entries. What is absent may be anything. */
export interface LedgerFilter {
  readonly accountId: string
  /** `not_usage`: whatever else changed the balance. */
  readonly kind?: LedgerEntryKind | 'not_usage' | undefined
  /** Included. For `usage`, the time is that at which the request began. Epoch milliseconds. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[]
  /** The `after` of the next page; null: there is none. */
  readonly next: number | null
}

export type PostAnswer =
  /** `seq`: of the change that gateways follow before they spend what was added; null when something was taken. */
  | { readonly kind: 'posted'; readonly entry: LedgerEntry; readonly seq: number | null }
  | { readonly kind: 'already_posted' }
  | { readonly kind: 'insufficient'; readonly available: NanoUsd }
  /** The account's credits would add up to more than `CREDITS_LIMIT_NANO_USD`. */
  | { readonly kind: 'too_large' }
  | { readonly kind: 'unknown_account' }

/** What `check-ledger` found. `disagreements` holds the first hundred, each a sentence that names the record. */
export interface LedgerProof {
  readonly accounts: number
  readonly entries: number
  readonly records: number
  /** Records that were taken out of the books: those that the archive was not read for. */
  readonly retired: number
  readonly charged: NanoUsd
  /** Charges that met no active lease, over all budgets: what a frozen node had in flight. */
  readonly overruns: number
  readonly disagreements: readonly string[]
}
