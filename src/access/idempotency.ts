/**
 * Requests that named themselves by an `Idempotency-Key`, so that a repetition returns what the first one did and does
 * nothing. Answers are kept for a day, and without the secrets that were in them.
 */
export interface IdempotencyStore {
  /**
   * Says that this request runs now, unless one with the same actor and key did before: one of many at once gets
   * `claimed`. `request` is a keyed hash of path and body. Throws away what is older than a day.
   */
  claim(claim: {
    readonly actor: string
    readonly key: string
    readonly request: string
    readonly nowMs: number
  }): Promise<IdempotencyClaim>
  /** How it ended. `body`: JSON, or null for none. */
  finish(who: IdempotencyName, answer: { readonly status: number; readonly body: string | null }): Promise<void>
  /** Releases a key whose call changed nothing: it may be tried again. */
  release(who: IdempotencyName): Promise<void>
  /** Keeps a call that ended in the middle, and of which it is unknown how far it came. */
  leaveUnclear(who: IdempotencyName): Promise<void>
}

export interface IdempotencyName {
  readonly actor: string
  readonly key: string
}

export type IdempotencyClaim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly status: number; readonly body: string | null }
  /** Another path or body came under this key before. */
  | { readonly kind: 'other_request' }
  | { readonly kind: 'running' }
  | { readonly kind: 'unclear' }
  /** The actor has as many keys as are kept for one. */
  | { readonly kind: 'too_many' }
