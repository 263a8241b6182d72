/**
 * What a request consumed, by kind of token. `null` means that nobody reported the count; 0 means it was reported as none.
 * The kinds don't overlap: a token is counted in exactly one of `input`, `cacheRead`, `cacheWrite`, `cacheWrite1h`, `output`.
 * `reasoning` is the part of `output` that was thinking, kept for the reader and never priced on top.
 */
export interface TokenCounts {
  /** Input tokens that were neither read from nor written to the upstream's prompt cache. */
  readonly input: number | null
  readonly cacheRead: number | null
  /** Tokens written to a cache that lives for five minutes, or for a time that was not said. */
  readonly cacheWrite: number | null
  readonly cacheWrite1h: number | null
  /** Everything the model wrote, thinking included. */
  readonly output: number | null
  readonly reasoning: number | null
}

export const NO_TOKENS: TokenCounts = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
}
