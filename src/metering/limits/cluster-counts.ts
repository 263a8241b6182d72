import type { CountedLimits } from '../../core/counted-limits.ts'
import type { CountedUse } from './counted-use.ts'
import type { EstimatedTokens, LimitRefusal, LimitState } from './limit-terms.ts'

/** A key or an account, as a request counts for it on all nodes together. */
export interface ClusterAsk {
  readonly id: string
  /** What the request is judged by. */
  readonly judgedBy: CountedLimits
  /** All that there are, for what is said of them and for the overdraft. */
  readonly limits: CountedLimits
}

/** `refused.of`: the place in what was asked of the one whose limit it is. */
export type ClusterAnswer =
  | { readonly kind: 'counted'; readonly use: CountedUse }
  | { readonly kind: 'refused'; readonly of: number; readonly refusal: LimitRefusal }
  | { readonly kind: 'unreachable' }

/**
 * Requests, tokens and running requests of keys and accounts with limits, counted by one server for all nodes. It is asked
 * before a request runs. Where it cannot be reached, nothing is lost but exactness: each node enforces its share.
 */
export interface ClusterCounts {
  readonly isReachable: boolean
  /** Judges and counts in one step: for each of them, or for none. Never rejects. */
  count(asked: readonly ClusterAsk[], tokens: EstimatedTokens): Promise<ClusterAnswer>
  /** What runs although it could not be asked: to be known when it can be again. */
  runs(id: string, tokens: EstimatedTokens): CountedUse
  /** How the limits stood when this node last heard of them; null: not lately, or it cannot be reached. */
  lastStates(id: string, limits: CountedLimits): readonly LimitState[] | null
  /** The states, asked now. Never rejects. */
  states(id: string, limits: CountedLimits): Promise<readonly LimitState[] | null>
}
