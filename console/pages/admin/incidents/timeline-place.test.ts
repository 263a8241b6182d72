import { expect, test } from 'vitest'
import type { IncidentView } from '../../../../src/contract/incidents.ts'
import { inLanes, positionOf } from './timeline-place.ts'

const HOUR_MS = 3_600_000
const span = { fromMs: 0, toMs: 10 * HOUR_MS }
const at = (hour: number): string => new Date(hour * HOUR_MS).toISOString()
const incident = (from: number, until: number | null): IncidentView => ({
  kind: 'failures',
  upstream: 'main',
  models: [],
  about: null,
  from: at(from),
  until: until === null ? null : at(until),
  requests: null,
  failed: null,
  fault: null,
})

test('a moment stands where its part of the span is, and one outside at an end', () => {
  expect([0, 5, 10, -1, 11].map((hour) => positionOf(hour * HOUR_MS, span))).toEqual([0, 50, 100, 0, 100])
})

test('what does not overlap shares a row, and what does has one of its own', () => {
  const [first, second, third, open] = [incident(0, 2), incident(2, 3), incident(1, 4), incident(3, null)]
  expect(inLanes([open, third, second, first], span)).toEqual([[first, second, open], [third]])
})

test('there are at most eight rows', () => {
  const many = Array.from({ length: 20 }, () => incident(1, 2))
  expect(inLanes(many, span).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1, 1, 13])
})
