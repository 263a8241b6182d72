import { expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
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

test('reasoning that was charged at a price of its own keeps that price, beside others and alone', () => {
  const other = { audioInput: null, imageInput: null, audioOutput: null, reasoningOutput: nanoUsd(7n) }
  const prices = {
    input: nanoUsd(1n),
    output: nanoUsd(2n),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other,
    units: null,
  }
  const kept = (counts: object) => otherCountsJson({ ...NO_TOKENS, output: 9, ...counts }, prices)
  expect(otherCountsOf(JSON.parse(kept({ reasoning: 5 }) ?? ''))).toMatchObject({ tokens: null, prices: other })
  const sound = { audioInput: 1, imageInput: 0, audioOutput: 0 }
  expect(otherCountsOf(JSON.parse(kept({ reasoning: 5, other: sound }) ?? ''))).toMatchObject({
    tokens: sound,
    prices: other,
  })
  expect([kept({ reasoning: 0 }), kept({})]).toEqual([null, null])
})

test('a record without any of it has no text', () => {
  expect(otherCountsJson(NO_TOKENS, null)).toBeNull()
})
