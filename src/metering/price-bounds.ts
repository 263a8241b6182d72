import { MULTIPLIER_LIMIT, UNIT_PRICE_LIMIT_NANO_USD } from '../core/limits.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../core/money.ts'
import { pricesSet, type TokenPrices } from '../core/prices.ts'

/**
 * The price of a million tokens that a group with this multiplier would ask, where it is more than any request could be
 * charged: that of the first model that is too dear. null: all can be charged.
 */
export function dearestBeyondBound(
  multiplier: PartsPerMillion,
  models: readonly PricedModel[],
): { readonly name: string; readonly price: NanoUsd } | null {
  for (const { name, prices } of models) {
    const tooDear = prices === null ? undefined : pricesSet(prices).find((price) => isBeyond(price, multiplier))
    if (tooDear !== undefined) return { name, price: nanoUsd((tooDear * multiplier) / ONE_PPM) }
  }
  return null
}

/** Whether one price, before any multiplier, can be charged. */
export function isChargeablePrice(price: NanoUsd): boolean {
  return price <= UNIT_PRICE_LIMIT_NANO_USD
}

export function isChargeableMultiplier(multiplier: PartsPerMillion): boolean {
  return multiplier <= MULTIPLIER_LIMIT * ONE_PPM
}

/** Of a million tokens, after the multiplier. */
export const DEAREST_PRICE: NanoUsd = nanoUsd(UNIT_PRICE_LIMIT_NANO_USD)

interface PricedModel {
  readonly name: string
  /** null: it is not served. */
  readonly prices: TokenPrices | null
}

function isBeyond(price: NanoUsd, multiplier: PartsPerMillion): boolean {
  return price * multiplier > UNIT_PRICE_LIMIT_NANO_USD * ONE_PPM
}
