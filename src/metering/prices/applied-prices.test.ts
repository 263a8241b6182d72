import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALL_KINDS } from '../../core/calls.ts'
import { COST_LIMIT_NANO_USD } from '../../core/limits.ts'
import { nanoUsd, parseUsd, partsPerMillion } from '../../core/money.ts'
import type { ModelPrices, ServicePrices, TierPrices } from '../../core/price-rules.ts'
import { NO_TERMS, PLAIN } from '../../core/terms.ts'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { appliedPrices } from './applied-prices.ts'
import { costOf } from './cost.ts'
import { dearestPrices } from './dearest-prices.ts'

/** Prices in thousandths of a USD, so that factors with three places leave them whole. */
const price = fc.bigInt({ min: 0n, max: 500_000n }).map((milliUsd) => nanoUsd(milliUsd * 1_000_000n))
const maybe = fc.option(price, { nil: null })
const tierPrices = fc.record({
  input: price,
  output: price,
  cacheRead: maybe,
  cacheWrite: maybe,
  cacheWrite1h: maybe,
  other: fc.option(fc.record({ audioInput: maybe, imageInput: maybe, audioOutput: maybe }), { nil: null }),
})
const factor = fc.bigInt({ min: 1n, max: 12_000n }).map((thousandths) => partsPerMillion(thousandths * 1_000n))

/** Each longer tier is dearer in every kind, as the settings require. */
const lengthTiers = fc
  .array(fc.record({ step: fc.integer({ min: 1, max: 400_000 }), more: fc.bigInt({ min: 0n, max: 90_000n }) }), {
    maxLength: 3,
  })
  .map((steps) => (plain: TierPrices) => {
    let [above, added] = [0, 0n]
    return steps.map(({ step, more }) => {
      above += step
      added += more * 1_000_000n
      return { aboveInputTokens: above, prices: raised(plain, added) }
    })
  })

function raised(prices: TierPrices, by: bigint): TierPrices {
  const more = (amount: bigint | null) => (amount === null ? null : nanoUsd(amount + by))
  const { other } = prices
  return {
    input: more(prices.input),
    output: more(prices.output),
    cacheRead: more(prices.cacheRead),
    cacheWrite: more(prices.cacheWrite),
    cacheWrite1h: more(prices.cacheWrite1h),
    other: other && {
      audioInput: more(other.audioInput),
      imageInput: more(other.imageInput),
      audioOutput: more(other.audioOutput),
    },
  }
}

const service: fc.Arbitrary<ServicePrices> = fc.oneof(
  factor.map((each) => ({ kind: 'factor' as const, factor: each })),
  fc.tuple(tierPrices, lengthTiers).map(([prices, tiers]) => {
    return { kind: 'prices' as const, prices, lengthTiers: tiers(prices) }
  }),
)
const modelPrices: fc.Arbitrary<ModelPrices> = fc
  .record({
    plain: tierPrices,
    tiers: lengthTiers,
    services: fc.dictionary(fc.constantFrom('priority', 'flex', 'fast'), service, { maxKeys: 3 }),
    geos: fc.dictionary(fc.constantFrom('us', 'eu'), factor, { maxKeys: 2 }),
    calls: fc.option(fc.record({ web_search: price, grounded_prompt: price }), { nil: undefined }),
  })
  .map(({ plain, tiers, services, geos, calls }) => ({
    ...plain,
    units: null,
    ...(calls === undefined ? {} : { calls }),
    rules: {
      lengthTiers: tiers(plain),
      serviceTiers: new Map(Object.entries(services)),
      geoFactors: new Map(Object.entries(geos)),
    },
  }))

const count = fc.integer({ min: 0, max: 500_000 })
const counts: fc.Arbitrary<TokenCounts> = fc.record({
  input: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count,
  output: count,
  reasoning: fc.constant(null),
  other: fc.option(fc.record({ audioInput: count, imageInput: count, audioOutput: count }), { nil: null }),
  units: fc.constant(null),
  calls: fc.record({ web_search: fc.integer({ min: 0, max: 50 }), grounded_prompt: fc.integer({ min: 0, max: 1 }) }),
})
const tier = fc.constantFrom(null, PLAIN, 'priority', 'flex', 'fast')
const geo = fc.constantFrom(null, PLAIN, 'us', 'eu')
const terms = fc.record({ tier, geo })

/** A fraction of bigints. */
interface Rational {
  readonly over: bigint
  readonly under: bigint
}

/** The cost worked out once more: each kind by itself, as a fraction of USD, from what the provider's page would say. */
function reference(prices: ModelPrices, used: TokenCounts, named: { tier: string; geo: string }): bigint {
  const whole =
    (used.input ?? 0) +
    (used.cacheRead ?? 0) +
    (used.cacheWrite ?? 0) +
    (used.cacheWrite1h ?? 0) +
    (used.other?.audioInput ?? 0) +
    (used.other?.imageInput ?? 0)
  const special = prices.rules?.serviceTiers.get(named.tier)
  const own = special?.kind === 'prices' ? special : null
  let table: TierPrices = own?.prices ?? prices
  for (const each of own?.lengthTiers ?? prices.rules?.lengthTiers ?? []) {
    if (whole > each.aboveInputTokens) table = each.prices
  }
  const times = [special?.kind === 'factor' ? special.factor : null, prices.rules?.geoFactors.get(named.geo) ?? null]
  const kinds: readonly (readonly [number | null | undefined, bigint | null])[] = [
    [used.input, table.input],
    [used.output, table.output],
    [used.cacheRead, table.cacheRead ?? table.input],
    [used.cacheWrite, table.cacheWrite ?? table.input],
    [used.cacheWrite1h, table.cacheWrite1h ?? table.cacheWrite ?? table.input],
    [used.other?.audioInput, table.other?.audioInput ?? table.input],
    [used.other?.imageInput, table.other?.imageInput ?? table.input],
    [used.other?.audioOutput, table.other?.audioOutput ?? table.output],
  ]
  let sum: Rational = { over: 0n, under: 1n }
  for (const [n, each] of kinds) {
    let part: Rational = { over: BigInt(n ?? 0) * (each ?? 0n), under: 1_000_000n }
    for (const by of times) if (by !== null) part = { over: part.over * by, under: part.under * 1_000_000n }
    sum = { over: sum.over * part.under + part.over * sum.under, under: sum.under * part.under }
  }
  for (const kind of CALL_KINDS) {
    const fee = BigInt(used.calls?.[kind] ?? 0) * (prices.calls?.[kind] ?? 0n)
    sum = { over: sum.over * 1_000_000n + fee * sum.under, under: sum.under * 1_000_000n }
  }
  const rounded = (sum.over + sum.under - 1n) / sum.under
  return rounded > COST_LIMIT_NANO_USD ? COST_LIMIT_NANO_USD : rounded
}

const ONE = partsPerMillion(1_000_000n)

function charged(prices: ModelPrices, used: TokenCounts, said: Parameters<typeof appliedPrices>[2]): bigint {
  return costOf(used, appliedPrices(prices, used, said).prices, ONE)
}

test('the cost is that of an independent sum of fractions, rounded up once', () => {
  fc.assert(
    fc.property(modelPrices, counts, terms, (prices, used, named) => {
      const words = { tier: named.tier ?? PLAIN, geo: named.geo ?? PLAIN }
      expect(charged(prices, used, { asked: NO_TERMS, named })).toBe(reference(prices, used, words))
    }),
    { numRuns: 1_000 },
  )
})

test('where the answer names nothing, the dearer of what was asked for and the plain price is charged', () => {
  fc.assert(
    fc.property(modelPrices, counts, terms, (prices, used, asked) => {
      const tiers = [PLAIN, asked.tier ?? PLAIN]
      const geos = [PLAIN, asked.geo ?? PLAIN]
      const all = tiers.flatMap((one) => geos.map((other) => reference(prices, used, { tier: one, geo: other })))
      const dearest = all.reduce((most, each) => (each > most ? each : most))
      expect(charged(prices, used, { asked, named: NO_TERMS })).toBe(dearest)
    }),
    { numRuns: 500 },
  )
})

test('more of anything never costs less', () => {
  const kinds = ['input', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'output'] as const
  const grown = fc
    .tuple(counts, fc.constantFrom(...kinds), count)
    .map(([used, kind, more]) => [used, { ...used, [kind]: (used[kind] ?? 0) + more }] as const)
  fc.assert(
    fc.property(modelPrices, grown, terms, (prices, [used, more], named) => {
      const said = { asked: NO_TERMS, named }
      expect(charged(prices, more, said) >= charged(prices, used, said)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('what is held covers what can be charged, whatever the answer names of what the request left open', () => {
  fc.assert(
    fc.property(modelPrices, counts, fc.tuple(terms, terms), (prices, used, [asked, named]) => {
      const got = {
        tier: asked.tier === null ? (named.tier === 'fast' ? PLAIN : named.tier) : asked.tier,
        geo: asked.geo ?? named.geo,
      }
      const inputTokens = (used.input ?? 0) + (used.cacheRead ?? 0) + (used.cacheWrite ?? 0)
      const whole =
        inputTokens + (used.cacheWrite1h ?? 0) + (used.other?.audioInput ?? 0) + (used.other?.imageInput ?? 0)
      const held = costOf(used, dearestPrices(prices, { inputTokens: whole, asked }), ONE)
      expect(held >= charged(prices, used, { asked, named: got })).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('a model without rules keeps the very prices that it has', () => {
  const prices = { ...NOTHING_APART, input: parseUsd('1'), output: parseUsd('2'), units: null }
  const applied = appliedPrices(prices, NO_TOKENS, { asked: NO_TERMS, named: NO_TERMS })
  expect(applied.prices).toBe(prices)
  expect(dearestPrices(prices, { inputTokens: 9_000_000, asked: NO_TERMS })).toBe(prices)
})

const NOTHING_APART = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null }

test('names that every object has are not taken for tiers', () => {
  const rules = { lengthTiers: [], serviceTiers: new Map(), geoFactors: new Map() }
  const prices = { ...NOTHING_APART, input: parseUsd('1'), output: parseUsd('2'), units: null, rules }
  const named = { tier: '__proto__', geo: 'constructor' }
  const applied = appliedPrices(prices, { ...NO_TOKENS, input: 1 }, { asked: NO_TERMS, named })
  expect(applied).toMatchObject({ isUnpriced: true, prices: { input: parseUsd('1') } })
})
