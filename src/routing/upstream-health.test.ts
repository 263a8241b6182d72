import { expect, test } from 'vitest'
import { UpstreamHealth } from './upstream-health.ts'

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
