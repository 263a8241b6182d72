import type { PartsPerMillion } from './money.ts'
import type { TokenPrices } from './prices.ts'

/** What makes a model's tokens cost another price than the plain one. Nearly no model has any. */
export interface PriceRules {
  /** Tiers by the length of the prompt; each longer than the one before. */
  readonly lengthTiers: readonly LengthTier[]
  /** Tiers by the class of service that the answer names. */
  readonly serviceTiers: ReadonlyMap<string, ServicePrices>
  /** Factors by the place where the model ran; on top of all others. */
  readonly geoFactors: ReadonlyMap<string, PartsPerMillion>
}

/** Prices of tokens alone; units and calls cost the same in every tier. */
export type TierPrices = Pick<TokenPrices, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'other'>

/** The whole request is charged at these prices when its input, of all kinds together, is longer than this. */
export interface LengthTier {
  readonly aboveInputTokens: number
  readonly prices: TierPrices
}

/** A factor on every price of tokens, those for long prompts too; or own prices, with their own ones for long prompts. */
export type ServicePrices =
  | { readonly kind: 'factor'; readonly factor: PartsPerMillion }
  | { readonly kind: 'prices'; readonly prices: TierPrices; readonly lengthTiers: readonly LengthTier[] }

/** A model's prices with all that changes them. */
export interface ModelPrices extends TokenPrices {
  readonly rules?: PriceRules
}

/** Null when there is no rule, so that there is one way to say so. */
export function priceRules(rules: PriceRules): PriceRules | null {
  const { lengthTiers, serviceTiers, geoFactors } = rules
  return lengthTiers.length === 0 && serviceTiers.size === 0 && geoFactors.size === 0 ? null : rules
}
