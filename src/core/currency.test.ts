import { expect, test } from 'vitest'
import { type Currency, LARGEST_UNITS, ofSmallestUnits, priceIn, readCurrencyAmount, wireUnits } from './currency.ts'
import { LARGEST_USD, parseMultiplier, parseUsd } from './money.ts'

const [EUR, JPY] = ['eur' as Currency, 'jpy' as Currency]
/** The largest integer of a column of the database. */
const LARGEST_INTEGER = 2n ** 63n - 1n

test.each([-1, -1000, 0.5, 1000.5, 2 ** 53, 2 ** 63, 1e300, Infinity, NaN, '1000', null, undefined, {}, [1000], true])(
  'an amount of %j units is none',
  (units) => {
    expect([ofSmallestUnits(EUR, units), ofSmallestUnits(JPY, units)]).toEqual([null, null])
  },
)

test('the largest amount fits into the database and into a double, and one unit more is none', () => {
  for (const [currency, units] of [
    [EUR, Number(LARGEST_UNITS) * 100],
    [JPY, Number(LARGEST_UNITS)],
  ] as const) {
    const largest = ofSmallestUnits(currency, units)
    expect(largest !== null && largest.nano <= LARGEST_INTEGER && wireUnits(largest)).toBe(units)
    expect(ofSmallestUnits(currency, units + 1)).toBeNull()
  }
})

test.each(['0', '0.00', '999999999999', '9000000000.01', '9000000001', '1.001', '-1', '1e3', '1,5', '', ' 1'])(
  'a price of "%s" is none',
  (text) => expect(readCurrencyAmount(EUR, text)).toBeNull(),
)

test('a price is rounded up to the smallest unit, and is none beyond what is taken', () => {
  expect(priceIn(EUR, parseUsd('10'), parseMultiplier('0.95'))).toEqual({ currency: EUR, nano: 9_500_000_000n })
  expect(priceIn(JPY, parseUsd('0.01'), parseMultiplier('150.5'))).toEqual({ currency: JPY, nano: 2_000_000_000n })
  expect(priceIn(EUR, parseUsd('8999999999'), parseMultiplier('999999'))).toBeNull()
  expect(priceIn(EUR, LARGEST_USD, parseMultiplier('1'))?.nano).toBe(LARGEST_USD)
  expect(priceIn(EUR, LARGEST_USD, parseMultiplier('1.000001'))).toBeNull()
})
