import { expect, test } from 'vitest'
import { type CandidateByHand, poolByHand } from '../../test/support/candidate-by-hand.ts'
import type { Candidate } from './candidate.ts'
import type { FailureClass } from './failure-class.ts'

function fail(candidate: Candidate, now: number, failure: FailureClass): void {
  candidate.failed({ beganAt: now, now }, { failure, restMs: null, callerId: `c${now}` })
}

function pair(about: CandidateByHand = {}): [Candidate, Candidate] {
  const [first, second] = poolByHand('up', ['a', 'b'], about)
  if (first === undefined || second === undefined) throw new Error('a pool of two has two')
  return [first, second]
}

test.each(['rate_limited', 'credential', 'no_credit', 'not_found', 'overloaded'] as const)(
  'a credential that meets %s leaves the others of its upstream in use',
  (failure) => {
    const [first, second] = pair()
    fail(first, 0, failure)
    expect(second.mayBeAskedAt(1)).toBe(1)
  },
)

test('an upstream that cannot be reached is left alone with all of its credentials', () => {
  const [first, second] = pair()
  fail(first, 0, 'unreachable')
  expect([first.mayBeAskedAt(1), second.mayBeAskedAt(1)]).toEqual([1_000, 1_000])
})

test.each(['rate_limited', 'credential', 'no_credit', 'not_found', 'proxy'] as const)(
  'an upstream that was left alone and answers one credential with %s is there again for the others, unless it was not asked',
  (failure) => {
    const [first, second, third] = poolByHand('up', ['a', 'b', 'c'], { hasOwnWay: true })
    if (first === undefined || second === undefined || third === undefined) throw new Error('a pool of three has three')
    for (let now = 0; now < 6; now++) fail(now % 2 === 0 ? first : second, now, 'failed')
    const opensAt = third.mayBeAskedAt(6)
    expect(opensAt).toBeGreaterThan(6)
    first.begin(opensAt)
    fail(first, opensAt, failure)
    expect(third.mayBeAskedAt(opensAt + 1) === opensAt + 1).toBe(failure !== 'proxy')
  },
)

test('an upstream that fails with one credential after the other is left alone with all, and with none while one answers', () => {
  const [first, second] = pair()
  fail(first, 0, 'failed')
  second.succeeded(1)
  fail(first, 2, 'failed')
  second.succeeded(3)
  expect(second.mayBeAskedAt(4)).toBe(4)
  for (const now of [4, 5, 6]) fail(now % 2 === 0 ? first : second, now, 'failed')
  expect(second.mayBeAskedAt(7)).toBeGreaterThan(7)
})

test.each(['proxy', 'unreachable'] as const)(
  'a credential with a proxy of its own that meets %s leaves the others of its upstream in use',
  (failure) => {
    const [first, second] = pair({ hasOwnWay: true })
    fail(first, 0, failure)
    expect(first.mayBeAskedAt(1)).toBeGreaterThan(1)
    expect(second.mayBeAskedAt(1)).toBe(1)
  },
)

test('a proxy of one credential never speaks for the upstream, however often it fails; one of the upstream does', () => {
  for (const hasOwnWay of [true, false]) {
    const [first, second] = pair({ hasOwnWay })
    for (let now = 0; now < 9; now++) fail(first, now, 'proxy')
    expect(second.mayBeAskedAt(9) <= 9).toBe(hasOwnWay)
    expect(first.affectsOtherCredentials('proxy')).toBe(!hasOwnWay)
  }
})

test('where the whole upstream is dead that is the reason, whatever a credential of it met before', () => {
  const [first, second] = pair()
  first.failed({ beganAt: 0, now: 0 }, { failure: 'rate_limited', restMs: 2_000, callerId: 'c' })
  expect(first.restsBecause(1)).toBe('rate_limited')
  first.answered(3_000, 3_001)
  fail(second, 5_000, 'unreachable')
  expect([first, second].map((each) => each.restsBecause(5_001))).toEqual(['unreachable', 'unreachable'])
})

test('of two rests the one that lasts longer is the reason, and a rest before no room', () => {
  const [first, second] = pair()
  fail(second, 0, 'unreachable')
  first.failed({ beganAt: 0, now: 0 }, { failure: 'rate_limited', restMs: 60_000, callerId: 'c' })
  expect(first.restsBecause(1)).toBe('rate_limited')
})
