import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { otherPrices, type TokenPrices } from '../../core/prices.ts'
import type { OtherPriceColumns, PriceColumns } from './tables.ts'

/** The prices in a row; null unless it has one for input and one for output. */
export function pricesOf(row: PriceColumns): TokenPrices | null {
  if (row.price_input_nano === null || row.price_output_nano === null) return null
  return {
    input: nanoUsd(row.price_input_nano),
    output: nanoUsd(row.price_output_nano),
    cacheRead: amountOrNull(row.price_cache_read_nano),
    cacheWrite: amountOrNull(row.price_cache_write_nano),
    cacheWrite1h: amountOrNull(row.price_cache_write_1h_nano),
    other: null,
  }
}

/** The same with the prices that only models have columns for. */
export function modelPricesOf(row: PriceColumns & OtherPriceColumns): TokenPrices | null {
  const prices = pricesOf(row)
  const other = otherPrices({
    audioInput: amountOrNull(row.price_audio_input_nano),
    imageInput: amountOrNull(row.price_image_input_nano),
    audioOutput: amountOrNull(row.price_audio_output_nano),
  })
  return prices === null ? null : { ...prices, other }
}

export function modelPriceColumns(prices: TokenPrices | null): PriceColumns & OtherPriceColumns {
  return {
    price_input_nano: prices?.input ?? null,
    price_output_nano: prices?.output ?? null,
    price_cache_read_nano: prices?.cacheRead ?? null,
    price_cache_write_nano: prices?.cacheWrite ?? null,
    price_cache_write_1h_nano: prices?.cacheWrite1h ?? null,
    price_audio_input_nano: prices?.other?.audioInput ?? null,
    price_image_input_nano: prices?.other?.imageInput ?? null,
    price_audio_output_nano: prices?.other?.audioOutput ?? null,
  }
}

export function amountOrNull(amount: bigint | null): NanoUsd | null {
  return amount === null ? null : nanoUsd(amount)
}
