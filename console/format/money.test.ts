import { expect, test } from 'vitest'
import {
  longestExactPlaces,
  longestPlaces,
  formatExactMoney,
  formatMoney,
  formatMoneyChange,
  formatPlain,
  isZero,
  leftOf,
  roomBehind,
  scaled,
  shareOf,
  sumOf,
} from './money.ts'

test.for([
  ['12.5', '$12.50'],
  ['0', '$0.00'],
  ['1234567.899', '$1,234,567.90'],
  ['0.5', '$0.50'],
  ['0.00042', '$0.000420'],
  ['0.029', '$0.0290'],
  ['0.0285', '$0.0285'],
  ['0.16', '$0.16'],
  ['0.1604', '$0.160'],
  ['0.05', '$0.05'],
  ['0.000000001', '$0.000000001'],
  ['0.0012345678', '$0.00123'],
  ['-3.2', '−$3.20'],
  ['-0.00042', '−$0.000420'],
])('%s is shown as %s', ([amount = '', shown]) => {
  expect(formatMoney(amount, 'en')).toBe(shown)
})

test('no place of an amount is lost, beyond what a float could hold', () => {
  expect(formatExactMoney('9007199254.740993001', 'en')).toBe('$9,007,199,254.740993001')
  expect(formatExactMoney('2.5', 'en')).toBe('$2.50')
  expect(formatExactMoney('-2.5', 'zh-CN')).toBe('−$2.50')
})

test('Chinese readers see the plain dollar sign', () => {
  expect(formatMoney('12.5', 'zh-CN')).toBe('$12.50')
})

test.for([
  ['3', '10', 0.3],
  ['0', '10', 0],
  ['12', '10', 1],
  ['-1', '10', 0],
  ['0', '0', 1],
  ['0.000000001', '1000000000', 0],
] as const)('%s of %s is a share of %s', ([used, limit, share]) => {
  expect(shareOf(used, limit)).toBe(share)
})

test('what is left, sums and zero are exact', () => {
  expect(leftOf('10', '9.999999999')).toBe('0.000000001')
  expect(leftOf('1', '2')).toBe('0')
  expect(sumOf(['0.1', '0.2', '-0.000000001'])).toBe('0.299999999')
  expect(sumOf([])).toBe('0')
  expect([isZero('0.000'), isZero('0.000000001'), isZero('-0')]).toEqual([true, false, true])
})

test('amounts of a column have as many digits or as much room behind the point', () => {
  const room = ['$0.0290', '−$12.50', '$0.000000420', '$3'].map((shown) => roomBehind(shown, 6))
  expect(room).toEqual([2, 4, 0, 6])
})

test('a change has its sign, a share of an amount is exact to the nanodollar, and equal factors are written alike', () => {
  expect(['12', '-12', '0'].map((change) => formatMoneyChange(change, 'en'))).toEqual([
    '+$12.00',
    '−\u2060$12.00',
    '$0.00',
  ])
  expect([scaled('10', '1', '3'), scaled('-7', '1', '7'), scaled('5', '2', '0')]).toEqual(['3.333333333', '-1', '0'])
  expect(['0.80', '01', '1.000000'].map(formatPlain)).toEqual(['0.8', '1', '1'])
})

test('the longest of some amounts is the one with the most places, as amounts are written', () => {
  expect(longestPlaces([])).toBe(2)
  expect(longestPlaces(['5', '1.23456', '0.05'])).toBe(2)
  expect(longestPlaces(['12', '0.00125', '0.5'])).toBe(5)
})

test('of amounts written in full, the longest is the one with the most places, zeros at its end aside', () => {
  expect(longestExactPlaces([])).toBe(2)
  expect(longestExactPlaces(['5', '0.5', '1.250000000'])).toBe(2)
  expect(longestExactPlaces(['12', '1.255', '0.075'])).toBe(3)
})
