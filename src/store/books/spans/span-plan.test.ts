import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGood, type KnownSpans, madeName, type PlannedPart, planStretch, requestsIn } from './span-plan.ts'
import { ACCOUNT_MODEL_SPANS, ACCOUNT_SPANS, DAY_MS, HOUR_MS, SPAN_TABLES, WINDOW_MS } from './span-tables.ts'

const HOURS = (3 * WINDOW_MS) / HOUR_MS

const anyPlan = fc.record({
  spans: fc.constantFrom(...SPAN_TABLES),
  fromHour: fc.nat(HOURS),
  hours: fc.integer({ min: 0, max: HOURS }),
  /** In so many of a hundred there was a request, and so many of a hundred spans are made. */
  busy: fc.constantFrom(5, 60, 100),
  made: fc.constantFrom(0, 60, 95, 100),
  seed: fc.nat(1_000),
})

/** The same number from 0 to 99 for the same place and seed. */
function chance(at: number, seed: number): number {
  return (Math.imul((at / HOUR_MS + 1) * (seed + 7), 2_654_435_761) >>> 8) % 100
}

function knownOf(of: { busy: number; made: number; seed: number }): KnownSpans {
  const hours = new Map<number, number>()
  for (let at = 0; at < HOURS * HOUR_MS; at += HOUR_MS) if (chance(at, of.seed) < of.busy) hours.set(at, 1)
  const made = new Map<string, number>()
  for (const spans of SPAN_TABLES) {
    for (const lengthMs of spans.lengths) {
      for (let at = 0; at < HOURS * HOUR_MS; at += lengthMs) {
        // Others are of a time when there was a request less.
        const requests = requestsIn({ hours, made }, at, at + lengthMs)
        made.set(madeName(spans, lengthMs, at), chance(at + lengthMs, of.seed) < of.made ? requests : requests - 1)
      }
    }
  }
  return { hours, made }
}

/** How often the parts have each hour that had requests. */
function countOf(parts: readonly PlannedPart[], known: KnownSpans): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { fromMs, toMs, isSubtracted } of parts) {
    for (let at = fromMs; at < toMs; at += HOUR_MS) {
      if (known.hours.has(at)) counts.set(at, (counts.get(at) ?? 0) + (isSubtracted ? -1 : 1))
    }
  }
  return new Map([...counts].filter(([, count]) => count !== 0))
}

test('the parts of a stretch have each of its hours once and nothing else, and only spans that are good', () => {
  fc.assert(
    fc.property(anyPlan, ({ spans, fromHour, hours, ...of }) => {
      const known = knownOf(of)
      const stretch = { fromMs: fromHour * HOUR_MS, toMs: Math.min(fromHour + hours, HOURS) * HOUR_MS }
      const parts = planStretch(spans, stretch, known)
      const wanted = [...known.hours.keys()].filter((at) => at >= stretch.fromMs && at < stretch.toMs)
      expect(new Map([...countOf(parts, known)].toSorted(([a], [b]) => a - b))).toEqual(
        new Map(wanted.map((at) => [at, 1])),
      )
      for (const { fromMs, toMs, lengthMs } of parts) {
        if (lengthMs === null) continue
        for (let at = fromMs; at < toMs; at += lengthMs) {
          expect(isGood(spans, { lengthMs, startsAt: at }, known)).toBe(true)
        }
      }
    }),
  )
})

test('thirty days are two blocks of sixteen, without the two days that stick out', () => {
  const known = knownOf({ busy: 100, made: 100, seed: 1 })
  const stretch = { fromMs: DAY_MS, toMs: 31 * DAY_MS }
  expect(planStretch(ACCOUNT_SPANS, stretch, known)).toEqual([
    { fromMs: 0, toMs: DAY_MS, lengthMs: DAY_MS, isSubtracted: true },
    { fromMs: 31 * DAY_MS, toMs: 32 * DAY_MS, lengthMs: DAY_MS, isSubtracted: true },
    { fromMs: 0, toMs: 32 * DAY_MS, lengthMs: WINDOW_MS, isSubtracted: false },
  ])
})

test('a span is not read for less than half of it', () => {
  const known = knownOf({ busy: 100, made: 100, seed: 1 })
  const stretch = { fromMs: 0, toMs: 7 * HOUR_MS }
  expect(planStretch(ACCOUNT_MODEL_SPANS, stretch, known)).toEqual([
    { ...stretch, lengthMs: null, isSubtracted: false },
  ])
})
