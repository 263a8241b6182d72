import { BOUNDS } from '../../core/bounds.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { pricesSet, type TokenPrices } from '../../core/prices.ts'
import { everyTable } from './dearest-prices.ts'

/**
 * The price of a million tokens that a group with this multiplier would ask, where it is more than any request could be
 * charged: that of the first model that is too dear. null: all can be charged.
 */
export function dearestBeyondBound(
  multiplier: PartsPerMillion,
  models: readonly ModelWithPrices[],
): { readonly name: string; readonly price: NanoUsd } | null {
  for (const { name, prices } of models) {
    const tooDear =
      prices === null
        ? undefined
        : everyTable(prices)
            .flatMap(pricesSet)
            .find((price) => isBeyond(price, multiplier))
    if (tooDear !== undefined) return { name, price: nanoUsd((tooDear * multiplier) / ONE_PPM) }
  }
  return null
}

/** Whether one price, before any multiplier, can be charged. */
export function isChargeablePrice(price: NanoUsd): boolean {
  return price <= BOUNDS.price.million.most
}

export function isChargeableMultiplier(multiplier: PartsPerMillion): boolean {
  return multiplier <= BOUNDS.group.multiplier.most
}

/** A part of a price that is to be left. */
export function isMargin(margin: PartsPerMillion): boolean {
  return margin <= BOUNDS.target.min_margin.most
}

export const MARGIN_FORM = 'a part of the price such as "0.2", less than 1'

/** The highest price of a million tokens, after the multiplier. */
export const DEAREST_PRICE: NanoUsd = BOUNDS.price.million.most

/** The highest price of one request, image or second. */
export const DEAREST_UNIT: NanoUsd = BOUNDS.price.one.most

/** The price that is missing among these, and what it takes; null: none is. */
export function objectionToPrices({
  input,
  output,
  cacheRead,
  cacheWrite,
  cacheWrite1h,
  other,
  units,
}: TokenPrices): { readonly field: 'input' | 'output'; readonly takes: string } | null {
  if (input !== null && output !== null) return null
  const field = input === null ? 'input' : 'output'
  if (input !== null || output !== null) return { field, takes: 'a price, since input and output are set together' }
  if ([cacheRead, cacheWrite, cacheWrite1h, other].some((price) => price !== null)) {
    return { field, takes: 'a price, since other prices of tokens stand beside it' }
  }
  const others = 'per_request, per_image, per_second or per_million_characters'
  return units === null ? { field, takes: `a price, unless there is one ${others}` } : null
}

interface ModelWithPrices {
  readonly name: string
  /** null: it is not served. */
  readonly prices: ModelPrices | null
}

function isBeyond(price: NanoUsd, multiplier: PartsPerMillion): boolean {
  return price * multiplier > BOUNDS.price.million.most * ONE_PPM
}
