import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { PriceColumns } from './tables.ts'

/** The prices in a row; null unless it has one for input and one for output. */
export function pricesOf(row: PriceColumns): TokenPrices | null {
  if (row.price_input_nano === null || row.price_output_nano === null) return null
  return {
    input: nanoUsd(row.price_input_nano),
    output: nanoUsd(row.price_output_nano),
    cacheRead: amountOrNull(row.price_cache_read_nano),
    cacheWrite: amountOrNull(row.price_cache_write_nano),
    cacheWrite1h: amountOrNull(row.price_cache_write_1h_nano),
  }
}

export function priceColumns(prices: TokenPrices | null): PriceColumns {
  return {
    price_input_nano: prices?.input ?? null,
    price_output_nano: prices?.output ?? null,
    price_cache_read_nano: prices?.cacheRead ?? null,
    price_cache_write_nano: prices?.cacheWrite ?? null,
    price_cache_write_1h_nano: prices?.cacheWrite1h ?? null,
  }
}

export function amountOrNull(amount: bigint | null): NanoUsd | null {
  return amount === null ? null : nanoUsd(amount)
}
