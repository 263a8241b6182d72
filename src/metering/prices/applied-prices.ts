import { type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import type { LengthTier, ModelPrices, PriceRules, TierPrices } from '../../core/price-rules.ts'
import type { TokenPrices } from '../../core/prices.ts'
import { arePlain, PLAIN, type ServiceTerms } from '../../core/terms.ts'
import { type TokenCounts, totalInput } from '../../core/tokens.ts'
import { costOf } from './cost.ts'

/** What a request is charged at, and why that is not the plain price; null: it is. */
export interface AppliedPrices {
  readonly prices: TokenPrices
  readonly terms: ChargedTerms | null
  /** The answer named a class or place that has no price and that was not asked for: it was charged as if it had not. */
  readonly isUnpriced: boolean
}

/** Why a request cost what it did, as it stands in the books. */
export interface ChargedTerms {
  /** The class of service that the answer named, or that was asked for where it named none; null: the plain one. */
  readonly serviceTier: string | null
  /** Where the model ran, likewise; null: anywhere. */
  readonly inferenceGeo: string | null
  /** The input was longer than this, and so all of the request was charged at the prices of long prompts. */
  readonly aboveInputTokens: number | null
}

/** What a request asked for, and what its answer says that it got. */
export interface AskedAndNamed {
  readonly asked: ServiceTerms
  readonly named: ServiceTerms
  /** The output was not reported but counted here, so how much of it was reasoning is not known. */
  readonly isOutputCounted?: true
}

/**
 * The prices of one request, by its counts and by what its answer names. An answer that names no class or place, of a request
 * that asked for one, is charged at the dearer of that and the plain price: some upstreams take no notice of the wish, and of
 * some streams the end is never seen. So is an output that was counted here, since its caller may have left while the model
 * thought.
 */
export function appliedPrices(prices: ModelPrices, tokens: TokenCounts, terms: AskedAndNamed): AppliedPrices {
  const applied = termsApplied(prices, tokens, terms)
  if (terms.isOutputCounted !== true || tokens.reasoning !== null) return applied
  return { ...applied, prices: withDearestOutput(applied.prices) }
}

/** All output at the dearer of its price and that of reasoning, where it is not known how much of it was or will be reasoning. */
export function withDearestOutput(prices: TokenPrices): TokenPrices {
  const { output, other } = prices
  if (other?.reasoningOutput === undefined || other.reasoningOutput <= (output ?? 0n)) return prices
  return { ...prices, output: other.reasoningOutput }
}

function termsApplied(prices: ModelPrices, tokens: TokenCounts, terms: AskedAndNamed): AppliedPrices {
  const { rules } = prices
  const { asked, named } = terms
  // Nearly every request.
  if (rules === undefined) return arePlain(named) ? { prices, terms: null, isUnpriced: false } : unpriced(prices, named)
  const inputTokens = totalInput(tokens) ?? 0
  const tiers = chargeable(asked.tier, named.tier, rules.serviceTiers)
  const geos = chargeable(asked.geo, named.geo, rules.geoFactors)
  let dearest: { readonly of: PricedCase; readonly prices: TokenPrices; readonly cost: bigint } | null = null
  for (const tier of tiers.names) {
    for (const geo of geos.names) {
      const of = { inputTokens, tier, geo }
      const table = tableOf(prices, of)
      const cost = tiers.names.length * geos.names.length === 1 ? 0n : costOf(tokens, table, ONE_PPM)
      if (dearest === null || cost > dearest.cost) dearest = { of, prices: table, cost }
    }
  }
  const { of = { inputTokens, tier: undefined, geo: undefined }, prices: charged = prices } = dearest ?? {}
  const why = {
    serviceTier: tiers.isUnpriced ? named.tier : (of.tier ?? null),
    inferenceGeo: geos.isUnpriced ? named.geo : (of.geo ?? null),
    aboveInputTokens: lengthTierOf(tiersOf(rules, of.tier), inputTokens)?.aboveInputTokens ?? null,
  }
  const isPlain = why.serviceTier === null && why.inferenceGeo === null && why.aboveInputTokens === null
  return { prices: charged, terms: isPlain ? null : why, isUnpriced: tiers.isUnpriced || geos.isUnpriced }
}

/** What a table of prices depends on. */
export interface PricedCase {
  /** All kinds together. */
  readonly inputTokens: number
  /** Undefined: the plain ones. */
  readonly tier: string | undefined
  readonly geo: string | undefined
}

/** The prices of one case, factors and all. Names without a price cost the plain one. */
export function tableOf(prices: ModelPrices, { inputTokens, tier, geo }: PricedCase): TokenPrices {
  const { rules, ...plain } = prices
  if (rules === undefined) return plain
  const service = tier === undefined ? undefined : rules.serviceTiers.get(tier)
  const ofService = service?.kind === 'prices' ? service.prices : plain
  const longer = lengthTierOf(tiersOf(rules, tier), inputTokens)
  const factors = [
    service?.kind === 'factor' ? service.factor : ONE_PPM,
    (geo === undefined ? undefined : rules.geoFactors.get(geo)) ?? ONE_PPM,
  ] as const
  return { ...plain, ...multiplied(longer?.prices ?? ofService, factors) }
}

/** The length tiers that hold in a class of service. */
export function tiersOf(rules: PriceRules, tier: string | undefined): readonly LengthTier[] {
  const service = tier === undefined ? undefined : rules.serviceTiers.get(tier)
  return service?.kind === 'prices' ? service.lengthTiers : rules.lengthTiers
}

/** The names of which the dearest is charged, the first of them foremost. Undefined: the plain price. */
function chargeable(
  asked: string | null,
  named: string | null,
  priced: ReadonlyMap<string, unknown>,
): { readonly names: readonly (string | undefined)[]; readonly isUnpriced: boolean } {
  if (named === PLAIN) return { names: [undefined], isUnpriced: false }
  if (named !== null && priced.has(named)) return { names: [named], isUnpriced: false }
  const wish = asked === null || asked === PLAIN ? [] : [asked]
  return { names: [...wish, undefined], isUnpriced: named !== null }
}

function unpriced(prices: TokenPrices, { tier, geo }: ServiceTerms): AppliedPrices {
  const terms = { serviceTier: nameOrNull(tier), inferenceGeo: nameOrNull(geo), aboveInputTokens: null }
  return { prices, terms, isUnpriced: true }
}

function nameOrNull(name: string | null): string | null {
  return name === PLAIN ? null : name
}

function lengthTierOf(tiers: readonly LengthTier[], inputTokens: number): LengthTier | undefined {
  return tiers.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens)
}

const ONE_BY_TWO = ONE_PPM * ONE_PPM

type Factors = readonly [PartsPerMillion, PartsPerMillion]

function product(price: bigint, [one, other]: Factors): NanoUsd {
  return nanoUsd((price * one * other + ONE_BY_TWO - 1n) / ONE_BY_TWO)
}

/** Exact, since the settings take no factor that would leave a part of a nano-USD; see `objectionToRules`. */
function multiplied(prices: TierPrices, factors: Factors): TierPrices {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, other: apart } = prices
  const times = (price: bigint | null) => (price === null ? null : product(price, factors))
  return {
    input: times(input),
    output: times(output),
    cacheRead: times(cacheRead),
    cacheWrite: times(cacheWrite),
    cacheWrite1h: times(cacheWrite1h),
    other: apart && {
      audioInput: times(apart.audioInput),
      imageInput: times(apart.imageInput),
      audioOutput: times(apart.audioOutput),
      ...(apart.reasoningOutput === undefined ? {} : { reasoningOutput: product(apart.reasoningOutput, factors) }),
    },
  }
}
