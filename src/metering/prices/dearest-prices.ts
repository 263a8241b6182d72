import { type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ModelPrices, PriceRules } from '../../core/price-rules.ts'
import { otherPrices, type TokenPrices } from '../../core/prices.ts'
import { PLAIN, type ServiceTerms } from '../../core/terms.ts'
import { CHARGED_PRICES } from './charged-prices.ts'
import { tableOf, tiersOf, withDearestOutput } from './applied-prices.ts'

/**
 * The highest price of each kind that a request may be charged at, by what it asks for: what it leaves open, the answer may
 * name, but for the classes that only a request can choose.
 */
export function dearestPrices(
  prices: ModelPrices,
  about: { readonly inputTokens: number; readonly asked: ServiceTerms },
): TokenPrices {
  const { rules } = prices
  if (rules === undefined) return withDearestOutput(prices)
  const { inputTokens, asked } = about
  const tables: TokenPrices[] = []
  for (const tier of possible(asked.tier, rules.serviceTiers)) {
    if (tier !== undefined && asked.tier !== tier && ONLY_BY_WISH.has(tier)) continue
    for (const geo of possible(asked.geo, rules.geoFactors)) tables.push(tableOf(prices, { inputTokens, tier, geo }))
  }
  return highestOf(prices, tables.map(withDearestOutput))
}

/** Every table of prices that a model's requests can be charged at. Bounded, as the settings bound the rules. */
export function everyTable(prices: ModelPrices): readonly TokenPrices[] {
  const { rules } = prices
  if (rules === undefined) return [prices]
  return [undefined, ...rules.serviceTiers.keys()].flatMap((tier) =>
    [undefined, ...rules.geoFactors.keys()].flatMap((geo) =>
      lengthsOf(rules, tier).map((inputTokens) => tableOf(prices, { inputTokens, tier, geo })),
    ),
  )
}

/** Fast answers and batches come only to requests that ask for them. */
const ONLY_BY_WISH: ReadonlySet<string> = new Set(['fast', 'batch'])

/** A length of the input on each side of each threshold. */
function lengthsOf(rules: PriceRules, tier: string | undefined): readonly number[] {
  return [0, ...tiersOf(rules, tier).map(({ aboveInputTokens }) => aboveInputTokens + 1)]
}

function possible(asked: string | null, priced: ReadonlyMap<string, unknown>): readonly (string | undefined)[] {
  if (asked === null) return [undefined, ...priced.keys()]
  return asked === PLAIN ? [undefined] : [undefined, asked]
}

function highestOf(plain: TokenPrices, tables: readonly TokenPrices[]): TokenPrices {
  const highest = (price: (table: TokenPrices) => NanoUsd | null) =>
    tables.reduce<NanoUsd>((most, table) => larger(most, price(table)), ZERO_NANO_USD)
  const hasOther = tables.some(({ other }) => other !== null)
  return {
    input: plain.input === null ? null : highest(({ input }) => input),
    output: plain.output === null ? null : highest(({ output }) => output),
    cacheRead: plain.input === null ? null : highest(CHARGED_PRICES.cache_read),
    cacheWrite: plain.input === null ? null : highest(CHARGED_PRICES.cache_write),
    cacheWrite1h: plain.input === null ? null : highest(CHARGED_PRICES.cache_write_1h),
    other: hasOther
      ? otherPrices({
          audioInput: highest(CHARGED_PRICES.audio_input),
          imageInput: highest(CHARGED_PRICES.image_input),
          audioOutput: highest(CHARGED_PRICES.audio_output),
        })
      : null,
    units: plain.units,
    ...(plain.calls === undefined ? {} : { calls: plain.calls }),
  }
}

function larger(one: NanoUsd, other: NanoUsd | null): NanoUsd {
  return other !== null && other > one ? other : one
}
