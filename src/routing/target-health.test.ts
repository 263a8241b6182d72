import { expect, test } from 'vitest'
import type { FailureClass } from './failure-class.ts'
import { ILL_BELOW, TargetHealth } from './target-health.ts'

const HALF = () => 0.5

function failure(what: FailureClass, { restMs = null as number | null, callerId = 'ada' } = {}) {
  return { failure: what, restMs, callerId }
}

/** Sends a request at `now` that fails at once. */
function fail(health: TargetHealth, now: number, about: ReturnType<typeof failure>): boolean {
  health.begin(now)
  const rests = health.failed(now, now, about)
  health.end()
  return rests
}

test('one refused connection makes it rest, and it may be asked again a second later', () => {
  const health = new TargetHealth(HALF)
  expect(fail(health, 1_000, failure('unreachable'))).toBe(true)
  expect(health.state(1_500)).toBe('cooling')
  expect(health.mayBeAskedAt(1_500)).toBe(2_000)
  expect(health.state(2_000)).toBe('probing')
})

test('rests grow with every failure, up to a minute', () => {
  const health = new TargetHealth(() => 1)
  const rests: number[] = []
  for (let now = 0, i = 0; i < 9; i++) {
    fail(health, now, failure('unreachable'))
    rests.push((health.restsUntil - now) / 1_000)
    now = health.restsUntil
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test.for([0, 0.05, 0.25, 0.5, 0.75, 1])(
  'a guessed rest is any part of what it has grown to, as chance says (%d of it), so that nodes do not come back together',
  (part) => {
    const health = new TargetHealth(() => part)
    const rests: number[] = []
    for (let now = 0, i = 0; i < 12; i++) {
      fail(health, now, failure('unreachable'))
      rests.push((health.restsUntil - now) / 1_000)
      now = health.restsUntil
    }
    const grown = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]
    expect(rests).toEqual(grown.map((seconds) => Math.max(1, seconds * part)))
  },
)

test.for([
  [250, 1_000],
  [7_000, 7_000],
  [86_400_000, 3_600_000],
])('a rest of %i ms that the upstream asks for lasts %i', ([restMs, lasts]) => {
  const health = new TargetHealth(HALF)
  fail(health, 0, failure('rate_limited', { restMs }))
  expect(health.restsUntil).toBe(lasts)
  expect(health.mayBeTriedAt(500)).toBe(lasts)
})

test('a rest that was guessed may be cut short where all others rest, but once a second at most', () => {
  const health = new TargetHealth(() => 1)
  for (const now of [0, 1_000, 3_000]) fail(health, now, failure('unreachable'))
  expect(health.restsUntil).toBe(7_000)
  expect(health.mayBeTriedAt(3_100)).toBe(4_000)
})

test('it rests for one caller alone while only requests of theirs fail, and for all once another’s fails too', () => {
  const health = new TargetHealth(HALF)
  for (let now = 0; now < 6; now++) fail(health, now, failure('failed', { callerId: 'ada' }))
  expect(health.mayBeAskedAt(100, 'ada')).toBe(1_005)
  expect(health.mayBeAskedAt(100, 'bob')).toBe(100)
  expect(health.mayBeTriedAt(100, 'bob')).toBe(100)
  // The first other request shows how it is: that it is ill.
  fail(health, 100, failure('failed', { callerId: 'bob' }))
  for (const callerId of ['ada', 'bob', 'cleo']) expect(health.mayBeAskedAt(200, callerId)).toBeGreaterThan(200)
})

test('a rest of one caller ends with an answer to another, and one that the upstream itself asks for is for all', () => {
  const health = new TargetHealth(HALF)
  for (let now = 0; now < 6; now++) fail(health, now, failure('failed', { callerId: 'ada' }))
  health.answered(100, 110)
  expect(health.mayBeAskedAt(200, 'ada')).toBe(200)
  fail(health, 300, failure('rate_limited', { callerId: 'ada', restMs: 5_000 }))
  expect(health.mayBeAskedAt(400, 'bob')).toBe(5_300)
  const unreachable = new TargetHealth(HALF)
  fail(unreachable, 0, failure('unreachable', { callerId: 'ada' }))
  expect(unreachable.mayBeAskedAt(100, 'bob')).toBe(1_000)
})

test('failures of one caller take twice as many as those of several to make it rest', () => {
  const ofOne = new TargetHealth(HALF)
  const seen = Array.from({ length: 6 }, (_, i) => fail(ofOne, i, failure('failed')))
  expect(seen).toEqual([false, false, false, false, false, true])
  const ofTwo = new TargetHealth(HALF)
  expect(fail(ofTwo, 0, failure('failed'))).toBe(false)
  expect(fail(ofTwo, 1, failure('timed_out', { callerId: 'bob' }))).toBe(false)
  expect(fail(ofTwo, 2, failure('failed'))).toBe(true)
})

test('a success between them starts the count again', () => {
  const health = new TargetHealth(HALF)
  for (let i = 0; i < 20; i++) {
    expect(fail(health, i, failure('failed'))).toBe(false)
    health.succeeded(i)
  }
  expect(health.state(20)).toBe('degraded')
})

test('requests that failed together make one rest', () => {
  const health = new TargetHealth(() => 1)
  for (let i = 0; i < 64; i++) health.begin(0)
  for (let i = 0; i < 64; i++) health.failed(0, 10 + i, failure('rate_limited'))
  expect(health.restsUntil).toBe(1_010)
})

test('an answer to a request from before the rest does not end it, one from after it does', () => {
  const health = new TargetHealth(HALF)
  health.begin(0)
  fail(health, 10, failure('rate_limited', { restMs: 5_000 }))
  health.answered(0, 20)
  expect(health.state(20)).toBe('cooling')
  health.begin(5_010)
  health.answered(5_010, 5_100)
  expect(health.state(5_100)).toBe('degraded')
  expect(health.inFlight).toBe(2)
})

test('it is asked by one request a second while nothing is known', () => {
  const health = new TargetHealth(HALF)
  fail(health, 0, failure('unreachable'))
  health.begin(1_000)
  expect(health.mayBeAskedAt(1_001)).toBe(2_000)
})

test('the score falls with failures, with time and with load', () => {
  const health = new TargetHealth(HALF)
  const scores = [health.score]
  health.answered(0, 1_000)
  scores.push(health.score)
  for (let i = 0; i < 8; i++) health.begin(1_000)
  scores.push(health.score)
  health.failed(1_000, 1_001, failure('failed'))
  scores.push(health.score)
  expect(scores).toEqual([1, 1 / 2, 1 / 3, 0.7 / 3])
})

test('one caller whose requests fail puts a target in doubt for no other, even where others succeed between; a second who fails does', () => {
  const health = new TargetHealth(HALF)
  for (let now = 0; now < 5; now++) fail(health, now, failure('failed', { callerId: 'ada' }))
  expect(['ada', 'bob', null].map((callerId) => health.isIllFor(callerId))).toEqual([true, false, true])
  for (let now = 5; now < 35; now += 3) {
    health.succeeded(now)
    fail(health, now + 1, failure('failed', { callerId: 'ada' }))
    fail(health, now + 2, failure('failed', { callerId: 'ada' }))
    expect(health.isIllFor('bob')).toBe(false)
  }
  fail(health, 40, failure('failed', { callerId: 'eve' }))
  expect(health.isIllFor('bob')).toBe(true)
})

test('among equals the failures of one caller alone take little of a target’s score, and what succeeds wipes them out', () => {
  const health = new TargetHealth(HALF)
  for (let now = 0; now < 5; now++) fail(health, now, failure('failed', { callerId: 'ada' }))
  expect(health.score).toBeGreaterThanOrEqual(ILL_BELOW)
  for (let now = 5; now < 15; now++) health.succeeded(now)
  expect(health.score).toBeGreaterThan(0.9)
  for (let now = 15; now < 18; now++) fail(health, now, failure('failed', { callerId: 'bob' }))
  expect(['ada', 'bob'].map((callerId) => health.isIllFor(callerId))).toEqual([false, true])
})
