/**
 * How often a caller guessed wrong at something whose refusal must reveal nothing: a custom key, a redeem code.
 * Each such answer says the same whatever the reason; asking often enough would still tell, so wrong guesses are counted for
 * an hour, and too many of them lock the option for who asks. On every node, and over restarts.
 */
export interface AttemptLimiter {
  /**
   * Notes a guess before it is judged, so that many at once are counted as well; `guessId` is taken back when it was right.
   * `locked`: there were as many as `limit` within the hour, and this one must not be judged.
   */
  enter(guess: Guess): Promise<{ readonly kind: 'open' } | { readonly kind: 'locked'; readonly untilMs: number }>
  /** Gives a guess back that was right, or was refused for another reason: it does not count. */
  refund(guessId: string): Promise<void>
}

export interface Guess {
  readonly id: string
  readonly about: 'custom_key' | 'redeem_code'
  /** An account's id, or another name of who asks. */
  readonly asker: string
  /** So many wrong ones an hour. */
  readonly limit: number
  /** Epoch milliseconds. */
  readonly nowMs: number
}

export const GUESS_COUNTS_MS = 3_600_000
