import type { Insertable, Selectable } from 'kysely'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { otherPrices, type TokenPrices } from '../../core/prices.ts'
import { unitPrices, type UnitPrices } from '../../core/units.ts'
import { priceRulesJson, priceRulesOf, reasoningPriceOf } from './price-rules-json.ts'
import type { OtherPriceColumns, PriceColumns } from './tables.ts'

/** The prices in a row, with those of units that stand elsewhere; null unless it has one for input and output, or for a unit. */
export function pricesOf(row: PriceColumns, units: UnitPrices | null): TokenPrices | null {
  const hasTokens = row.price_input_nano !== null && row.price_output_nano !== null
  if (!hasTokens && units === null) return null
  return {
    input: hasTokens ? amountOrNull(row.price_input_nano) : null,
    output: hasTokens ? amountOrNull(row.price_output_nano) : null,
    cacheRead: amountOrNull(row.price_cache_read_nano),
    cacheWrite: amountOrNull(row.price_cache_write_nano),
    cacheWrite1h: amountOrNull(row.price_cache_write_1h_nano),
    other: null,
    units,
  }
}

/** Reads prices, with those that only models have columns for. */
export function modelPricesOf(row: Selectable<PriceColumns & OtherPriceColumns>): ModelPrices | null {
  const units = unitPrices({
    request: amountOrNull(row.price_request_nano),
    image: amountOrNull(row.price_image_nano),
    second: amountOrNull(row.price_second_nano),
    character: amountOrNull(row.price_character_nano),
  })
  const prices = pricesOf(row, units)
  const other = otherPrices({
    audioInput: amountOrNull(row.price_audio_input_nano),
    imageInput: amountOrNull(row.price_image_input_nano),
    audioOutput: amountOrNull(row.price_audio_output_nano),
    ...reasoningPriceOf(row.price_rules_json),
  })
  return prices === null ? null : { ...prices, other, ...priceRulesOf(row.price_rules_json) }
}

export function modelPriceColumns(prices: ModelPrices | null): Insertable<PriceColumns & OtherPriceColumns> {
  return {
    price_input_nano: prices?.input ?? null,
    price_output_nano: prices?.output ?? null,
    price_cache_read_nano: prices?.cacheRead ?? null,
    price_cache_write_nano: prices?.cacheWrite ?? null,
    price_cache_write_1h_nano: prices?.cacheWrite1h ?? null,
    price_audio_input_nano: prices?.other?.audioInput ?? null,
    price_image_input_nano: prices?.other?.imageInput ?? null,
    price_audio_output_nano: prices?.other?.audioOutput ?? null,
    price_request_nano: prices?.units?.request ?? null,
    price_image_nano: prices?.units?.image ?? null,
    price_second_nano: prices?.units?.second ?? null,
    price_character_nano: prices?.units?.character ?? null,
    price_rules_json: priceRulesJson(prices),
  }
}

function amountOrNull(amount: bigint | null): NanoUsd | null {
  return amount === null ? null : nanoUsd(amount)
}
