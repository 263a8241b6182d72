import { expect, test } from 'vitest'
import { pollMs } from './live.ts'

test('the page asks again by itself only while it is live, and nothing on it is being read', () => {
  const live = { isLive: true, record: null, cursor: null }
  expect(pollMs(live, 3_000)).toBe(3_000)
  expect(pollMs({ ...live, isLive: false }, 3_000)).toBe(false)
  expect(pollMs({ ...live, record: 'req_1' }, 3_000)).toBe(false)
  expect(pollMs({ ...live, cursor: 'later' }, 3_000)).toBe(false)
})
