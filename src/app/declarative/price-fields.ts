import { MULTIPLIER_LIMIT } from '../../core/limits.ts'
import { formatUsd, type PartsPerMillion } from '../../core/money.ts'
import { priceOfMillion, type TokenPrices } from '../../core/prices.ts'
import {
  DEAREST_PRICE,
  DEAREST_UNIT,
  dearestBeyondBound,
  isChargeableMultiplier,
  isChargeablePrice,
} from '../../metering/prices/price-bounds.ts'
import { multiplier, usd } from './fields.ts'
import type { Path } from './located-yaml.ts'

/** A price of a million tokens or characters. */
export function unitPrice() {
  return usd().refine(isChargeablePrice, { error: `the price of a million tokens, ${MOST_USD} USD at most` })
}

/** A price of one request, image or second, kept as that of a million. */
export function priceOfUnit() {
  return usd()
    .refine((price) => price <= DEAREST_UNIT, { error: `the price of one, ${formatUsd(DEAREST_UNIT)} USD at most` })
    .transform(priceOfMillion)
}

export function boundedMultiplier() {
  return multiplier().refine(isChargeableMultiplier, { error: `a factor of ${MULTIPLIER_LIMIT} at most` })
}

/** Groups whose multiplier makes a price that no request could be charged. */
export function priceProblems({ models, groups }: DeclaredPrices): readonly PriceProblem[] {
  return groups.flatMap((group, i) => {
    const served = models.filter(({ name }) => group.models.includes('*') || group.models.includes(name))
    const tooDear = dearestBeyondBound(group.multiplier, served)
    if (tooDear === null) return []
    const sentence = `this multiplier makes a million tokens of "${tooDear.name}" cost $${formatUsd(tooDear.price)}, where $${MOST_USD} is the most: lower it, or the model's price`
    return [{ path: ['groups', i, 'multiplier'], sentence }]
  })
}

interface DeclaredPrices {
  readonly models: readonly { readonly name: string; readonly prices: TokenPrices | null }[]
  readonly groups: readonly { readonly multiplier: PartsPerMillion; readonly models: readonly string[] }[]
}

interface PriceProblem {
  readonly path: Path
  readonly sentence: string
}

const MOST_USD = formatUsd(DEAREST_PRICE)
