import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROUTE_REASON_NAMES, ROUTE_REASONS } from '../core/route-reasons.ts'
import { SHADOW_RULE_NAMES, SHADOW_RULES } from '../core/shadow-rules.ts'
import { readRoute, type RouteStep, writtenRoute } from './route-trace.ts'

const step = fc.record(
  {
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    reason: fc.constantFrom(...ROUTE_REASON_NAMES),
    restSeconds: fc.option(fc.integer({ min: 0, max: 3600 })),
    shadow: fc.subarray([...SHADOW_RULE_NAMES], { minLength: 1 }),
  },
  { requiredKeys: ['name', 'reason', 'restSeconds'] },
)

test('a trace has 200 bytes at most, whatever the names, and every candidate is written or counted', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 600 }), (steps) => {
      const text = writtenRoute(steps)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200)
      const read = readRoute(text)
      expect(read.steps.length + read.more).toBe(steps.length)
      for (const [i, { name: _, ...others }] of read.steps.entries()) {
        const { name: __, ...written } = steps[i] ?? { name: '' }
        expect(others).toEqual(written)
      }
    }),
  )
})

test('short names are read as they were, with the signs that separate steps', () => {
  const steps: RouteStep[] = [
    { name: 'a=t;b', reason: 'taken', restSeconds: null },
    { name: '100%3b +1', reason: 'cooling', restSeconds: 12 },
    { name: '上游', reason: 'held', restSeconds: 0 },
    { name: 'a~s', reason: 'taken', restSeconds: null, shadow: ['spend_per_day'] },
  ]
  expect(readRoute(writtenRoute(steps))).toEqual({ steps, more: 0 })
})

test('a reason that this version does not know is counted', () => {
  expect(readRoute('a=t~é;b=?;+2').more).toBe(4)
  expect(readRoute('a=t~sz').steps).toEqual([
    { name: 'a', reason: 'taken', restSeconds: null, shadow: ['spend_per_day'] },
  ])
  expect(readRoute('a=t;b=?;+2')).toEqual({ steps: [{ name: 'a', reason: 'taken', restSeconds: null }], more: 3 })
})

test('no two reasons have one letter, nor two rules in shadow', () => {
  expect(new Set(Object.values(ROUTE_REASONS)).size).toBe(ROUTE_REASON_NAMES.length)
  expect(new Set(Object.values(SHADOW_RULES)).size).toBe(SHADOW_RULE_NAMES.length)
})
