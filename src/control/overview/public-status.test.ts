import { expect, test } from 'vitest'
import { HOUR_MS } from '../../core/durations.ts'
import { latencyOf } from '../public/latency-memory.ts'
import { incidentsOf, shareOf } from './public-status.ts'

const row = (good: number, failed: number, at = 0) => ({ model: 'big', at, good, failed })

test('a share is rounded down to a step, and nothing is said of few requests', () => {
  expect(shareOf([row(9, 0)])).toBe(null)
  expect(shareOf([row(10, 0)])).toBe(100)
  expect(shareOf([row(9_999, 1)])).toBe(99.9)
  expect(shareOf([row(9_989, 11)])).toBe(99.5)
  expect(shareOf([row(5, 0), row(4, 1)])).toBe(90)
  expect(shareOf([row(1, 9)])).toBe(0)
})

test('one request more does not show in a share', () => {
  expect(shareOf([row(1_990, 10)])).toBe(shareOf([row(1_991, 10)]))
})

test('troubled hours that follow each other are one incident, which goes on while its last hour does', () => {
  const rows = [row(0, 20, 9 * HOUR_MS), row(10, 10, 8 * HOUR_MS), row(0, 20, 3 * HOUR_MS)]
  const [last, first] = incidentsOf(rows, 9.5 * HOUR_MS)
  expect(last).toEqual({ from: '1970-01-01T08:00:00.000Z', until: null, available: 25 })
  expect(first).toEqual({ from: '1970-01-01T03:00:00.000Z', until: '1970-01-01T04:00:00.000Z', available: 0 })
})

test('times are to two digits, and of few answers there are none', () => {
  expect(latencyOf([1, 2, 3, 4])).toBe(null)
  expect(latencyOf([1_234, 1_251, 987, 45_678, 12])).toEqual({ p50: 1_200, p95: 46_000 })
})
