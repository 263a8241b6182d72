import type { NanoUsd } from './money.ts'

/**
 * What some requests are charged by beside their tokens, or in place of them. Whole numbers. Null: this request has none of
 * the kind, or the number is unknown.
 */
export interface UnitCounts {
  /** Requests: one, but for rerankers that count a long request as several ("search units"). */
  readonly requests: number | null
  /** Images that were made. */
  readonly images: number | null
  /** Seconds of sound that were read, rounded up. */
  readonly seconds: number | null
  /** Characters (Unicode code points) that were spoken. */
  readonly characters: number | null
}

/**
 * Prices of these: nano-USD per million of them, as for tokens, so that one sum is divided and rounded once. Null: such a
 * unit has no price.
 */
export interface UnitPrices {
  readonly request: NanoUsd | null
  readonly image: NanoUsd | null
  readonly second: NanoUsd | null
  readonly character: NanoUsd | null
}

/** Null when none of the prices is set, so that there is one way to say so. */
export function unitPrices(prices: UnitPrices): UnitPrices | null {
  return Object.values(prices).every((price) => price === null) ? null : prices
}

/** Prices are given for one request, image or second; of characters, as everywhere in the field, for a million. */
export const UNITS_PER_PRICE = 1_000_000n

/** What a request's bytes show of one kind of unit, before it is sent. */
export interface UnitEstimate {
  /** Money is held for so many; and so many are charged where the answer tells nothing. */
  readonly expected: number
  /** More than this in a report is not believed. */
  readonly most: number
  /** The request itself says how many there are, so that charging them is exact. */
  readonly isKnown: boolean
}

/** What to expect by kind; null: this request has none of it, whatever is reported. */
export type ExpectedUnits = { readonly [Kind in keyof UnitCounts]: UnitEstimate | null }

/** A number that the request itself decides. */
export function known(count: number): UnitEstimate {
  return { expected: count, most: count, isKnown: true }
}

/** What every request has, and most have alone. */
export const ONE_REQUEST: ExpectedUnits = { requests: known(1), images: null, seconds: null, characters: null }

export const NO_UNITS: UnitCounts = { requests: null, images: null, seconds: null, characters: null }
