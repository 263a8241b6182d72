import { expect, test } from 'vitest'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import { rateLimitOf } from './key-columns.ts'

test('a kind of limit that a stored key does not name yet does not hold for it', () => {
  expect(rateLimitOf({ concurrency: 3, spend: [] })).toEqual({ ...NO_COUNTS, concurrency: 3, spend: [] })
})
