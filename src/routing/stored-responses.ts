/** Owners of some ids; one that is in neither is not known, or it has been too long. */
export interface StoredOwners {
  /** Ids of this account, with the upstreams that made them. */
  readonly own: ReadonlyMap<string, string>
  /** Ids that other accounts alone have got. */
  readonly others: ReadonlySet<string>
}

/**
 * Remembers which upstream made the responses that it keeps for later, and the items of them, and for which account: only there can
 * they be read, cancelled, deleted and referred to, and only by that account.
 */
export interface StoredResponseStore {
  /** The upstream that made the response of this account; null: none is known, or it has been too long. */
  upstreamOf(accountId: string, responseId: string, nowMs: number): Promise<string | null>
  /** The owners of these, responses and items alike, as this account is to */
  ownersOf(accountId: string, ids: readonly string[], nowMs: number): Promise<StoredOwners>
  forget(accountId: string, responseId: string): Promise<void>
  /** Forgets those that providers no longer keep, and the oldest of accounts that have too many, a portion at a time. */
  prune(nowMs: number): Promise<void>
}
