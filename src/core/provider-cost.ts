import type { PartsPerMillion } from './money.ts'
import type { ModelPrices } from './price-rules.ts'

/** What the provider of a target charges for a request there: a part of the model's own prices, or prices of its own. */
export type ProviderCost =
  | { readonly kind: 'factor'; readonly factor: PartsPerMillion }
  | { readonly kind: 'prices'; readonly prices: ModelPrices }
