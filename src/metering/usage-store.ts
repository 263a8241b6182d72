import type { NanoUsd } from '../core/money.ts'
import type { UsageRecord } from './usage-record.ts'

/** What was used, read back. */
export interface UsageStore {
  record(id: string): Promise<UsageRecord | null>
  /** What one key used since a moment (rounded down to its hour), and ever. From the roll-ups, so it costs the same for any past. */
  totalsOfKey(keyId: string, sinceMs: number): Promise<{ readonly since: UsageTotals; readonly ever: UsageTotals }>
}

/** Sums over usage records. */
export interface UsageTotals {
  /** All of them, refused and failed ones included. */
  readonly requests: number
  /** Those that ended with a fault. */
  readonly failed: number
  /** All kinds of input together. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
  readonly balancePaid: NanoUsd
}
