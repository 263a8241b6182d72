import { expect, test } from 'vitest'
import { nanoUsd, parseMultiplier, parseUsd } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { COST_LIMIT_NANO_USD, COUNTABLE_TOKENS_LIMIT, UNIT_PRICE_LIMIT_NANO_USD } from '../../core/limits.ts'
import { costOf } from './cost.ts'

const prices = {
  input: parseUsd('2.50'),
  output: parseUsd('10'),
  cacheRead: parseUsd('0.25'),
  cacheWrite: parseUsd('3.125'),
  cacheWrite1h: null,
  other: null,
  units: null,
}

test.for([
  { tokens: { input: 1_000_000 }, multiplier: '1', cost: '2.5' },
  { tokens: { input: 1000, output: 500 }, multiplier: '1', cost: '0.0075' },
  { tokens: { input: 100, cacheRead: 900, output: 1 }, multiplier: '1', cost: '0.000485' },
  { tokens: { input: 1000, output: 500 }, multiplier: '0.8', cost: '0.006' },
  { tokens: { cacheWrite: 1000, cacheWrite1h: 1000 }, multiplier: '1', cost: '0.00625' },
  { tokens: { input: 1 }, multiplier: '0.000001', cost: '0.000000001' },
  { tokens: { input: 1 }, multiplier: '0', cost: '0' },
  { tokens: {}, multiplier: '1', cost: '0' },
])('$tokens at ×$multiplier cost $cost', ({ tokens, multiplier, cost }) => {
  expect(costOf({ ...NO_TOKENS, ...tokens }, prices, parseMultiplier(multiplier))).toBe(parseUsd(cost))
})

test('a price that divides unevenly is rounded up once, not for each kind', () => {
  const third = { ...prices, input: parseUsd('0.000000001'), output: parseUsd('0.000000001') }
  expect(costOf({ ...NO_TOKENS, input: 1, output: 1 }, third, parseMultiplier('1'))).toBe(1n)
})

test('the dearest request that settings allow costs what its tokens cost', () => {
  const dearest = { ...prices, output: nanoUsd(UNIT_PRICE_LIMIT_NANO_USD) }
  const cost = costOf({ ...NO_TOKENS, output: COUNTABLE_TOKENS_LIMIT }, dearest, parseMultiplier('1'))
  expect(cost).toBe(COST_LIMIT_NANO_USD)
  expect(cost).toBe(nanoUsd(UNIT_PRICE_LIMIT_NANO_USD * BigInt(COUNTABLE_TOKENS_LIMIT / 1_000_000)))
})

test('no cost is beyond what the books can hold', () => {
  const absurd = { ...prices, input: parseUsd('9000000000'), output: parseUsd('9000000000') }
  const all = { ...NO_TOKENS, input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER }
  for (const multiplier of ['1', '9000000000']) {
    expect(costOf(all, absurd, parseMultiplier(multiplier))).toBe(COST_LIMIT_NANO_USD)
  }
  expect(8n * COST_LIMIT_NANO_USD).toBeLessThan(2n ** 63n)
})

test('audio and images have prices of their own, or those of input and output', () => {
  const tokens = { ...NO_TOKENS, other: { audioInput: 1000, imageInput: 100, audioOutput: 10 } }
  const other = { audioInput: parseUsd('40'), imageInput: parseUsd('5'), audioOutput: parseUsd('80') }
  expect(costOf(tokens, { ...prices, other }, parseMultiplier('1'))).toBe(parseUsd('0.0413'))
  const partly = { ...other, imageInput: null, audioOutput: null }
  expect(costOf(tokens, { ...prices, other: partly }, parseMultiplier('1'))).toBe(parseUsd('0.04035'))
  expect(costOf(tokens, prices, parseMultiplier('1'))).toBe(parseUsd('0.00285'))
})

test('reasoning has a price of its own, or that of the output that it is part of', () => {
  const other = { audioInput: null, imageInput: null, audioOutput: null, reasoningOutput: parseUsd('40') }
  const cost = (counts: object) => costOf({ ...NO_TOKENS, ...counts }, { ...prices, other }, parseMultiplier('1'))
  expect(cost({ output: 1000, reasoning: 400 })).toBe(parseUsd('0.022'))
  expect(cost({ output: 1000, reasoning: 5000 })).toBe(parseUsd('0.04'))
  expect(cost({ output: 1000 })).toBe(parseUsd('0.01'))
  expect(cost({ reasoning: 400 })).toBe(0n)
  expect(costOf({ ...NO_TOKENS, output: 1000, reasoning: 400 }, prices, parseMultiplier('1'))).toBe(parseUsd('0.01'))
})

test('units are charged by the price of a million of them, in the one sum that is rounded', () => {
  const units = {
    request: parseUsd('10000'),
    image: parseUsd('40000'),
    second: parseUsd('100'),
    character: parseUsd('15'),
  }
  const counts = { ...NO_TOKENS, units: { requests: 1, images: 2, seconds: 30, characters: 1_000 } }
  const unpriced = { ...prices, input: null, output: null, units }
  // 0.01 + 2 × 0.04 + 30 × 0.0001 + 1000 × 0.000015
  expect(costOf(counts, unpriced, parseMultiplier('1'))).toBe(parseUsd('0.108'))
  expect(costOf({ ...counts, input: 1_000_000 }, unpriced, parseMultiplier('0.5'))).toBe(parseUsd('0.054'))
  const third = { ...units, request: parseUsd('0.000000001') }
  const one = { ...NO_TOKENS, input: 1, units: { requests: 1, images: null, seconds: null, characters: null } }
  const tiny = { ...prices, input: parseUsd('0.000000001'), units: third }
  expect(costOf(one, tiny, parseMultiplier('1'))).toBe(1n)
})

test('a unit without a price, and a price without a unit, add nothing', () => {
  const units = { requests: 1, images: 2, seconds: null, characters: null }
  const second = { request: null, image: null, second: parseUsd('1'), character: null }
  expect(costOf({ ...NO_TOKENS, units }, { ...prices, units: second }, parseMultiplier('1'))).toBe(0n)
  expect(costOf({ ...NO_TOKENS, units }, prices, parseMultiplier('1'))).toBe(0n)
})
