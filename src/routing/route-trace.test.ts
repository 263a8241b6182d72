import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROUTE_REASON_NAMES, ROUTE_REASONS } from '../core/route-reasons.ts'
import { readRoute, type RouteStep, writtenRoute } from './route-trace.ts'

const step = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
  reason: fc.constantFrom(...ROUTE_REASON_NAMES),
  restSeconds: fc.option(fc.integer({ min: 0, max: 3600 })),
})

test('a trace has 200 bytes at most, whatever the names, and every candidate is written or counted', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 600 }), (steps) => {
      const text = writtenRoute(steps)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200)
      const read = readRoute(text)
      expect(read.steps.length + read.more).toBe(steps.length)
      for (const [i, { reason, restSeconds }] of read.steps.entries()) {
        expect({ reason, restSeconds }).toEqual({ reason: steps[i]?.reason, restSeconds: steps[i]?.restSeconds })
      }
    }),
  )
})

test('short names are read as they were, with the signs that separate steps', () => {
  const steps: RouteStep[] = [
    { name: 'a=t;b', reason: 'taken', restSeconds: null },
    { name: '100%3b +1', reason: 'cooling', restSeconds: 12 },
    { name: '上游', reason: 'held', restSeconds: 0 },
  ]
  expect(readRoute(writtenRoute(steps))).toEqual({ steps, more: 0 })
})

test('a reason that this version does not know is counted', () => {
  expect(readRoute('a=t;b=?;+2')).toEqual({ steps: [{ name: 'a', reason: 'taken', restSeconds: null }], more: 3 })
})

test('no two reasons have one letter', () => {
  expect(new Set(Object.values(ROUTE_REASONS)).size).toBe(ROUTE_REASON_NAMES.length)
})
