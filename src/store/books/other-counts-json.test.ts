import { expect, test } from 'vitest'
import { NO_TOKENS } from '../../core/tokens.ts'
import { otherCountsJson, otherCountsOf } from './other-counts-json.ts'

test('a record from before there were units is read as it was', () => {
  expect(otherCountsOf({ tokens: [3, 4, 5], prices: [null, '7', null] })).toEqual({
    tokens: { audioInput: 3, imageInput: 4, audioOutput: 5 },
    prices: { audioInput: null, imageInput: 7n, audioOutput: null },
    units: null,
    unitPrices: null,
    terms: null,
  })
})

test('a record without any of it has no text', () => {
  expect(otherCountsJson(NO_TOKENS, null)).toBeNull()
})
