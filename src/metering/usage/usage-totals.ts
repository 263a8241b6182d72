import type { NanoUsd } from '../../core/money.ts'

/** Sums over usage records. */
export interface UsageTotals {
  /** All of them, refused and failed ones included. */
  readonly requests: number
  /** Requests that ended with a fault. */
  readonly failed: number
  /** All kinds of input together. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
  readonly balancePaid: NanoUsd
}
