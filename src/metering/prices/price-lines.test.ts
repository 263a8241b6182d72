import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COST_LIMIT_NANO_USD } from '../../core/limits.ts'
import { nanoUsd, parseMultiplier, parseUsd, partsPerMillion } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { costOf } from './cost.ts'
import { formatExactUsd, priceLines } from './price-lines.ts'

const count = fc.option(fc.integer({ min: 0, max: 100_000_000 }), { nil: null })
const price = fc.bigInt({ min: 0n, max: 10_000_000_000_000n }).map(nanoUsd)
const unset = fc.option(price, { nil: null })
const whole = fc.integer({ min: 0, max: 1_000_000 })

const tokens = fc.record({
  input: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: count,
  output: count,
  reasoning: count,
  other: fc.option(fc.record({ audioInput: whole, imageInput: whole, audioOutput: whole }), { nil: null }),
  units: fc.option(fc.record({ requests: count, images: count, seconds: count, characters: count }), { nil: null }),
})
const prices = fc.record({
  input: unset,
  output: unset,
  cacheRead: unset,
  cacheWrite: unset,
  cacheWrite1h: unset,
  other: fc.option(
    fc.record(
      { audioInput: unset, imageInput: unset, audioOutput: unset, reasoningOutput: price },
      { requiredKeys: ['audioInput', 'imageInput', 'audioOutput'] },
    ),
    { nil: null },
  ),
  units: fc.option(fc.record({ request: unset, image: unset, second: unset, character: unset }), { nil: null }),
})

const PER_NANO_USD = 1_000_000_000_000n

test('the lines of a record add up to its cost, rounded up once', () => {
  const multiplier = fc.bigInt({ min: 0n, max: 10_000_000n }).map(partsPerMillion)
  fc.assert(
    fc.property(tokens, prices, multiplier, (counted, priced, factor) => {
      const exact = priceLines(counted, priced, factor).reduce((sum, line) => sum + line.exact, 0n)
      const cost = (exact + PER_NANO_USD - 1n) / PER_NANO_USD
      expect(cost > COST_LIMIT_NANO_USD ? COST_LIMIT_NANO_USD : cost).toBe(costOf(counted, priced, factor))
    }),
    { numRuns: 500 },
  )
})

test('a kind without a price of its own is shown at the price it is charged at', () => {
  const priced = {
    input: parseUsd('2.5'),
    output: parseUsd('10'),
    cacheRead: parseUsd('0.25'),
    cacheWrite: parseUsd('3'),
    cacheWrite1h: null,
    other: null,
    units: null,
  }
  const counted = { ...NO_TOKENS, input: 0, cacheRead: 3, cacheWrite1h: 7, output: 1 }
  const lines = priceLines(counted, priced, parseMultiplier('0.333333'))
  expect(lines.map(({ kind, count: n, price: unit, exact }) => [kind, n, unit, formatExactUsd(exact)])).toEqual([
    ['cache_read', 3, parseUsd('0.25'), '0.00000024999975'],
    ['cache_write_1h', 7, parseUsd('3'), '0.000006999993'],
    ['output', 1, parseUsd('10'), '0.00000333333'],
  ])
})

test.for([
  [0n, '0'],
  [1n, '0.000000000000000000001'],
  [12_500_000_000_000_000_000_000n, '12.5'],
  [1_000_000_000_000_000_000_000n, '1'],
] as const)('%s of the smallest part are written as %s', ([exact, text]) => {
  expect(formatExactUsd(exact)).toBe(text)
})
