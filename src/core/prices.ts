import type { CallPrices } from './calls.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from './money.ts'
import { type UnitPrices, UNITS_PER_PRICE } from './units.ts'

/**
 * What a model costs: nano-USD per million tokens, by kind of token, before the group's multiplier.
 * A kind without a price of its own is priced as the input or output it is part of (never for nothing by accident).
 */
export interface TokenPrices {
  /** Both are set or neither is: then a unit has a price, and requests that have no such unit are not served. */
  readonly input: NanoUsd | null
  readonly output: NanoUsd | null
  readonly cacheRead: NanoUsd | null
  readonly cacheWrite: NanoUsd | null
  readonly cacheWrite1h: NanoUsd | null
  /** Prices of the kinds that few models price apart; null when this one prices none of them apart. */
  readonly other: OtherPrices | null
  /** Prices of what is not counted in tokens; null when this model has none. */
  readonly units: UnitPrices | null
  /** Fees for calls of tools inside a request; absent when this model has none. */
  readonly calls?: CallPrices
}

export interface OtherPrices {
  readonly audioInput: NanoUsd | null
  readonly imageInput: NanoUsd | null
  readonly audioOutput: NanoUsd | null
  /** The price of output that was reasoning; absent: it costs what all output costs. */
  readonly reasoningOutput?: NanoUsd
}

/** Null when none of the prices is set, so that there is one way to say so. */
export function otherPrices(prices: OtherPrices): OtherPrices | null {
  const { audioInput, imageInput, audioOutput, reasoningOutput = null } = prices
  const all = [audioInput, imageInput, audioOutput, reasoningOutput]
  return all.every((price) => price === null) ? null : prices
}

/** Every price that is set, but for those by rules. */
export function pricesSet(prices: TokenPrices): readonly NanoUsd[] {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, other, units, calls } = prices
  const all: readonly (NanoUsd | null)[] = [
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h,
    ...Object.values(other ?? {}),
    ...Object.values(units ?? {}),
    ...Object.values(calls ?? {}),
  ]
  return all.filter((price) => price !== null)
}

/** Whether each price that is set is 0; those by rules are not looked at. */
export function isFree(prices: TokenPrices): boolean {
  return pricesSet(prices).every((price) => price === 0n)
}

/** A price after a group's multiplier, as people see it: rounded up to one nano-USD. The charge itself rounds once, at its end. */
export function priceAfter(price: NanoUsd, multiplier: PartsPerMillion): NanoUsd {
  return nanoUsd((price * multiplier + ONE_PPM - 1n) / ONE_PPM)
}

/** The price of one unit, as people see it, from that of a million: rounded up to one nano-USD. */
export function priceOfOne(price: NanoUsd, multiplier: PartsPerMillion): NanoUsd {
  const divisor = ONE_PPM * UNITS_PER_PRICE
  return nanoUsd((price * multiplier + divisor - 1n) / divisor)
}

/** The price of a million units from that of one, as people set it. */
export function priceOfMillion(price: NanoUsd | null): NanoUsd | null {
  return price === null ? null : nanoUsd(price * UNITS_PER_PRICE)
}
