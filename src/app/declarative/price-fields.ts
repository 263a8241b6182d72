import { MULTIPLIER_LIMIT, UNIT_PRICE_LIMIT_NANO_USD } from '../../core/limits.ts'
import { formatUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { pricesSet, type TokenPrices } from '../../core/prices.ts'
import { multiplier, usd } from '../fields.ts'
import type { Path } from './located-yaml.ts'

/** A price of a million tokens. */
export function unitPrice() {
  return usd().refine((price) => price <= UNIT_PRICE_LIMIT_NANO_USD, {
    error: `the price of a million tokens, ${MOST_USD} USD at most`,
  })
}

export function boundedMultiplier() {
  return multiplier().refine((ppm) => ppm <= MULTIPLIER_LIMIT * ONE_PPM, {
    error: `a factor of ${MULTIPLIER_LIMIT} at most`,
  })
}

/** Groups whose multiplier makes a price that no request could be charged. */
export function priceProblems({ models, groups }: DeclaredPrices): readonly PriceProblem[] {
  return groups.flatMap((group, i) => {
    const tooDear = models
      .filter(({ name }) => group.models.includes('*') || group.models.includes(name))
      .flatMap(({ name, prices }) => (prices === null ? [] : pricesSet(prices).map((price) => ({ name, price }))))
      .find(({ price }) => price * group.multiplier > UNIT_PRICE_LIMIT_NANO_USD * ONE_PPM)
    if (tooDear === undefined) return []
    const usdAfter = formatUsd(nanoUsd((tooDear.price * group.multiplier) / ONE_PPM))
    const sentence = `this multiplier makes a million tokens of "${tooDear.name}" cost $${usdAfter}, where $${MOST_USD} is the most: lower it, or the model's price`
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

const MOST_USD = formatUsd(nanoUsd(UNIT_PRICE_LIMIT_NANO_USD))
