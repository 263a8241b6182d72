import { expect, test } from 'vitest'
import { attemptTimes } from './attempt-times.ts'

const attempts = (...times: readonly number[]) => times.map((total_ms) => ({ total_ms }))

test('attempts lie one after the other, and the last ends with the request', () => {
  expect(attemptTimes({ total_ms: 1_000, attempts: attempts(250, 500) })).toEqual([
    { start: 0.25, length: 0.25 },
    { start: 0.5, length: 0.5 },
  ])
})

test('clocks that disagree make no bar longer than the whole', () => {
  const times = attemptTimes({ total_ms: 900, attempts: attempts(500, 500) })
  expect(times.at(-1)).toEqual({ start: 0.5, length: 0.5 })
  expect(attemptTimes({ total_ms: 0, attempts: attempts(0) })).toEqual([{ start: 1, length: 0 }])
})
