/** What is asked of the sums of cached input. What is absent may be anything. */
export interface CachedInputQuery {
  /** Epoch milliseconds; widened to whole hours. */
  readonly fromMs: number
  readonly toMs: number
  readonly upstream?: string | undefined
  readonly model?: string | undefined
}

/** Tokens of input, of all kinds, and those of them that were read from a cache. */
export interface CachedTokens {
  readonly input: number
  readonly cached: number
}

/** What requests read from a cache, of those whose upstream says it. */
export interface CachedInput {
  /** Requests that the rule of affinity kept where their conversation was. */
  readonly withAffinity: CachedTokens
  /** All others: of models with one target, say, or of conversations that are not known. */
  readonly withoutAffinity: CachedTokens
}

/** Rows of cached input, the most input first, at most 500. */
export interface CachedInputSums {
  readonly fromMs: number
  readonly toMs: number
  readonly total: CachedInput
  readonly rows: readonly (CachedInput & { readonly model: string; readonly upstream: string })[]
}
