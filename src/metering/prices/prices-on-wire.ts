import { CALL_KINDS, type CallKind } from '../../core/calls.ts'
import { formatMultiplier, formatUsd, type PartsPerMillion } from '../../core/money.ts'
import { TOKEN_PRICE_FIELDS, TOKEN_PRICES, type TokenPriceField } from '../../core/price-fields.ts'
import type { LengthTier, ModelPrices, PriceRules, TierPrices } from '../../core/price-rules.ts'
import { priceAfter, priceOfOne } from '../../core/prices.ts'

/** Prices of tokens in USD, after a multiplier; kinds that are not set apart are not there. */
export type TierOnWire = { readonly [Field in TokenPriceField]?: string }

export interface LengthTierOnWire extends TierOnWire {
  readonly above_input_tokens: number
}

/** A factor, or prices. */
export interface ServiceOnWire extends TierOnWire {
  readonly factor?: string
  readonly tiers?: LengthTierOnWire[]
}

/** What changes a model's prices, and fees for calls, as lists and views write them; absent where there is none. */
export interface RulesOnWire {
  readonly tiers?: LengthTierOnWire[]
  readonly service_tiers?: Readonly<Record<string, ServiceOnWire>>
  readonly inference_geo?: Readonly<Record<string, { readonly factor: string }>>
  readonly per_call?: { readonly [Kind in CallKind]?: string }
}

/** Factors stay as they are: they hold for the prices after the multiplier as well. */
export function rulesOnWire({ rules, calls }: ModelPrices, multiplier: PartsPerMillion): RulesOnWire {
  if (rules === undefined && calls === undefined) return NOTHING
  return {
    ...(rules === undefined ? {} : ofRules(rules, multiplier)),
    ...(calls === undefined
      ? {}
      : {
          per_call: Object.fromEntries(
            CALL_KINDS.flatMap((kind) => {
              const price = calls[kind]
              return price === undefined ? [] : [[kind, formatUsd(priceOfOne(price, multiplier))]]
            }),
          ),
        }),
  }
}

const NOTHING: RulesOnWire = {}

/** Prices of tokens as they are written everywhere. */
export function tierOnWire(prices: TierPrices, multiplier: PartsPerMillion): TierOnWire {
  const set = TOKEN_PRICE_FIELDS.flatMap((field) => {
    const price = TOKEN_PRICES[field](prices)
    return price == null ? [] : [[field, formatUsd(priceAfter(price, multiplier))]]
  })
  return Object.fromEntries(set)
}

function ofRules({ lengthTiers, serviceTiers, geoFactors }: PriceRules, multiplier: PartsPerMillion): RulesOnWire {
  return {
    ...(lengthTiers.length === 0 ? {} : { tiers: lengthTiers.map((tier) => lengthTierOnWire(tier, multiplier)) }),
    ...(serviceTiers.size === 0
      ? {}
      : {
          service_tiers: Object.fromEntries(
            [...serviceTiers].map(([name, service]): [string, ServiceOnWire] => {
              if (service.kind === 'factor') return [name, { factor: formatMultiplier(service.factor) }]
              const tiers = service.lengthTiers.map((tier) => lengthTierOnWire(tier, multiplier))
              return [name, { ...tierOnWire(service.prices, multiplier), ...(tiers.length === 0 ? {} : { tiers }) }]
            }),
          ),
        }),
    ...(geoFactors.size === 0
      ? {}
      : {
          inference_geo: Object.fromEntries(
            [...geoFactors].map(([name, factor]) => [name, { factor: formatMultiplier(factor) }]),
          ),
        }),
  }
}

function lengthTierOnWire({ aboveInputTokens, prices }: LengthTier, multiplier: PartsPerMillion): LengthTierOnWire {
  return { above_input_tokens: aboveInputTokens, ...tierOnWire(prices, multiplier) }
}
