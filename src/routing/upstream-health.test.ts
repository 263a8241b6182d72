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

/** How many retries an upstream is given at `now`, which had so many requests at each of these moments. */
function roomAt(now: number, requests: Readonly<Record<number, number>>): number {
  const { retries } = new UpstreamHealth(() => 0.5)
  for (const [at, count] of Object.entries(requests)) for (let i = 0; i < count; i++) retries.count(Number(at), false)
  let taken = 0
  for (; retries.hasRoom(now) && taken < 1_000; taken++) retries.count(now, true)
  return taken
}

test('requests count for a fifth of them over a minute, and not beyond it', () => {
  const requests = { 0: 100 }
  // With none: ten, and a fifth of themselves.
  expect(roomAt(0, {})).toBe(13)
  for (const now of [0, 29_999, 30_000, 45_000, 59_999]) expect(roomAt(now, requests), `${now}`).toBe(38)
  for (const now of [60_000, 90_000, 119_999, 600_000]) expect(roomAt(now, requests), `${now}`).toBe(13)
  expect(roomAt(65_000, { 0: 100, 20_000: 100, 64_000: 100 })).toBe(63)
})

test('retries count against the budget for a minute, and are free again after it', () => {
  const { retries } = new UpstreamHealth(() => 0.5)
  while (retries.hasRoom(5_000)) retries.count(5_000, true)
  for (const now of [34_000, 50_000, 59_999]) expect(retries.hasRoom(now), `${now}`).toBe(false)
  expect(retries.hasRoom(60_000)).toBe(true)
})
