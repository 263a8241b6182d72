import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTicking } from './ticking.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a process in which something runs is looked at ten times a second, an idle one twice', () => {
  let runs = true
  const look = vi.fn<() => boolean>(() => runs)
  const ticking = startTicking(look)
  vi.advanceTimersByTime(1_000)
  expect(look).toHaveBeenCalledTimes(10)
  runs = false
  vi.advanceTimersByTime(100)
  look.mockClear()
  vi.advanceTimersByTime(10_000)
  expect(look).toHaveBeenCalledTimes(20)
  runs = true
  vi.advanceTimersByTime(500)
  look.mockClear()
  vi.advanceTimersByTime(1_000)
  expect(look).toHaveBeenCalledTimes(10)
  ticking.stop()
  vi.advanceTimersByTime(1_000)
  expect(look).toHaveBeenCalledTimes(10)
  expect(vi.getTimerCount()).toBe(0)
})

test('a look that fails is not the last one', () => {
  const look = vi.fn<() => boolean>(() => {
    throw new Error('the database is away')
  })
  const ticking = startTicking(look)
  for (let looks = 1; looks <= 3; looks++) expect(() => vi.advanceTimersByTime(100)).toThrow('the database is away')
  expect(look).toHaveBeenCalledTimes(3)
  ticking.stop()
  expect(vi.getTimerCount()).toBe(0)
})
