import { expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
import { type ExpectedUnits, known, NO_UNITS, ONE_REQUEST, type UnitPrices } from '../../core/units.ts'
import { settleUnits, unitsToHold } from './unit-verdict.ts'

const FREE: UnitPrices = { request: null, image: null, second: null, character: null }
const BY_SECOND: UnitPrices = { ...FREE, second: nanoUsd(1n) }
const SOUND: ExpectedUnits = { ...ONE_REQUEST, seconds: { expected: 10, most: 60, isKnown: false } }

test.for([
  ['a report is taken', 7, { count: 7, isEstimated: false, isCapped: false }],
  ['a report of nothing is a report', 0, { count: 0, isEstimated: false, isCapped: false }],
  ['the most there can be is believed', 60, { count: 60, isEstimated: false, isCapped: false }],
  ['more than there can be is charged at the most there can be', 61, { count: 60, isEstimated: false, isCapped: true }],
  ['without a report the estimate counts', null, { count: 10, isEstimated: true, isCapped: false }],
] as const)('%s', ([, seconds, { count, ...flags }]) => {
  const settled = settleUnits(seconds === null ? null : { ...NO_UNITS, seconds }, SOUND, BY_SECOND)
  expect(settled).toEqual({ units: { ...NO_UNITS, requests: 1, seconds: count }, ...flags })
})

test('an estimate of what has no price makes no bill an estimate', () => {
  expect(settleUnits(null, SOUND, null).isEstimated).toBe(false)
})

test('what a request has none of is not charged, whatever is reported', () => {
  expect(settleUnits({ ...NO_UNITS, images: 4 }, SOUND, BY_SECOND).units?.images).toBeNull()
})

test('a chat has no units, unless each request has a price', () => {
  expect(settleUnits(null, undefined, null).units).toBeNull()
  expect(settleUnits(null, undefined, { ...FREE, request: nanoUsd(5n) })).toEqual({
    units: { ...NO_UNITS, requests: 1 },
    isEstimated: false,
    isCapped: false,
  })
})

test('money is held for what is expected, where it has a price', () => {
  expect(unitsToHold(SOUND, BY_SECOND)).toEqual({ ...NO_UNITS, requests: 1, seconds: 10 })
  expect(unitsToHold({ ...ONE_REQUEST, characters: known(9) }, BY_SECOND)?.characters).toBe(9)
  expect(unitsToHold(SOUND, null)).toBeNull()
})
