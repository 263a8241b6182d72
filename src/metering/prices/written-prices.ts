import { CALL_KINDS, type CallKind, type CallPrices } from '../../core/calls.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import type { TokenPriceField, UnitPriceField } from '../../core/price-fields.ts'
import {
  type LengthTier,
  type ModelPrices,
  priceRules,
  type ServicePrices,
  type TierPrices,
} from '../../core/price-rules.ts'
import { otherPrices } from '../../core/prices.ts'
import { unitPrices } from '../../core/units.ts'
import { objectionToPrices } from './price-bounds.ts'
import { objectionToRules, type RuleObjection } from './price-rule-bounds.ts'

type Amount = NanoUsd | null | undefined

/** Prices of tokens by the names of the settings, in the API and in the file alike, with their amounts read. */
export type WrittenTokenPrices = { readonly [Field in TokenPriceField]?: Amount }

export interface WrittenTier extends WrittenTokenPrices {
  readonly above_input_tokens: number
}

export interface WrittenFactor {
  readonly factor: PartsPerMillion
}

export interface WrittenService extends WrittenTokenPrices {
  readonly factor?: PartsPerMillion | null | undefined
  readonly tiers?: readonly WrittenTier[] | null | undefined
}

/** All of a model's prices. Amounts of one request, image, second or call are those of a million of them. */
export interface WrittenPrices extends WrittenTokenPrices, Readonly<Partial<Record<UnitPriceField, Amount>>> {
  readonly tiers?: readonly WrittenTier[] | null | undefined
  readonly service_tiers?: Readonly<Record<string, WrittenService>> | null | undefined
  readonly inference_geo?: Readonly<Record<string, WrittenFactor>> | null | undefined
  readonly per_call?: { readonly [Kind in CallKind]?: Amount } | null | undefined
}

/** A model's prices from what was written; to be asked only where `objectionToWritten` has none. */
export function modelPricesOf(written: WrittenPrices): ModelPrices {
  const rules = priceRules({
    lengthTiers: (written.tiers ?? []).map(lengthTierOf),
    serviceTiers: new Map(Object.entries(written.service_tiers ?? {}).map(([name, each]) => [name, serviceOf(each)])),
    geoFactors: new Map(Object.entries(written.inference_geo ?? {}).map(([name, { factor }]) => [name, factor])),
  })
  const calls = callPricesOf(written.per_call ?? {})
  return {
    ...tierPricesOf(written),
    units: unitPrices({
      request: written.per_request ?? null,
      image: written.per_image ?? null,
      second: written.per_second ?? null,
      character: written.per_million_characters ?? null,
    }),
    ...(rules === null ? {} : { rules }),
    ...(calls === null ? {} : { calls }),
  }
}

/** What is wrong with the prices of a model, and in which field; null: nothing. */
export function objectionToWritten(written: WrittenPrices): RuleObjection | null {
  const misformed =
    objectionToTiers(written.tiers ?? [], ['tiers']) ??
    Object.entries(written.service_tiers ?? {})
      .map(([name, service]) => objectionToService(service, ['service_tiers', name]))
      .find((objection) => objection !== null) ??
    null
  if (misformed !== null) return misformed
  const prices = modelPricesOf(written)
  const missing = objectionToPrices(prices)
  return missing === null ? objectionToRules(prices) : { path: [missing.field], takes: missing.takes }
}

function objectionToTiers(tiers: readonly WrittenTier[], at: readonly string[]): RuleObjection | null {
  for (const [i, tier] of tiers.entries()) {
    const missing = missingIn(tier)
    if (missing !== null)
      return { path: [...at, i, missing], takes: 'a price, as each tier has its own input and output' }
  }
  return null
}

function objectionToService(service: WrittenService, at: readonly string[]): RuleObjection | null {
  const { factor, tiers, ...prices } = service
  const hasPrices = Object.values(prices).some((price) => price != null) || (tiers ?? []).length > 0
  if (factor != null) {
    return hasPrices
      ? { path: [...at, 'factor'], takes: 'must stand without other prices: either a factor or own prices' }
      : null
  }
  const missing = missingIn(service)
  if (missing === null) return objectionToTiers(tiers ?? [], [...at, 'tiers'])
  return hasPrices
    ? { path: [...at, missing], takes: 'a price, as own prices have input and output' }
    : { path: at, takes: 'a factor, or own prices with input and output' }
}

function missingIn({ input, output }: WrittenTokenPrices): 'input' | 'output' | null {
  if (input == null) return 'input'
  return output == null ? 'output' : null
}

function lengthTierOf(tier: WrittenTier): LengthTier {
  return { aboveInputTokens: tier.above_input_tokens, prices: tierPricesOf(tier) }
}

function serviceOf(service: WrittenService): ServicePrices {
  const { factor, tiers } = service
  if (factor != null) return { kind: 'factor', factor }
  return { kind: 'prices', prices: tierPricesOf(service), lengthTiers: (tiers ?? []).map(lengthTierOf) }
}

function tierPricesOf(written: WrittenTokenPrices): TierPrices {
  return {
    input: written.input ?? null,
    output: written.output ?? null,
    cacheRead: written.cache_read ?? null,
    cacheWrite: written.cache_write ?? null,
    cacheWrite1h: written.cache_write_1h ?? null,
    other: otherPrices({
      audioInput: written.audio_input ?? null,
      imageInput: written.image_input ?? null,
      audioOutput: written.audio_output ?? null,
      ...(written.reasoning_output == null ? {} : { reasoningOutput: written.reasoning_output }),
    }),
  }
}

function callPricesOf(written: NonNullable<WrittenPrices['per_call']>): CallPrices | null {
  const set = CALL_KINDS.flatMap((kind) => {
    const price = written[kind]
    return price == null ? [] : [[kind, price] as const]
  })
  return set.length === 0 ? null : Object.fromEntries(set)
}
