import type { CountedLimit, CountedLimits } from '../../core/counted-limits.ts'

/** A key, or an account with all of its keys. */
export interface Limited {
  readonly id: string
  readonly rateLimit: CountedLimits | null
}

/** How one limit stands. `resetMs`: until all of it is free again, were nothing more to come; 0 for `concurrency`. */
export interface LimitState {
  readonly limit: CountedLimit
  readonly max: number
  readonly used: number
  readonly resetMs: number
}

/** Why a request may not run now. `waitMs` is Infinity when waiting will not help. */
export interface LimitRefusal {
  readonly limit: CountedLimit
  readonly max: number
  readonly used: number
  readonly waitMs: number
  /** The part of `max` that this node has, and among how many nodes it is divided. */
  readonly part: number
  readonly nodes: number
}

/** The part of every limit that this node has: `index` of `count` nodes. */
export interface NodeShare {
  readonly index: number
  readonly count: number
}

/** How many tokens a request may have, before it is known. */
export interface EstimatedTokens {
  readonly input: number
  /** The tokens that it may write. */
  readonly output: number
}
