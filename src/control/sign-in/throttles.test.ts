import { expect, test } from 'vitest'
import { newThrottles, TryCount } from './throttles.ts'

function byHand() {
  const hand = { now: 0 }
  return { hand, clock: { now: () => hand.now, elapsed: () => hand.now } }
}

test('so many tries are taken within a window, and the next window starts anew', () => {
  const { hand, clock } = byHand()
  const count = new TryCount(clock, { limit: 2, windowMs: 1000 })
  expect([count.take('a'), count.take('a')]).toEqual(['taken', 'taken'])
  hand.now = 400
  expect(count.take('a')).toEqual({ retryAfterSeconds: 1 })
  expect(count.take('b')).toBe('taken')
  hand.now = 1000
  expect(count.take('a')).toBe('taken')
})

test('a try that is given back can be taken again, and one that is forgotten never was', () => {
  const { clock } = byHand()
  const count = new TryCount(clock, { limit: 1, windowMs: 1000 })
  count.take('a')
  count.giveBack('a')
  expect(count.take('a')).toBe('taken')
  count.forget('a')
  expect(count.take('a')).toBe('taken')
  expect(count.take('a')).not.toBe('taken')
})

test('memory is bounded: the oldest keys go', () => {
  const { clock } = byHand()
  const count = new TryCount(clock, { limit: 1, windowMs: 1000 })
  for (let i = 0; i <= 20_000; i++) count.take(String(i))
  expect(count.take('0')).toBe('taken')
  expect(count.take('20000')).not.toBe('taken')
})

test('only so many checks run at once', async () => {
  const { checking } = newThrottles(byHand().clock)
  const gate = Promise.withResolvers<void>()
  const held = Array.from({ length: 16 }, () => checking.hold(() => gate.promise))
  expect(await checking.hold(async () => 'late')).toBeNull()
  gate.resolve()
  await Promise.all(held)
  expect(await checking.hold(async () => 'in time')).toBe('in time')
})
