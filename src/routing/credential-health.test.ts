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

test('while its renewal fails it is used as ever, and stands as one that will be held', () => {
  const health = credentialByHand(() => 0.5)
  health.renewalFailed({ now: 1, goodUntil: 9 * MINUTE }, 'AccessDenied')
  health.renewalFailed({ now: 5, goodUntil: 9 * MINUTE }, 'The role was deleted')
  const failing = { since: 1, goodUntil: 9 * MINUTE, said: 'The role was deleted' }
  expect(health.renewal).toEqual(failing)
  expect(health.standing(6)).toMatchObject({ state: 'renewal_failing', until: 9 * MINUTE, because: null })
  expect(health.mayBeAskedAt(6)).toBe(6)
  // What leaves it alone now is said first.
  health.of('m').failed(6, 6, { failure: 'rate_limited', restMs: MINUTE, callerId: 'a caller' })
  expect(health.standing(7).state).toBe('cooling')
  health.refused({ beganAt: 7, now: 7 }, 'credential')
  expect(health.standing(8).state).toBe('held')
  expect(health.renewal).toBeNull()
  health.renewed()
  health.answered(8)
  expect(health.standing(8).state).toBe('cooling')
})
