/** Which upstream made the responses that it keeps for later: only there can they be read, cancelled and deleted. */
export interface StoredResponseStore {
  /** The upstream that made the response of this account; null: none is known, or it has been too long. */
  upstreamOf(accountId: string, responseId: string, nowMs: number): Promise<string | null>
  forget(accountId: string, responseId: string): Promise<void>
  /** Forgets those that providers no longer keep, a portion at a time. */
  prune(nowMs: number): Promise<void>
}
