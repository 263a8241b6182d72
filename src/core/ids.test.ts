import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('an id says what it names and has 26 digits that are safe in a URL', () => {
  expect(newId('key', 1_790_000_000_000)).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('ids sort by the time they were made', () => {
  const ids = [1, 31, 32, 1_790_000_000_000, 1_790_000_000_001].map((ms) => newId('req', ms))
  expect([...ids].sort()).toEqual(ids)
})

test('ids of one millisecond sort by their order', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('aud', 1_790_000_000_002))
  expect([...ids].sort()).toEqual(ids)
})

test('ten thousand ids of one millisecond are all different', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId('req', 5))).size).toBe(10_000)
})
