import { expect, test } from 'vitest'
import { limitsLeft, readLimits, writtenLimits } from './limits-left.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

test('what is left is whole and never below zero, and resets at a time, except concurrency', () => {
  const left = limitsLeft(
    [
      { limit: 'requests', max: 60, used: 1, resetMs: 3_999.2 },
      { limit: 'tokens', max: 1_000, used: 1_200.4, resetMs: Infinity },
      { limit: 'concurrency', max: 4, used: 1, resetMs: 0 },
    ],
    NOON,
  )
  expect(left).toEqual([
    { limit: 'requests', max: 60, remaining: 59, resetsAt: NOON + 4_000 },
    { limit: 'tokens', max: 1_000, remaining: 0, resetsAt: NOON + 86_400_000 },
    { limit: 'concurrency', max: 4, remaining: 3, resetsAt: null },
  ])
  expect(readLimits(writtenLimits(left))).toEqual(left)
})

test('no limit is written as nothing, and what a newer version may have written is left out', () => {
  expect(writtenLimits([])).toBeNull()
  expect(readLimits(null)).toEqual([])
  expect(readLimits('images 5 4 -, concurrency 4 3 -, tokens many 2 -')).toEqual([
    { limit: 'concurrency', max: 4, remaining: 3, resetsAt: null },
  ])
})
