import { expect, test } from 'vitest'
import { LargeEvents } from './large-events.ts'

const holder = (size: number) => ({ size })

test('large events of all streams together have a bound, and each has its place back when it is whole', () => {
  const events = new LargeEvents({ limit: 100, leastBytes: 10 })
  const [first, second, third] = [holder(0), holder(0), holder(0)]
  expect(events.mayGrow(first, 60)).toBe(true)
  first.size = 60
  expect(events.mayGrow(second, 40)).toBe(true)
  second.size = 40
  expect(events.mayGrow(third, 10)).toBe(false)
  // It grows in the place that it has.
  expect(events.mayGrow(second, 41)).toBe(false)
  expect(events.mayGrow(second, 39)).toBe(true)
  first.size = 0
  expect(events.mayGrow(third, 60)).toBe(true)
})

test('what is small counts for nothing', () => {
  const events = new LargeEvents({ limit: 100, leastBytes: 10 })
  const many = Array.from({ length: 1_000 }, () => holder(0))
  for (const each of many) {
    expect(events.mayGrow(each, 20)).toBe(true)
    each.size = 9
  }
})
