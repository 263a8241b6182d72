import { CALL_KINDS, type CallPrices } from '../../core/calls.ts'
import { type NanoUsd, nanoUsd, type PartsPerMillion, partsPerMillion } from '../../core/money.ts'
import {
  type LengthTier,
  type ModelPrices,
  type PriceRules,
  priceRules,
  type ServicePrices,
  type TierPrices,
} from '../../core/price-rules.ts'
import { unitPrices } from '../../core/units.ts'

/**
 * What few models' prices have, in the one column `price_rules_json`: tiers, factors, and fees for calls. Amounts are text, in
 * nano-USD of a million; factors are text, in parts per million. A list of prices: input, output, cache
 * read, write and write of an hour; then audio input, image input and audio output where one of them is set apart; then
 * reasoning where it is. The plain price of reasoning stands beside the rules, since models have no column for it.
 */
interface PriceRulesJson {
  readonly lengthTiers?: readonly TierJson[]
  readonly serviceTiers?: readonly (readonly [name: string, prices: ServiceJson])[]
  readonly geoFactors?: readonly (readonly [name: string, factor: string])[]
  readonly calls?: Readonly<Record<string, string>>
  readonly reasoningOutput?: string
}

type PricesJson = readonly (string | null)[]
type TierJson = readonly [aboveInputTokens: number, prices: PricesJson]
type ServiceJson =
  | { readonly factor: string }
  | { readonly prices: PricesJson; readonly lengthTiers: readonly TierJson[] }

/** Null for a model that has nothing of the kind, as nearly all. */
export function priceRulesJson(prices: ModelPrices | null): string | null {
  const { rules, calls, other } = prices ?? {}
  const reasoning = other?.reasoningOutput
  if (rules === undefined && calls === undefined && reasoning === undefined) return null
  const json: PriceRulesJson = {
    ...(rules === undefined
      ? {}
      : {
          lengthTiers: rules.lengthTiers.map(tierJson),
          serviceTiers: [...rules.serviceTiers].map(([name, service]) => [name, serviceJson(service)] as const),
          geoFactors: [...rules.geoFactors].map(([name, factor]) => [name, String(factor)] as const),
        }),
    ...(calls === undefined ? {} : { calls: callPricesJson(calls) }),
    ...(reasoning === undefined ? {} : { reasoningOutput: String(reasoning) }),
  }
  return JSON.stringify(json)
}

/** Reads the plain price of reasoning in the column, parsed. */
export function reasoningPriceOf(json: unknown): { readonly reasoningOutput?: NanoUsd } {
  const { reasoningOutput } = (json ?? {}) as PriceRulesJson
  return reasoningOutput === undefined ? {} : { reasoningOutput: nanoUsd(BigInt(reasoningOutput)) }
}

/** Reads the column, parsed. */
export function priceRulesOf(json: unknown): Pick<ModelPrices, 'rules' | 'calls'> {
  if (json === null) return NOTHING
  const { lengthTiers = [], serviceTiers = [], geoFactors = [], calls } = json as PriceRulesJson
  const rules: PriceRules | null = priceRules({
    lengthTiers: lengthTiers.map(tierOf),
    serviceTiers: new Map(serviceTiers.map(([name, service]) => [name, serviceOf(service)])),
    geoFactors: new Map(geoFactors.map(([name, factor]) => [name, ppm(factor)])),
  })
  return {
    ...(rules === null ? {} : { rules }),
    ...(calls === undefined ? {} : { calls: callPricesOf(calls) }),
  }
}

/** All prices of a model as JSON: those of tokens, of units (request, image, second, character), and the column's content. */
export interface ModelPricesJson {
  readonly tokens: PricesJson
  readonly units?: readonly (string | null)[]
  readonly rules?: unknown
}

export function modelPricesJson(prices: ModelPrices): ModelPricesJson {
  const { units } = prices
  const rules = priceRulesJson(prices)
  return {
    tokens: pricesJson(prices),
    ...(units === null ? {} : { units: [units.request, units.image, units.second, units.character].map(textOrNull) }),
    ...(rules === null ? {} : { rules: JSON.parse(rules) as unknown }),
  }
}

export function modelPricesOfJson({ tokens, units, rules }: ModelPricesJson): ModelPrices {
  const [request = null, image = null, second = null, character = null] = (units ?? []).map(amountIn)
  return {
    ...pricesOf(tokens),
    units: unitPrices({ request, image, second, character }),
    ...priceRulesOf(rules ?? null),
  }
}

/** Writes an amount as JSON has it, which has no integers of 64 bits. */
export function textOrNull(price: NanoUsd | null): string | null {
  return price === null ? null : String(price)
}

export function callPricesJson(calls: CallPrices): Readonly<Record<string, string>> {
  return Object.fromEntries(
    CALL_KINDS.flatMap((kind) => (calls[kind] === undefined ? [] : [[kind, String(calls[kind])]])),
  )
}

export function callPricesOf(json: Readonly<Record<string, string>>): CallPrices {
  return Object.fromEntries(
    CALL_KINDS.flatMap((kind) => (json[kind] === undefined ? [] : [[kind, nanoUsd(BigInt(json[kind]))]])),
  )
}

const NOTHING = {}

function tierJson({ aboveInputTokens, prices }: LengthTier): TierJson {
  return [aboveInputTokens, pricesJson(prices)]
}

function tierOf([aboveInputTokens, prices]: TierJson): LengthTier {
  return { aboveInputTokens, prices: pricesOf(prices) }
}

function serviceJson(service: ServicePrices): ServiceJson {
  if (service.kind === 'factor') return { factor: String(service.factor) }
  return { prices: pricesJson(service.prices), lengthTiers: service.lengthTiers.map(tierJson) }
}

function serviceOf(json: ServiceJson): ServicePrices {
  if ('factor' in json) return { kind: 'factor', factor: ppm(json.factor) }
  return { kind: 'prices', prices: pricesOf(json.prices), lengthTiers: json.lengthTiers.map(tierOf) }
}

function pricesJson({ input, output, cacheRead, cacheWrite, cacheWrite1h, other }: TierPrices): PricesJson {
  const all = [input, output, cacheRead, cacheWrite, cacheWrite1h]
  const apart = other === null ? [] : [other.audioInput, other.imageInput, other.audioOutput]
  const reasoning = other?.reasoningOutput === undefined ? [] : [other.reasoningOutput]
  return [...all, ...apart, ...reasoning].map(textOrNull)
}

function pricesOf(json: PricesJson): TierPrices {
  const [input, output, cacheRead, cacheWrite, cacheWrite1h, audioInput, imageInput, audioOutput, reasoningOutput] =
    json.map(amountIn)
  return {
    input: input ?? null,
    output: output ?? null,
    cacheRead: cacheRead ?? null,
    cacheWrite: cacheWrite ?? null,
    cacheWrite1h: cacheWrite1h ?? null,
    other:
      audioInput === undefined
        ? null
        : {
            audioInput,
            imageInput: imageInput ?? null,
            audioOutput: audioOutput ?? null,
            ...(reasoningOutput == null ? {} : { reasoningOutput }),
          },
  }
}

export function amountIn(text: string | null): NanoUsd | null {
  return text === null ? null : nanoUsd(BigInt(text))
}

function ppm(text: string): PartsPerMillion {
  return partsPerMillion(BigInt(text))
}
