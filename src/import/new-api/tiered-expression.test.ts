import { expect, test } from 'vitest'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import { wholeOf } from '../rational.ts'
import { readTieredExpression } from './tiered-expression.ts'

/** The tiers with their amounts as USD per million tokens. */
function tiersOf(expression: string) {
  return (
    readTieredExpression(expression)?.map(({ above, amounts }) => ({
      above,
      ...Object.fromEntries(
        Object.entries(amounts).map(([name, amount]) => [name, formatUsd(nanoUsd(wholeOf(amount) ?? -1n))]),
      ),
    })) ?? null
  )
}

test('an expression of one sum is one price, in either order of count and amount', () => {
  expect(tiersOf('tier("base", p * 2.5 + c*15 + 0.25 * cr)')).toEqual([
    { above: 0, input: '2.5', output: '15', cache_read: '0.25' },
  ])
  expect(tiersOf('v1:tier("base", p + c * 2)')).toEqual([{ above: 0, input: '1', output: '2' }])
})

test('lengths become tiers, at the last length that the shorter price holds for', () => {
  const three =
    'len <= 32000 ? tier("short", p * 1.2 + c * 6) : len < 128000 ? tier("mid", p * 2.4 + c * 12) : tier("long", p * 3 + c * 15)'
  expect(tiersOf(three)).toEqual([
    { above: 0, input: '1.2', output: '6' },
    { above: 32_000, input: '2.4', output: '12' },
    { above: 127_999, input: '3', output: '15' },
  ])
})

test('a kind that one tier prices apart is apart in all of them, and writes for an hour cost what writes do', () => {
  const expression = 'len <= 1000 ? tier("a", p * 3 + c * 4 + cr * 0.3 + cc * 3.75) : tier("b", p * 6 + c * 8)'
  expect(tiersOf(expression)).toEqual([
    { above: 0, input: '3', output: '4', cache_read: '0.3', cache_write: '3.75', cache_write_1h: '3.75' },
    { above: 1_000, input: '6', output: '8', cache_read: '0', cache_write: '0', cache_write_1h: '0' },
  ])
})

test.for([
  ['an hour', 'tier("a", p * 2 + c * 4) * (hour("UTC") >= 1 ? 2 : 1)'],
  ['a parameter', 'param("stream") == true ? tier("s", p * 3 + c) : tier("b", p * 2 + c)'],
  ['the length of the output', 'len < 32000 && c < 200 ? tier("a", p + c) : tier("b", p + c * 2)'],
  ['pictures that are made', 'tier("a", p * 2 + c * 4 + img_o * 30)'],
  ['an amount for each request', 'tier("a", p * 2 + c * 4 + 1.25)'],
  ['a count twice', 'tier("a", p * 2 + p * 3 + c)'],
  ['no output', 'tier("a", p * 2)'],
  ['lengths that go down', 'len <= 20 ? tier("a", p + c) : len <= 10 ? tier("b", p + c) : tier("c", p + c)'],
  ['a chain without an end', 'len <= 20 ? tier("a", p + c)'],
  ['nothing', ''],
  ['a text without an end', `tier("${'a'.repeat(5_000)}", p + c)`],
] as const)('an expression with %s is not read', ([_name, expression]) => {
  expect(readTieredExpression(expression)).toBeNull()
})
