import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from './money.ts'

/**
 * What a model costs: nano-USD per million tokens, by kind of token, before the group's multiplier.
 * A kind without a price of its own is priced as the input or output it is part of (never for nothing by accident).
 */
export interface TokenPrices {
  readonly input: NanoUsd
  readonly output: NanoUsd
  readonly cacheRead: NanoUsd | null
  readonly cacheWrite: NanoUsd | null
  readonly cacheWrite1h: NanoUsd | null
  /** Prices of the kinds that few models price apart; null when this one prices none of them apart. */
  readonly other: OtherPrices | null
}

export interface OtherPrices {
  readonly audioInput: NanoUsd | null
  readonly imageInput: NanoUsd | null
  readonly audioOutput: NanoUsd | null
}

/** Null when none of the prices is set, so that there is one way to say so. */
export function otherPrices(prices: OtherPrices): OtherPrices | null {
  const { audioInput, imageInput, audioOutput } = prices
  return audioInput === null && imageInput === null && audioOutput === null ? null : prices
}

/** Every price that is set. */
export function pricesSet({ other, ...prices }: TokenPrices): readonly NanoUsd[] {
  return [...Object.values(prices), ...Object.values(other ?? {})].filter((price) => price !== null)
}

/** A price after a group's multiplier, as people are told it: rounded up to one nano-USD. The charge itself rounds once, at its end. */
export function priceAfter(price: NanoUsd, multiplier: PartsPerMillion): NanoUsd {
  return nanoUsd((price * multiplier + ONE_PPM - 1n) / ONE_PPM)
}
