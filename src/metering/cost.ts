import { COST_LIMIT_NANO_USD } from '../core/limits.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../core/money.ts'
import type { TokenPrices } from '../core/prices.ts'
import type { OtherTokens, TokenCounts } from '../core/tokens.ts'

const TOKENS_PER_PRICE = 1_000_000n
const PPM = 1_000_000n
const DIVISOR = TOKENS_PER_PRICE * PPM
const COST_LIMIT = nanoUsd(COST_LIMIT_NANO_USD)

/**
 * What the tokens cost in nano-USD: the sum of count × price over the kinds, times the multiplier, rounded up once, at the
 * end. A count that nobody reported adds nothing; a kind without a price of its own is priced as the input or output it is
 * part of. Never more than `COST_LIMIT_NANO_USD`, see there.
 */
export function costOf(tokens: TokenCounts, prices: TokenPrices, multiplier: PartsPerMillion): NanoUsd {
  const { input, cacheRead, cacheWrite, cacheWrite1h, output, other } = tokens
  // Most requests have two or three kinds, and an addition of bigints costs as much as a multiplication.
  let exact = input ? BigInt(input) * prices.input : 0n
  if (output) exact += BigInt(output) * prices.output
  if (cacheRead) exact += BigInt(cacheRead) * (prices.cacheRead ?? prices.input)
  if (cacheWrite) exact += BigInt(cacheWrite) * (prices.cacheWrite ?? prices.input)
  if (cacheWrite1h) exact += BigInt(cacheWrite1h) * (prices.cacheWrite1h ?? prices.cacheWrite ?? prices.input)
  if (other !== null) exact += costOfOther(other, prices)
  const cost = nanoUsd(
    // Without a multiplier the numbers stay within 64 bits, and the division takes a small part of the time.
    multiplier === ONE_PPM
      ? (exact + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE
      : (exact * multiplier + DIVISOR - 1n) / DIVISOR,
  )
  return cost > COST_LIMIT ? COST_LIMIT : cost
}

function costOfOther({ audioInput, imageInput, audioOutput }: OtherTokens, prices: TokenPrices): bigint {
  return (
    BigInt(audioInput) * (prices.other?.audioInput ?? prices.input) +
    BigInt(imageInput) * (prices.other?.imageInput ?? prices.input) +
    BigInt(audioOutput) * (prices.other?.audioOutput ?? prices.output)
  )
}
