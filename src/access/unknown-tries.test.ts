import { expect, test } from 'vitest'
import { type UnknownTry, UnknownTryLog } from './unknown-tries.ts'

const tried = (id: number, more: Partial<UnknownTry> = {}): UnknownTry => ({
  id: `req_${id}`,
  createdAt: id * 1_000,
  fault: 'key_unknown',
  facts: { foreign: 'OpenAI' },
  client: 'curl/8',
  ...more,
})

test('tries of one address are counted by cause, the newest first, and are not those of another address', () => {
  const log = new UnknownTryLog()
  log.note('203.0.113.7', tried(1))
  log.note('203.0.113.7', tried(2, { fault: 'key_missing', facts: {} }))
  log.note('203.0.113.7', tried(3))
  log.note('203.0.113.8', tried(4))
  expect(log.since('203.0.113.7', 0, 5_000)).toMatchObject([
    { id: 'req_3', fault: 'key_unknown', count: 2 },
    { id: 'req_2', fault: 'key_missing', count: 1 },
  ])
  expect(log.since('203.0.113.7', 3_000, 5_000)).toHaveLength(1)
  expect(log.since('203.0.113.9', 0, 5_000)).toEqual([])
})

test('after ten minutes a try is forgotten, and counted no more', () => {
  const log = new UnknownTryLog()
  log.note('::1', tried(1))
  expect(log.since('::1', 0, 601_001)).toEqual([])
  log.note('::1', tried(700))
  expect(log.since('::1', 0, 700_000)).toMatchObject([{ count: 1 }])
})

test('however many addresses and causes there are, no more than the bounds are kept, the latest of them', () => {
  const log = new UnknownTryLog()
  for (let at = 0; at < 3_000; at++) log.note(`10.0.${at >> 8}.${at & 255}`, tried(at))
  expect(log.since('10.0.0.1', 0, 3_000_000)).toEqual([])
  expect(log.since('10.0.11.183', 0, 3_000_000)).toHaveLength(1)
  for (let cause = 0; cause < 20; cause++) log.note('::1', tried(cause, { facts: { foreign: `vendor ${cause}` } }))
  expect(log.since('::1', 0, 20_000).map(({ facts }) => facts.foreign)).toEqual(
    [19, 18, 17, 16, 15].map((cause) => `vendor ${cause}`),
  )
})

test('other threads take what one noted, once', () => {
  const others = new UnknownTryLog()
  const log = new UnknownTryLog((address, each) => others.take(address, each))
  log.note('::1', tried(1))
  expect(others.since('::1', 0, 2_000)).toMatchObject([{ count: 1 }])
})
