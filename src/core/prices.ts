import type { NanoUsd } from './money.ts'

/**
 * What a model costs: nano-USD per million tokens, by kind of token, before the group's multiplier.
 * A kind without a price of its own is priced as input (never for nothing by accident).
 */
export interface TokenPrices {
  readonly input: NanoUsd
  readonly output: NanoUsd
  readonly cacheRead: NanoUsd | null
  readonly cacheWrite: NanoUsd | null
  readonly cacheWrite1h: NanoUsd | null
}
