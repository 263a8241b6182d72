import { expect, test } from 'vitest'
import { parseMultiplier, parseUsd } from '../core/money.ts'
import { NO_TOKENS } from '../core/tokens.ts'
import { costOf } from './cost.ts'

const prices = {
  input: parseUsd('2.50'),
  output: parseUsd('10'),
  cacheRead: parseUsd('0.25'),
  cacheWrite: parseUsd('3.125'),
  cacheWrite1h: null,
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
