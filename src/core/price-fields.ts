import type { NanoUsd } from './money.ts'
import type { TierPrices } from './price-rules.ts'
import type { UnitPrices } from './units.ts'

/** A price that is one amount; null or undefined: none is set. */
type PriceIn<Prices> = (prices: Prices) => NanoUsd | null | undefined

/** The prices of tokens, by their names in the API and in the declarative file: USD for a million. */
export const TOKEN_PRICES = {
  input: ({ input }) => input,
  output: ({ output }) => output,
  /** The part of the output that was reasoning; not set: it costs what all output costs. */
  reasoning_output: ({ other }) => other?.reasoningOutput,
  cache_read: ({ cacheRead }) => cacheRead,
  cache_write: ({ cacheWrite }) => cacheWrite,
  cache_write_1h: ({ cacheWrite1h }) => cacheWrite1h,
  audio_input: ({ other }) => other?.audioInput,
  image_input: ({ other }) => other?.imageInput,
  audio_output: ({ other }) => other?.audioOutput,
} as const satisfies Record<string, PriceIn<TierPrices>>

/** The prices of units, by the same names: USD for one, but for a million characters. */
export const UNIT_PRICES = {
  per_request: ({ request }) => request,
  per_image: ({ image }) => image,
  per_second: ({ second }) => second,
  per_million_characters: ({ character }) => character,
} as const satisfies Record<string, PriceIn<UnitPrices>>

export type TokenPriceField = keyof typeof TOKEN_PRICES
export type UnitPriceField = keyof typeof UNIT_PRICES

export const TOKEN_PRICE_FIELDS = Object.keys(TOKEN_PRICES) as readonly TokenPriceField[]
export const UNIT_PRICE_FIELDS = Object.keys(UNIT_PRICES) as readonly UnitPriceField[]

/** Whether the price is written for one unit; what is kept is that of a million. */
export function isPriceOfOne(field: string): boolean {
  return field === 'per_request' || field === 'per_image' || field === 'per_second'
}

/** Something for every price of tokens, by its field. */
export function forEachTokenPrice<T>(make: (field: TokenPriceField) => T): Readonly<Record<TokenPriceField, T>> {
  return Object.fromEntries(TOKEN_PRICE_FIELDS.map((field) => [field, make(field)])) as Record<TokenPriceField, T>
}

/** Something for every price of units, by its field. */
export function forEachUnitPrice<T>(make: (field: UnitPriceField) => T): Readonly<Record<UnitPriceField, T>> {
  return Object.fromEntries(UNIT_PRICE_FIELDS.map((field) => [field, make(field)])) as Record<UnitPriceField, T>
}
