import { BOUNDS } from '../../core/bounds.ts'
import { formatMultiplier, formatUsd, type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import type { LengthTier, ModelPrices, PriceRules, TierPrices } from '../../core/price-rules.ts'
import { geoNamed, PLAIN, tierNamed } from '../../core/terms.ts'
import { CHARGED_PRICES } from './charged-prices.ts'
import { everyTable } from './dearest-prices.ts'
import { DEAREST_PRICE, isChargeablePrice } from './price-bounds.ts'

const { tiers: OF_TIERS, service_tiers: OF_SERVICES, inference_geo: OF_GEOS } = BOUNDS.price
const { rule_name: OF_NAMES, factor: OF_FACTORS } = BOUNDS.price

/** Where in a model's prices something is wrong, in the names of the settings, and what that field must be, for `mustBe`. */
export interface RuleObjection {
  readonly path: readonly (string | number)[]
  readonly takes: string
}

/**
 * What is wrong with the rules of a model's prices; null: nothing. Longer prompts never cost less a token than shorter ones,
 * so that a cost only grows with what was used, and no factor makes a price of more than nine places, so that all is exact.
 */
export function objectionToRules(prices: ModelPrices): RuleObjection | null {
  const { rules } = prices
  if (rules === undefined) return null
  if (prices.input === null)
    return { path: ['input'], takes: 'a price, since prices of tokens in tiers stand beside it' }
  return (
    objectionToLengthTiers(rules.lengthTiers, prices, ['tiers']) ??
    objectionToNames(rules) ??
    objectionToOwnPrices(rules) ??
    objectionToFactors(rules) ??
    objectionToProducts(prices, rules)
  )
}

function objectionToLengthTiers(
  tiers: readonly LengthTier[],
  plain: TierPrices,
  at: readonly string[],
): RuleObjection | null {
  if (tiers.length > OF_TIERS.most) return { path: at, takes: `must have at most ${OF_TIERS.most} tiers` }
  let shorter = { aboveInputTokens: 0, prices: plain }
  for (const [i, tier] of tiers.entries()) {
    if (tier.aboveInputTokens <= shorter.aboveInputTokens) {
      const takes = `a number above ${shorter.aboveInputTokens}, since each tier is for longer prompts than the one before`
      return { path: [...at, i, 'above_input_tokens'], takes }
    }
    const { prices } = shorter
    const cheaper = CHARGED.find(([, price]) => (price(tier.prices) ?? 0n) < (price(prices) ?? 0n))
    if (cheaper !== undefined) {
      const [field, price] = cheaper
      const least = formatUsd(price(prices) ?? DEAREST_PRICE)
      return { path: [...at, i, field], takes: `a price of at least ${least}, which shorter prompts cost` }
    }
    shorter = tier
  }
  return null
}

const CHARGED = Object.entries(CHARGED_PRICES)

function objectionToNames({ serviceTiers, geoFactors }: PriceRules): RuleObjection | null {
  if (serviceTiers.size > OF_SERVICES.most)
    return { path: ['service_tiers'], takes: `must have at most ${OF_SERVICES.most} tiers` }
  if (geoFactors.size > OF_GEOS.most)
    return { path: ['inference_geo'], takes: `must have at most ${OF_GEOS.most} places` }
  for (const name of serviceTiers.keys()) {
    if (NAME.test(name) && tierNamed(name) === name && name !== PLAIN) continue
    return { path: ['service_tiers', name], takes: tierNamed(name) === PLAIN || name === 'auto' ? ALWAYS_PLAIN : NAMES }
  }
  for (const name of geoFactors.keys()) {
    if (NAME.test(name) && geoNamed(name) === name && name !== PLAIN) continue
    return { path: ['inference_geo', name], takes: geoNamed(name) === PLAIN ? ALWAYS_PLAIN : NAMES }
  }
  return null
}

const NAME = new RegExp(`^[a-z0-9][a-z0-9_.-]{0,${OF_NAMES.most - 1}}$`)
const NAMES = `must have a name of ${OF_NAMES.least} to ${OF_NAMES.most} small letters, digits, "_", "-" and "."`
const ALWAYS_PLAIN = 'must be left out: this one always costs the plain price'

function objectionToOwnPrices({ serviceTiers }: PriceRules): RuleObjection | null {
  for (const [name, service] of serviceTiers) {
    if (service.kind === 'factor') continue
    const objection = objectionToLengthTiers(service.lengthTiers, service.prices, ['service_tiers', name, 'tiers'])
    if (objection !== null) return objection
  }
  return null
}

function objectionToFactors({ serviceTiers, geoFactors }: PriceRules): RuleObjection | null {
  for (const [name, service] of serviceTiers) {
    if (service.kind === 'factor' && !isFactor(service.factor))
      return { path: ['service_tiers', name, 'factor'], takes: FACTOR }
  }
  for (const [name, factor] of geoFactors) {
    if (!isFactor(factor)) return { path: ['inference_geo', name, 'factor'], takes: FACTOR }
  }
  return null
}

/** The published ones have two places at most; where prices stand in no such proportion, they are written out. */
function isFactor(factor: PartsPerMillion): boolean {
  return factor >= OF_FACTORS.least && factor % OF_FACTORS.least === 0n && factor <= OF_FACTORS.most
}

const FACTOR = `a factor above 0 with up to three places, ${formatMultiplier(OF_FACTORS.most)} at most`

/** Factors on prices: exact, and within what can be charged. */
function objectionToProducts(prices: ModelPrices, rules: PriceRules): RuleObjection | null {
  const geos = [ONE_PPM, ...rules.geoFactors.values()]
  const factors = [...rules.serviceTiers].flatMap(([name, service]) =>
    service.kind === 'factor' ? [[['service_tiers', name, 'factor'], service.factor] as const] : [],
  )
  const own = [...rules.serviceTiers.values()].flatMap((service) =>
    service.kind === 'prices' ? [service.prices, ...service.lengthTiers.map((tier) => tier.prices)] : [],
  )
  const plain = [prices, ...rules.lengthTiers.map((tier) => tier.prices)].flatMap(pricesOf)
  const all = [...plain, ...own.flatMap(pricesOf)]
  for (const geo of geos) {
    for (const [path, factor] of factors) {
      if (plain.some((price) => (price * factor * geo) % (ONE_PPM * ONE_PPM) !== 0n)) return { path, takes: EXACT }
    }
  }
  for (const [name, geo] of rules.geoFactors) {
    if (all.some((price) => (price * geo) % ONE_PPM !== 0n))
      return { path: ['inference_geo', name, 'factor'], takes: EXACT }
  }
  const isTooDear = everyTable(prices).some((table) => pricesOf(table).some((price) => !isChargeablePrice(price)))
  if (!isTooDear) return null
  const takes = `must have factors that make a million tokens cost ${formatUsd(DEAREST_PRICE)} USD at most`
  return { path: [factors.length > 0 ? 'service_tiers' : 'inference_geo'], takes }
}

const EXACT = 'a factor that leaves every price at nine places after the point, or own prices instead'

function pricesOf({ input, output, cacheRead, cacheWrite, cacheWrite1h, other }: TierPrices): readonly NanoUsd[] {
  const all = [input, output, cacheRead, cacheWrite, cacheWrite1h, ...Object.values(other ?? {})]
  return all.filter((price) => price !== null)
}
