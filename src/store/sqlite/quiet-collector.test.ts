import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QuietCollector } from './quiet-collector.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aCollector() {
  const at: number[] = []
  const begun = Date.now()
  const quiet = new QuietCollector(() => void at.push((Date.now() - begun) / 1_000))
  return { quiet, at }
}

test('after a spell of work young objects are collected three times, and then the thread is left alone', () => {
  const { quiet, at } = aCollector()
  quiet.worked()
  vi.advanceTimersByTime(60_000)
  expect(at).toEqual([12, 18, 24])
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing is collected while there is work', () => {
  const { quiet, at } = aCollector()
  for (let second = 0; second < 30; second++) {
    quiet.worked()
    vi.advanceTimersByTime(1_000)
  }
  expect(at).toEqual([])
  vi.advanceTimersByTime(60_000)
  expect(at).toHaveLength(3)
})

test('one that is closed collects no more', () => {
  const { quiet, at } = aCollector()
  quiet.worked()
  quiet.close()
  vi.advanceTimersByTime(60_000)
  expect(at).toEqual([])
})
