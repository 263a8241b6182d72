import { type NanoUsd, nanoUsd, type PartsPerMillion } from '../core/money.ts'
import type { TokenPrices } from '../core/prices.ts'
import type { TokenCounts } from '../core/tokens.ts'

const TOKENS_PER_PRICE = 1_000_000n
const PPM = 1_000_000n
const DIVISOR = TOKENS_PER_PRICE * PPM

/**
 * What the tokens cost in nano-USD: the sum of count × price over the kinds, times the multiplier, rounded up once, at the
 * end. A count that nobody reported adds nothing; a kind without a price of its own is priced as input.
 */
export function costOf(tokens: TokenCounts, prices: TokenPrices, multiplier: PartsPerMillion): NanoUsd {
  const exact =
    multiply(tokens.input, prices.input) +
    multiply(tokens.cacheRead, prices.cacheRead ?? prices.input) +
    multiply(tokens.cacheWrite, prices.cacheWrite ?? prices.input) +
    multiply(tokens.cacheWrite1h, prices.cacheWrite1h ?? prices.cacheWrite ?? prices.input) +
    multiply(tokens.output, prices.output)
  return nanoUsd((exact * multiplier + DIVISOR - 1n) / DIVISOR)
}

function multiply(count: number | null, price: NanoUsd): bigint {
  return count === null || count === 0 ? 0n : BigInt(count) * price
}
