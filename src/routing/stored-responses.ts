/**
 * Which upstream made the responses that it keeps for later, and the items of them, and for which account: only there can
 * they be read, cancelled, deleted and referred to, and only by that account.
 */
export interface StoredResponseStore {
  /** The upstream that made the response of this account; null: none is known, or it has been too long. */
  upstreamOf(accountId: string, responseId: string, nowMs: number): Promise<string | null>
  /** The upstreams that made these, responses and items alike, by their ids; those that are not this account's are missing. */
  upstreamsOf(accountId: string, ids: readonly string[], nowMs: number): Promise<ReadonlyMap<string, string>>
  forget(accountId: string, responseId: string): Promise<void>
  /** Forgets those that providers no longer keep, and the oldest of accounts that have too many, a portion at a time. */
  prune(nowMs: number): Promise<void>
}
