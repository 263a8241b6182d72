import { CALL_KINDS } from '../../core/calls.ts'
import { type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { UNIT_PRICES } from '../../core/price-fields.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import type { TokenPrices } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import { type AppliedPrices, appliedPrices, type AskedAndNamed } from './applied-prices.ts'
import { CHARGED_PRICES } from './charged-prices.ts'
import { costOf } from './cost.ts'

/**
 * What a request costs at its provider, by the same counts as the charge: rounded up once, in nano-USD. A factor is one on the
 * prices that the request was charged at, before the group's multiplier.
 */
export function providerCostOf(
  cost: ProviderCost,
  { tokens, applied, terms }: { tokens: TokenCounts; applied: AppliedPrices; terms: AskedAndNamed },
): NanoUsd {
  if (cost.kind === 'factor') return costOf(tokens, applied.prices, cost.factor)
  return costOf(tokens, appliedPrices(cost.prices, tokens, terms).prices, ONE_PPM)
}

/** What a target's requests are sold at: the model's prices, and the group's multiplier on them. */
export interface Sale {
  readonly prices: ModelPrices
  readonly multiplier: PartsPerMillion
}

/**
 * What is left of the sale's price of whatever leaves the least, in parts per million of it, rounded down; below zero it is sold
 * below cost. Plain prices are compared, those by rules are not. `NO_SALE` where something that costs is sold for nothing.
 */
export function leastMargin(cost: ProviderCost, { prices, multiplier }: Sale): bigint {
  if (cost.kind === 'factor') return marginOf(cost.factor, multiplier)
  const [costs, sales] = [everyPrice(cost.prices), everyPrice(prices)]
  let least: bigint = ONE_PPM
  for (const [at, price] of costs.entries()) {
    const margin = marginOf(price * ONE_PPM, (sales[at] ?? 0n) * multiplier)
    if (margin < least) least = margin
  }
  return least
}

/** Less than any margin. */
export const NO_SALE = -(10n ** 30n)

function marginOf(cost: bigint, sale: bigint): bigint {
  if (cost === 0n) return ONE_PPM
  if (sale === 0n) return NO_SALE
  const margin = (sale - cost) * ONE_PPM
  return margin < 0n ? (margin - sale + 1n) / sale : margin / sale
}

/** The plain price of everything that may be counted, in one order; nothing where it has none. */
function everyPrice(prices: TokenPrices): readonly bigint[] {
  const { units, calls } = prices
  const all = [
    ...Object.values(CHARGED_PRICES).map((price) => price(prices)),
    ...Object.values(UNIT_PRICES).map((price) => units && price(units)),
    ...CALL_KINDS.map((kind) => calls?.[kind]),
  ]
  return all.map((price) => price ?? 0n)
}
