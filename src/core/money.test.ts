import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMultiplier, formatUsd, nanoUsd, parseMultiplier, parseUsd } from './money.ts'

test.for([
  ['0', 0n],
  ['10', 10_000_000_000n],
  ['0.001234567', 1_234_567n],
  ['-3.5', -3_500_000_000n],
  ['000.10', 100_000_000n],
] as const)('reads %s as whole nano-USD', ([text, nano]) => {
  expect(parseUsd(text)).toBe(nano)
})

test.for(['', ' 1', '1e3', '1.0000000001', '.5', '1.', '1,5', 'NaN', '+1', '99999999999', '12345678901234567890'])(
  'refuses %j with a sentence',
  (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError)
  },
)

test('what is written is read back to the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -9_000_000_000n * 10n ** 9n, max: 9_000_000_000n * 10n ** 9n }), (amount) => {
      expect(parseUsd(formatUsd(nanoUsd(amount)))).toBe(amount)
    }),
  )
})

test('a multiplier keeps six places and is never negative', () => {
  expect(parseMultiplier('0.85')).toBe(850_000n)
  expect(formatMultiplier(parseMultiplier('1.5'))).toBe('1.5')
  expect(() => parseMultiplier('-1')).toThrow(/negative/)
  expect(() => parseMultiplier('0.0000001')).toThrow(/six|6/)
})
