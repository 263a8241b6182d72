import { expect, test } from 'vitest'
import { NO_TOKENS } from '../../core/tokens.ts'
import { ResponseCache } from './response-cache.ts'

function cacheByHand(most: { bytes: number; entries: number }) {
  const time = { elapsed: 0 }
  return { time, cache: new ResponseCache({ elapsed: () => time.elapsed }, 1, most) }
}

const answer = (bytes: number, letter = 'x') => ({
  body: Buffer.alloc(bytes, letter),
  contentType: 'application/json',
  isStream: false,
  dropped: [],
  tokens: NO_TOKENS,
})

test('what was used longest ago goes first, by number', () => {
  const { cache } = cacheByHand({ bytes: 1e9, entries: 2 })
  cache.keep('a', answer(1))
  cache.keep('b', answer(1))
  cache.find('a', 1_000)
  cache.keep('c', answer(1))
  expect(['a', 'b', 'c'].map((key) => cache.find(key, 1_000) !== null)).toEqual([true, false, true])
})

test('all entries together stay within their bytes, and one that is larger than that is not kept', () => {
  const { cache } = cacheByHand({ bytes: 10_000, entries: 100 })
  for (let i = 0; i < 50; i++) {
    cache.keep(`key ${i}`, answer(1_000))
    expect(cache.bytes).toBeLessThanOrEqual(10_000)
  }
  expect(cache.size).toBe(4)
  cache.keep('large', answer(20_000))
  expect([cache.find('large', 1_000), cache.size]).toEqual([null, 4])
})

test('an answer ends with its time, as the one who asks says, and gives its bytes back', () => {
  const { cache, time } = cacheByHand({ bytes: 10_000, entries: 100 })
  cache.keep('a', answer(10))
  time.elapsed = 999
  expect(cache.find('a', 1_000)).not.toBeNull()
  time.elapsed = 1_000
  expect(cache.find('a', 1_000)).toBeNull()
  expect([cache.size, cache.bytes]).toEqual([0, 0])
})

test('a newer answer takes the place of the older', () => {
  const { cache } = cacheByHand({ bytes: 10_000, entries: 100 })
  cache.keep('a', answer(10, 'x'))
  cache.keep('a', answer(20, 'y'))
  expect(cache.size).toBe(1)
  expect(cache.find('a', 1_000)?.body.toString()).toBe('y'.repeat(20))
})
