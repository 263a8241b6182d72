import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from './durations.ts'
import { SlidingCount } from './sliding-count.ts'

/** What is counted leaves the count this much later at most. */
const TOO_OLD_MS = 250

const events = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 30_000 }), amount: fc.integer({ min: 1, max: 50 }) }),
  { minLength: 1, maxLength: 60 },
)
const start = fc.double({ min: 0, max: 1e9, noNaN: true })

test('it never counts less than what came in the last 60 seconds, and nothing that is older than a part more', () => {
  fc.assert(
    fc.property(start, events, (begin, sequence) => {
      const count = new SlidingCount()
      const past: { at: number; amount: number }[] = []
      let now = begin
      for (const { afterMs, amount } of sequence) {
        now += afterMs
        count.add(amount, now)
        past.push({ at: now, amount })
        const since = (ms: number) =>
          past.filter((event) => event.at > now - ms).reduce((sum, event) => sum + event.amount, 0)
        expect(count.at(now)).toBeGreaterThanOrEqual(since(MINUTE_MS))
        expect(count.at(now)).toBeLessThanOrEqual(since(MINUTE_MS + TOO_OLD_MS))
      }
    }),
    { numRuns: 500 },
  )
})

test('the wait it names is enough, and not longer than needed', () => {
  fc.assert(
    fc.property(start, events, fc.integer({ min: 0, max: 100 }), (begin, sequence, limit) => {
      const count = new SlidingCount()
      let now = begin
      for (const { afterMs, amount } of sequence) count.add(amount, (now += afterMs))
      const waitMs = count.waitMs(limit, now)
      expect(waitMs).toBeLessThanOrEqual(MINUTE_MS + TOO_OLD_MS)
      if (waitMs > 1) expect(count.at(now + waitMs - 1)).toBeGreaterThan(limit)
      expect(count.at(now + waitMs)).toBeLessThanOrEqual(limit)
    }),
    { numRuns: 500 },
  )
})

test('what turned out to be less is taken out as long as it counts, what turned out to be more counts from now on', () => {
  const count = new SlidingCount()
  const part = count.add(100, 0)
  count.correct(part, -40, 10_000)
  expect(count.at(10_000)).toBe(60)
  count.correct(part, 25, 30_000)
  expect(count.at(30_000)).toBe(85)
  expect(count.at(61_000)).toBe(25)
  count.correct(part, -60, 70_000)
  expect(count.at(70_000)).toBe(25)
  expect(count.at(91_000)).toBe(0)
})
