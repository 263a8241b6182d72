import { expect, test } from 'vitest'
import { UpstreamHealth } from './upstream-health.ts'

const MINUTE = 60_000
const REFUSED = { failure: 'credential', restMs: null, callerId: 'ada' } as const

test('a credential that is refused is held for 1, 2, 5 and then 10 minutes at a time', () => {
  const health = new UpstreamHealth(() => 0.5)
  const waits: number[] = []
  for (let now = 0, i = 0; i < 6; i++) {
    health.begin(now)
    expect(health.failed('m', { beganAt: now, now }, REFUSED)).toBe(true)
    waits.push(((health.held?.until ?? 0) - now) / MINUTE)
    now = health.held?.until ?? 0
  }
  expect(waits).toEqual([1, 2, 5, 10, 10, 10])
})

test('requests that were refused together hold it once', () => {
  const health = new UpstreamHealth(() => 0.5)
  for (let i = 0; i < 9; i++) health.failed('m', { beganAt: 0, now: 5 + i }, REFUSED)
  expect(health.held?.until).toBe(5 + MINUTE)
})

test('one request is let through when its time has come, and its answer ends it', () => {
  const health = new UpstreamHealth(() => 0.5)
  health.failed('m', { beganAt: 0, now: 0 }, REFUSED)
  health.answered(-1)
  expect(health.held).not.toBeNull()
  health.begin(MINUTE)
  expect(health.held?.until).toBe(2 * MINUTE)
  health.answered(MINUTE)
  expect(health.held).toBeNull()
})

test('other failures concern one model', () => {
  const health = new UpstreamHealth(() => 0.5)
  health.failed('a', { beganAt: 0, now: 0 }, { failure: 'rate_limited', restMs: 9_000, callerId: 'ada' })
  expect([health.of('a').state(1), health.of('b').state(1), health.held]).toEqual(['cooling', 'healthy', null])
})

test('other targets’ failures bring it a fifth of its requests and ten more', () => {
  const { retries } = new UpstreamHealth(() => 0.5)
  for (let i = 0; i < 100; i++) retries.count(i * 100, false)
  let taken = 0
  while (retries.hasRoom(10_000) && taken < 1_000) {
    retries.count(10_000, true)
    taken += 1
  }
  // Each of them is a request, too.
  expect(taken).toBe(38)
  expect(retries.hasRoom(75_000)).toBe(true)
})
