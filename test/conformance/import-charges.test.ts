import { expect, test } from 'vitest'
import { type NanoUsd, parseMultiplier } from '../../src/core/money.ts'
import type { ModelPrices } from '../../src/core/price-rules.ts'
import { NO_TERMS } from '../../src/core/terms.ts'
import { NO_TOKENS, type TokenCounts } from '../../src/core/tokens.ts'
import { ImportNotes } from '../../src/import/import-plan.ts'
import { oneApiPricesIn } from '../../src/import/new-api/one-api-prices.ts'
import { pricesIn } from '../../src/import/new-api/prices.ts'
import { appliedPrices } from '../../src/metering/prices/applied-prices.ts'
import { costOf } from '../../src/metering/prices/cost.ts'
import { drawnFrom } from '../support/import-sources/new-api-source.ts'

const CASES = 1_000
const SETTINGS = {
  accepted: new Set<never>(),
  negative: null,
  admins: 'keep',
  pricing: null,
  oidcIssuer: null,
  nowMs: 0,
} as const
/** So many nano-USD are one unit of the products, which have 500,000 for a USD. */
const UNIT = 2_000n

type Draw = (below: number) => number

/** A fraction of whole numbers: the formulas are worked out with these alone, apart from any code of the import. */
type Exact = readonly [over: bigint, under: bigint]

const plus = ([a, b]: Exact, [c, d]: Exact): Exact => [a * d + c * b, b * d]
const by = ([a, b]: Exact, [c, d]: Exact): Exact => [a * c, b * d]
const ceil = ([over, under]: Exact) => (over + under - 1n) / under
const whole = (number: number): Exact => [BigInt(number), 1n]

/** A decimal as a person writes it, and the same as a fraction. */
function decimal(draw: Draw, below: number, places: number): { text: number; exact: Exact } {
  const digits = draw(below * 10 ** places)
  return { text: digits / 10 ** places, exact: [BigInt(digits), 10n ** BigInt(places)] }
}

function maybe<T>(draw: Draw, make: () => T): T | null {
  return draw(3) === 0 ? null : make()
}

function charged(prices: ModelPrices, tokens: TokenCounts, multiplier: string): NanoUsd {
  const terms = { asked: NO_TERMS, named: NO_TERMS }
  return costOf(tokens, appliedPrices(prices, tokens, terms).prices, parseMultiplier(multiplier))
}

function count(draw: Draw): number {
  return draw(4) === 0 ? 0 : draw(200_000)
}

/** Our charge is the product's, up to the next nano-USD, and is within its own rounding of what it writes. */
function expectSame(nano: NanoUsd, exact: Exact, products: (exactUnits: Exact) => bigint): void {
  expect(nano).toBe(ceil(by(exact, [UNIT, 1n])))
  const units = products(exact)
  const apart = nano - units * UNIT
  expect(apart <= UNIT && apart >= -UNIT).toBe(true)
}

test('a thousand price tables of new-api are charged to the nano-USD by its own formula', () => {
  const draw = drawnFrom(41)
  for (let each = 0; each < CASES; each++) {
    const ratio = decimal(draw, 60, 3)
    const completion = maybe(draw, () => decimal(draw, 12, 2))
    const cached = maybe(draw, () => decimal(draw, 1, 2))
    const writing = maybe(draw, () => decimal(draw, 2, 2))
    const pictures = maybe(draw, () => decimal(draw, 5, 1))
    const group = decimal(draw, 3, 4)
    const options = new Map(
      Object.entries({
        ModelRatio: { house: ratio.text },
        CompletionRatio: completion === null ? {} : { house: completion.text },
        CacheRatio: cached === null ? {} : { house: cached.text },
        CreateCacheRatio: writing === null ? {} : { house: writing.text },
        ImageRatio: pictures === null ? {} : { house: pictures.text },
      }).map(([key, value]) => [key, JSON.stringify(value)]),
    )
    const prices = pricesIn(options, { settings: SETTINGS, notes: new ImportNotes() })('house')
    if (prices === null) throw new Error(`no price of ${JSON.stringify([...options])}`)
    const [input, read, written, longer, seen, output] = [draw, draw, draw, draw, draw, draw].map(count) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const tokens: TokenCounts = {
      ...NO_TOKENS,
      input,
      cacheRead: read,
      cacheWrite: written,
      cacheWrite1h: longer,
      output,
      other: { audioInput: 0, imageInput: seen, audioOutput: 0 },
    }
    // (plain + cached × r + written × w + written for an hour × w × 6 ÷ 3.75 + pictures × i + output × c) × ratio × group
    const write = writing?.exact ?? ([5n, 4n] as const)
    const units = [
      whole(input),
      by(whole(read), cached?.exact ?? [1n, 1n]),
      by(whole(written), write),
      by(by(whole(longer), write), [600n, 375n]),
      by(whole(seen), pictures?.exact ?? [1n, 1n]),
      by(whole(output), completion?.exact ?? [1n, 1n]),
    ].reduce(plus)
    const exact = by(by(units, ratio.exact), group.exact)
    // To the nearest unit, and never to none.
    const rounded = ([over, under]: Exact) => {
      const nearest = (over * 2n + under) / (under * 2n)
      return nearest === 0n && over > 0n ? 1n : nearest
    }
    expectSame(charged(prices, tokens, String(group.text)), exact, rounded)
  }
})

/** Names, and what one-api has built in for them: ratio of the input, and of the output to it. */
const BUILT_IN: Readonly<Record<string, readonly [ratio: Exact, completion: Exact]>> = {
  'gpt-4o-mini': [
    [75n, 1000n],
    [4n, 1n],
  ],
  'gpt-4-turbo': [
    [5n, 1n],
    [3n, 1n],
  ],
  'gpt-3.5-turbo-16k': [
    [3n, 2n],
    [4n, 3n],
  ],
  'claude-3-haiku-20240307': [
    [125n, 1000n],
    [5n, 1n],
  ],
  'deepseek-chat': [
    [7n, 100n],
    [2n, 1n],
  ],
  'deepseek-reasoner': [
    [275n, 1000n],
    [219n, 55n],
  ],
  'o1-mini': [
    [3n, 2n],
    [4n, 1n],
  ],
}

test('a thousand price tables of one-api are charged to the nano-USD by its own formula', () => {
  const draw = drawnFrom(43)
  const names = Object.keys(BUILT_IN)
  for (let each = 0; each < CASES; each++) {
    const name = names[draw(names.length)] ?? ''
    const built = BUILT_IN[name]
    const ratio = maybe(draw, () => decimal(draw, 60, 3))
    // What is left out of its table is built in, whether there is a table or not.
    const completion = maybe(draw, () => decimal(draw, 12, 2))
    const type = String(1 + draw(51))
    const hasType = draw(4) === 0
    const typed = decimal(draw, 60, 3)
    const group = decimal(draw, 3, 4)
    const model = {
      ...(ratio === null ? {} : { [name]: ratio.text }),
      ...(hasType ? { [`${name}(${type})`]: typed.text } : {}),
    }
    const options = new Map([
      ['ModelRatio', JSON.stringify(model)],
      ...(completion === null ? [] : [['CompletionRatio', JSON.stringify({ [name]: completion.text })] as const]),
    ])
    const target = { upstream: 'u', model: name, priority: 0, weight: 1, groups: ['default'], costFactor: null }
    const served = [{ name: 'nick', type, target }]
    // The ratio of 79 to 59 and its like has no end, and a price has nine decimals.
    const settings = { ...SETTINGS, accepted: new Set(['price' as const]) }
    const prices = oneApiPricesIn(options, { served, settings, notes: new ImportNotes() })('nick')
    if (prices === null || built === undefined) throw new Error(`no price of ${name}`)
    const [input, output] = [count(draw), count(draw)]
    const exactRatio = hasType ? typed.exact : (ratio?.exact ?? built[0])
    const exactCompletion = completion?.exact ?? built[1]
    const price: Exact = by(by(exactRatio, exactCompletion), [2_000_000_000n, 1n])
    const isWhole = price[0] % price[1] === 0n
    // (input + output × c) × ratio × group, up to the next unit, and never to none
    const exact = by(by(plus(whole(input), by(whole(output), exactCompletion)), exactRatio), group.exact)
    const nano = charged(prices, { ...NO_TOKENS, input, output }, String(group.text))
    const up = ([over, under]: Exact) => {
      const units = ceil([over, under])
      return units === 0n && over > 0n ? 1n : units
    }
    if (isWhole) expectSame(nano, exact, up)
    else {
      const apart = nano - ceil(by(exact, [UNIT, 1n]))
      expect(apart >= -1n && apart <= 1n).toBe(true)
    }
  }
})
