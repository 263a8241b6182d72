import { CALL_KINDS, type CallCounts, type CallPrices } from '../../core/calls.ts'
import { COST_LIMIT_NANO_USD } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion, ZERO_NANO_USD } from '../../core/money.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { OtherTokens, TokenCounts } from '../../core/tokens.ts'
import type { UnitCounts, UnitPrices } from '../../core/units.ts'

const TOKENS_PER_PRICE = 1_000_000n
const PPM = 1_000_000n
const DIVISOR = TOKENS_PER_PRICE * PPM
const COST_LIMIT = nanoUsd(COST_LIMIT_NANO_USD)

/**
 * What tokens, units and calls cost in nano-USD: the sum of count × price over the kinds, times the multiplier, rounded up once,
 * at the end. A count that was not reported adds nothing; a kind of token without a price of its own is priced as the input
 * or output it is part of, a unit or call without a price adds nothing. Never more than `COST_LIMIT_NANO_USD`, see there.
 */
export function costOf(tokens: TokenCounts, prices: TokenPrices, multiplier: PartsPerMillion): NanoUsd {
  const { input, cacheRead, cacheWrite, cacheWrite1h, output, other, units, calls } = tokens
  const inputPrice = prices.input ?? ZERO_NANO_USD
  // Most requests have two or three kinds, and an addition of bigints costs as much as a multiplication.
  let exact = input ? BigInt(input) * inputPrice : 0n
  if (output) exact += BigInt(output) * (prices.output ?? ZERO_NANO_USD)
  if (prices.other?.reasoningOutput !== undefined)
    exact += reasoningExtra(tokens, prices.output, prices.other.reasoningOutput)
  if (cacheRead) exact += BigInt(cacheRead) * (prices.cacheRead ?? inputPrice)
  if (cacheWrite) exact += BigInt(cacheWrite) * (prices.cacheWrite ?? inputPrice)
  if (cacheWrite1h) exact += BigInt(cacheWrite1h) * (prices.cacheWrite1h ?? prices.cacheWrite ?? inputPrice)
  if (other !== null) exact += costOfOther(other, prices)
  if (units !== null && prices.units !== null) exact += costOfUnits(units, prices.units)
  if (calls !== undefined && prices.calls !== undefined) exact += costOfCalls(calls, prices.calls)
  const cost = nanoUsd(
    // Without a multiplier the numbers stay within 64 bits, and the division takes a small part of the time.
    multiplier === ONE_PPM
      ? (exact + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE
      : (exact * multiplier + DIVISOR - 1n) / DIVISOR,
  )
  return cost > COST_LIMIT ? COST_LIMIT : cost
}

/** What reasoning costs beyond, or below, the price of the output that it is a part of. */
function reasoningExtra(tokens: TokenCounts, output: NanoUsd | null, reasoning: NanoUsd): bigint {
  return BigInt(pricedReasoning(tokens)) * (reasoning - (output ?? ZERO_NANO_USD))
}

/** The reasoning that has a price of its own: never more than the output that it is a part of. */
export function pricedReasoning({ reasoning, output }: TokenCounts): number {
  return Math.min(reasoning ?? 0, output ?? 0)
}

function costOfOther({ audioInput, imageInput, audioOutput }: OtherTokens, prices: TokenPrices): bigint {
  const input = prices.input ?? ZERO_NANO_USD
  return (
    BigInt(audioInput) * (prices.other?.audioInput ?? input) +
    BigInt(imageInput) * (prices.other?.imageInput ?? input) +
    BigInt(audioOutput) * (prices.other?.audioOutput ?? prices.output ?? ZERO_NANO_USD)
  )
}

function costOfUnits(units: UnitCounts, prices: UnitPrices): bigint {
  return (
    BigInt(units.requests ?? 0) * (prices.request ?? ZERO_NANO_USD) +
    BigInt(units.images ?? 0) * (prices.image ?? ZERO_NANO_USD) +
    BigInt(units.seconds ?? 0) * (prices.second ?? ZERO_NANO_USD) +
    BigInt(units.characters ?? 0) * (prices.character ?? ZERO_NANO_USD)
  )
}

function costOfCalls(calls: CallCounts, prices: CallPrices): bigint {
  let exact = 0n
  for (const kind of CALL_KINDS) exact += BigInt(calls[kind] ?? 0) * (prices[kind] ?? ZERO_NANO_USD)
  return exact
}
