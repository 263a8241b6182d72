import { expect, test } from 'vitest'
import { credentialByHand } from '../../test/support/candidate-by-hand.ts'

const MINUTE = 60_000

test('a credential that is refused is held for 1, 2, 5 and then 10 minutes at a time', () => {
  const health = credentialByHand(() => 0.5)
  const waits: number[] = []
  for (let now = 0, i = 0; i < 6; i++) {
    health.begin(now)
    health.refused({ beganAt: now, now }, 'credential')
    waits.push(((health.held?.until ?? 0) - now) / MINUTE)
    now = health.held?.until ?? 0
  }
  expect(waits).toEqual([1, 2, 5, 10, 10, 10])
})

test('requests that were refused together hold it once', () => {
  const health = credentialByHand(() => 0.5)
  for (let i = 0; i < 9; i++) health.refused({ beganAt: 0, now: 5 + i }, 'credential')
  expect(health.held?.until).toBe(5 + MINUTE)
})

test('one request is let through when its time has come, and its answer ends it', () => {
  const health = credentialByHand(() => 0.5)
  health.refused({ beganAt: 0, now: 0 }, 'no_credit')
  health.answered(-1)
  expect(health.held).not.toBeNull()
  health.begin(MINUTE)
  expect(health.held?.until).toBe(2 * MINUTE)
  health.answered(MINUTE)
  expect(health.held).toBeNull()
})
