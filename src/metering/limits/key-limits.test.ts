import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CountedLimits, NO_COUNTS } from '../../core/counted-limits.ts'
import type { CountedUse } from './counted-use.ts'
import { KeyLimits } from './key-limits.ts'
import type { NodeShare } from './limit-terms.ts'

const NO_LIMITS: CountedLimits = { ...NO_COUNTS }

function limitsOf(share: NodeShare = { index: 0, count: 1 }) {
  const time = { elapsed: 5_000 }
  const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
  return { time, limits: new KeyLimits({ clock, share: () => share }) }
}

/** All of it input. */
function tokens(input: number) {
  return { input, output: 0 }
}

function keyWith(rateLimit: Partial<CountedLimits>, id = 'key_1') {
  return { id, rateLimit: { ...NO_LIMITS, ...rateLimit } }
}

test('a key without limits is not counted, and costs no memory', () => {
  const { limits } = limitsOf()
  expect(limits.refusal({ id: 'key_1', rateLimit: null }, tokens(1e9))).toBeNull()
  expect(limits.begin({ id: 'key_1', rateLimit: null }, tokens(1e9))).toBeNull()
  expect(limits.size).toBe(0)
})

test('no more requests run at once than the limit says, and one that ends makes room', () => {
  const { limits } = limitsOf()
  const key = keyWith({ concurrency: 2 })
  const first = limits.begin(key, tokens(0))
  limits.begin(key, tokens(0))
  expect(limits.refusal(key, tokens(0))).toMatchObject({ limit: 'concurrency', max: 2, used: 2 })
  first?.end(0)
  expect(limits.refusal(key, tokens(0))).toBeNull()
})

test('a client that leaves makes room at once, while its request still counts for tokens and as one that runs', () => {
  const { limits, time } = limitsOf()
  const key = keyWith({ concurrency: 1, tokensPerMinute: 1000 })
  const left = limits.begin(key, tokens(600))
  left?.leave()
  left?.leave()
  expect(limits.states(key).map(({ limit, used }) => [limit, used])).toEqual([
    ['tokens', 600],
    ['concurrency', 0],
  ])
  expect(limits.refusal(key, { input: 300, output: 200 })).toMatchObject({ limit: 'tokens' })
  const next = limits.begin(key, tokens(300))
  expect(limits.refusal(key, tokens(0))).toMatchObject({ limit: 'concurrency', used: 1 })
  left?.end(500)
  expect(limits.refusal(key, tokens(0))).toMatchObject({ limit: 'concurrency', used: 1 })
  next?.end(300)
  time.elapsed += 200_000
  limits.forgetIdle()
  expect(limits.size).toBe(0)
})

test('a request whose estimate is larger than the whole limit is refused without a wait that would help', () => {
  const { limits } = limitsOf()
  expect(limits.refusal(keyWith({ tokensPerMinute: 100 }), tokens(101))).toMatchObject({
    limit: 'tokens',
    waitMs: Infinity,
  })
  expect(limits.refusal(keyWith({ requestsPerMinute: 0 }), tokens(0))).toMatchObject({
    limit: 'requests',
    waitMs: Infinity,
  })
  expect(limits.refusal(keyWith({ concurrency: 0 }), tokens(0))).toMatchObject({
    limit: 'concurrency',
    waitMs: Infinity,
  })
})

test('tokens are taken by estimate and corrected by what was really used', () => {
  const { limits } = limitsOf()
  const key = keyWith({ tokensPerMinute: 1000 })
  const use = limits.begin(key, tokens(900))
  expect(limits.refusal(key, tokens(200))).not.toBeNull()
  use?.end(100)
  expect(limits.refusal(key, tokens(200))).toBeNull()
  expect(limits.states(key)).toEqual([{ limit: 'tokens', max: 1000, used: 100, resetMs: expect.any(Number) as number }])
})

test('output that may come is room that other requests do not have, and keeps out no request that is alone', () => {
  const { limits } = limitsOf()
  const key = keyWith({ tokensPerMinute: 100 })
  const estimated = { input: 20, output: 1000 }
  const first = limits.begin(key, estimated)
  expect(limits.refusal(key, estimated)).toMatchObject({ limit: 'tokens' })
  first?.end(60)
  expect(limits.refusal(key, estimated)).toBeNull()
  limits.begin(key, estimated)?.end(30)
  expect(limits.refusal(key, estimated)).toMatchObject({ used: 90 })
})

test('what may be written beside a request that runs is refused with the hope that it writes less, and not after a minute', () => {
  const { limits } = limitsOf()
  const key = keyWith({ tokensPerMinute: 1000 })
  const first = limits.begin(key, { input: 100, output: 700 })
  expect(limits.refusal(key, { input: 100, output: 700 })).toMatchObject({ waitMs: 1_000 })
  first?.end(150)
  expect(limits.refusal(key, { input: 100, output: 700 })).toBeNull()
})

test('what a request that is alone takes beyond the limit is taken from the next minute', () => {
  const { time, limits } = limitsOf()
  const key = keyWith({ tokensPerMinute: 1000 })
  limits.begin(key, { input: 100, output: 2_000 })?.end(1_600)
  expect(limits.states(key)).toMatchObject([{ used: 1000 }])
  time.elapsed += 60_250
  expect(limits.states(key)).toMatchObject([{ used: 600 }])
  expect(limits.refusal(key, tokens(401))).toMatchObject({ used: 600 })
  expect(limits.refusal(key, tokens(400))).toBeNull()
})

test('a key that owes tokens is not forgotten before they have counted', () => {
  const { time, limits } = limitsOf()
  const key = keyWith({ tokensPerMinute: 1000 })
  limits.begin(key, tokens(2_500))?.end(2_500)
  time.elapsed += 62_000
  limits.forgetIdle()
  expect(limits.states(key)).toMatchObject([{ used: 1000 }])
  time.elapsed += 130_000
  limits.forgetIdle()
  expect(limits.size).toBe(0)
})

test('a refusal counts nothing, of any limit', () => {
  const { limits } = limitsOf()
  const key = keyWith({ concurrency: 1, requestsPerMinute: 2, tokensPerMinute: 100 })
  limits.begin(key, tokens(10))
  const before = limits.states(key)
  for (let i = 0; i < 10; i++) expect(limits.refusal(key, tokens(10))).toMatchObject({ limit: 'concurrency' })
  expect(limits.states(key)).toEqual(before)
})

test('a request that is refused after all has counted for nothing', () => {
  const { limits } = limitsOf()
  const key = keyWith({ concurrency: 2, requestsPerMinute: 2, tokensPerMinute: 100 })
  const before = limits.states(key).map(({ used }) => used)
  void limits.begin(key, tokens(50))?.undo()
  expect(limits.states(key).map(({ used }) => used)).toEqual(before)
})

test('a node whose part is nothing says that it is shared, and to try again soon', () => {
  const key = keyWith({ concurrency: 1 })
  const refusals = [0, 1].map((index) => limitsOf({ index, count: 2 }).limits.refusal(key, tokens(1)))
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(1)
  expect(refusals.find((refusal) => refusal !== null)).toMatchObject({ part: 0, nodes: 2, waitMs: 1_000 })
})

test('a key at rest is forgotten, one with a request running is not', () => {
  const { time, limits } = limitsOf()
  const running = limits.begin(keyWith({ concurrency: 1 }, 'key_1'), tokens(0))
  limits.begin(keyWith({ concurrency: 1 }, 'key_2'), tokens(0))?.end(0)
  time.elapsed += 62_000
  limits.forgetIdle()
  expect(limits.size).toBe(1)
  running?.end(0)
  time.elapsed += 62_000
  limits.forgetIdle()
  expect(limits.size).toBe(0)
})

describe('in any 60 seconds', () => {
  const steps = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 8_000 }),
      estimate: fc.integer({ min: 0, max: 60 }),
      really: fc.integer({ min: 0, max: 60 }),
      runsMs: fc.integer({ min: 0, max: 20_000 }),
    }),
    { maxLength: 80 },
  )

  test('no more requests are let in than the limit, and no more run at once; a request that waits as long as the error says gets in', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4 }), (sequence, rpm, slots) => {
        const { time, limits } = limitsOf()
        const key = keyWith({ requestsPerMinute: rpm, concurrency: slots })
        const begun: number[] = []
        let running: { until: number; use: CountedUse }[] = []
        for (const { afterMs, runsMs } of sequence) {
          time.elapsed += afterMs
          for (const { use } of running.filter(({ until }) => until <= time.elapsed)) use.end(0)
          running = running.filter(({ until }) => until > time.elapsed)
          const refusal = limits.refusal(key, tokens(0))
          const lately = begun.filter((at) => at > time.elapsed - 60_000).length
          if (refusal === null) {
            const use = limits.begin(key, tokens(0))
            if (use !== null) running.push({ until: time.elapsed + runsMs, use })
            begun.push(time.elapsed)
            expect(lately).toBeLessThan(rpm)
            expect(running.length).toBeLessThanOrEqual(slots)
          } else if (refusal.limit === 'concurrency') expect(running.length).toBe(slots)
          else {
            const stillCounted = begun.filter((at) => at > time.elapsed - 60_250).length
            expect(stillCounted).toBeGreaterThanOrEqual(rpm)
            time.elapsed += refusal.waitMs
            for (const { use } of running) use.end(0)
            running = []
            expect(limits.refusal(key, tokens(0))).toBeNull()
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('the parts of all nodes add up to the limit exactly, for every key', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 40 }),
        fc.string({ minLength: 1, maxLength: 30 }),
        (count, rpm, id) => {
          const key = keyWith({ requestsPerMinute: rpm }, id)
          let admitted = 0
          for (let index = 0; index < count; index++) {
            const { limits } = limitsOf({ index, count })
            while (limits.refusal(key, tokens(0)) === null) {
              limits.begin(key, tokens(0))
              admitted += 1
            }
          }
          expect(admitted).toBe(rpm)
        },
      ),
    )
  })
})
