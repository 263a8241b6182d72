import { expect, test } from 'vitest'
import { decimalOf, decimalText, nanoOf, usdOf } from './decimal.ts'

test.each(['0', '12.5', '-0.000000001', '9007199254740993.000000001', '0.1'])('%s stays itself', (usd) => {
  expect(usdOf(nanoOf(usd))).toBe(usd)
})

test('what is not a decimal, or has more places than fit, is not read', () => {
  for (const text of ['', '1e3', '.5', '1,5', 'NaN', '--1']) expect(decimalOf(text, 9)).toBeUndefined()
  expect(decimalOf('0.0000000001', 9)).toBeUndefined()
  expect(decimalOf('0.0000000001', 10)).toBe(1n)
})

test('trailing zeros go, the sign stays', () => {
  expect(decimalText(-1_500n, 3)).toBe('-1.5')
  expect(decimalText(5n, 21)).toBe('0.000000000000000000005')
})
