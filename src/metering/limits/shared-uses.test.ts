import { expect, test } from 'vitest'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import { KeyLimits, LimitTaken } from './key-limits.ts'
import { SharedLock } from './shared-lock.ts'
import { SharedUses, sharedUsesMemory } from './shared-uses.ts'

const NO_TOKENS = { input: 0, output: 0 }
const ONE_AT_ONCE = { id: 'key_1', rateLimit: { ...NO_COUNTS, concurrency: 1 } }

function twoThreads() {
  const memory = sharedUsesMemory()
  const time = { elapsed: 1_000 }
  const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
  const uses = [0, 1].map((thread) => new SharedUses(memory, thread))
  const [one, other] = uses.map((each) => new KeyLimits({ clock, share: () => ({ index: 0, count: 1 }), uses: each }))
  if (one === undefined || other === undefined) throw new Error('there are two')
  return { memory, time, uses, one, other }
}

test('of two threads that both saw a place free, one gets it and the other its refusal', () => {
  const { one, other } = twoThreads()
  expect([one.refusal(ONE_AT_ONCE, NO_TOKENS), other.refusal(ONE_AT_ONCE, NO_TOKENS)]).toEqual([null, null])
  const use = one.begin(ONE_AT_ONCE, NO_TOKENS)
  expect(() => other.begin(ONE_AT_ONCE, NO_TOKENS)).toThrow(LimitTaken)
  use?.end(0)
  expect(other.begin(ONE_AT_ONCE, NO_TOKENS)).not.toBeNull()
})

test('what a thread that died had running is free for the others, and what they have running is not', () => {
  const { one, other, uses } = twoThreads()
  const two = { ...ONE_AT_ONCE, rateLimit: { ...NO_COUNTS, concurrency: 2 } }
  one.begin(two, NO_TOKENS)
  other.begin(two, NO_TOKENS)
  uses[0]?.forgetThread(1)
  expect(one.states(two)[0]?.used).toBe(1)
  one.begin(two, NO_TOKENS)
  expect(one.refusal(two, NO_TOKENS)).toMatchObject({ limit: 'concurrency', used: 2 })
})

test('what the requests of a thread that died were counted with stays counted for its minute', () => {
  const { one, other, uses, time } = twoThreads()
  const perMinute = { ...ONE_AT_ONCE, rateLimit: { ...NO_COUNTS, requestsPerMinute: 1 } }
  other.begin(perMinute, NO_TOKENS)
  uses[0]?.forgetThread(1)
  expect(one.refusal(perMinute, NO_TOKENS)).toMatchObject({ limit: 'requests' })
  time.elapsed += 61_000
  expect(one.refusal(perMinute, NO_TOKENS)).toBeNull()
})

test('a lock that a thread held when it died is free again, with the sums made anew', () => {
  const { memory, one, uses } = twoThreads()
  one.begin(ONE_AT_ONCE, NO_TOKENS)
  uses[1]?.enter()
  uses[0]?.forgetThread(1)
  expect(one.states(ONE_AT_ONCE)[0]?.used).toBe(1)
  // Unasked, too, after a while.
  new SharedLock(new Int32Array(memory, 0, 2), 5, () => {}).take()
  expect(one.states(ONE_AT_ONCE)[0]?.used).toBe(1)
})

test('keys that are idle give way to others, and are counted from nothing when they come back', () => {
  const { one, time } = twoThreads()
  for (let index = 0; index < 8_192 * 2; index++) {
    one.begin({ ...ONE_AT_ONCE, id: `key_${index}` }, NO_TOKENS)?.end(0)
    if (index % 1_000 === 0) time.elapsed += 61_000 + 250
  }
  expect(one.refusal(ONE_AT_ONCE, NO_TOKENS)).toBeNull()
})

test('where more keys are in use than there is room to count, one more is refused, and counted when others have left', () => {
  const { one, other } = twoThreads()
  const begun = []
  let refused: unknown = null
  for (let index = 0; refused === null && index <= 8_192; index++) {
    try {
      begun.push(one.begin({ ...ONE_AT_ONCE, id: `key_${index}` }, NO_TOKENS))
    } catch (error) {
      refused = error
    }
  }
  expect(refused).toBeInstanceOf(LimitTaken)
  expect(begun.length).toBeGreaterThan(4_000)
  expect(other.states({ ...ONE_AT_ONCE, id: 'key_0' })[0]?.used).toBe(1)
})
