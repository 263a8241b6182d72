import { expect, test } from 'vitest'
import { pauseAfter, TRIES_LIMIT } from './retry-schedule.ts'

const SECOND_MS = 1000
const calm = { random: () => 0, retryAfterMs: null }

test('the pauses grow from half a minute to six hours, and then it is over', () => {
  const pauses = Array.from({ length: TRIES_LIMIT }, (_, index) => pauseAfter(index + 1, calm))
  expect(pauses).toEqual([30_000, 120_000, 600_000, 3_600_000, 21_600_000, null])
})

test('a pause is spread over a fifth of it', () => {
  expect(pauseAfter(1, { ...calm, random: () => 0.999999 })).toBe(36_000)
  expect(pauseAfter(1, { ...calm, random: () => 0.5 })).toBe(33_000)
})

test('who asks to be left alone for longer is, up to six hours', () => {
  expect(pauseAfter(1, { ...calm, retryAfterMs: 90 * SECOND_MS })).toBe(90 * SECOND_MS)
  expect(pauseAfter(2, { ...calm, retryAfterMs: 90 * SECOND_MS })).toBe(120 * SECOND_MS)
  expect(pauseAfter(1, { ...calm, retryAfterMs: 1e12 })).toBe(21_600 * SECOND_MS)
})
