import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Logger } from '../../core/log.ts'
import { SPAN_WINDOW_MS, type SpanSums } from '../../metering/usage/span-sums.ts'
import { startSpanSums } from './start-span-sums.ts'

const NOW = 40 * SPAN_WINDOW_MS + 5
const clock = { now: () => NOW, elapsed: () => 0 }
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as unknown as Logger

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function spansSince(oldest: number | null, fillWindow: SpanSums['fillWindow']) {
  return { usage: { spans: { oldestWindow: async () => oldest, fillWindow } } }
}

test('all windows are filled after the start, the newest first, and then the newest and one older in turn', async () => {
  const windows: number[] = []
  const store = spansSince(37 * SPAN_WINDOW_MS, async (atMs) => windows.push(Math.floor(atMs / SPAN_WINDOW_MS)))
  const running = startSpanSums({ store, clock, log })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(windows.splice(0)).toEqual([40, 39, 38, 37])
  await vi.advanceTimersByTimeAsync(4 * 600_000)
  expect(windows).toEqual([40, 39, 40, 38, 40, 37, 40, 39])
  await running.stop()
})

test('what fails is tried again, from the newest on, and a stop ends what is under way', async () => {
  const windows: number[] = []
  let isBroken = true
  const store = spansSince(38 * SPAN_WINDOW_MS, async (atMs, { signal, pause }) => {
    windows.push(Math.floor(atMs / SPAN_WINDOW_MS))
    if (isBroken && windows.length === 2) throw new Error('the disk is full')
    if (!isBroken) await pause(1_000_000)
    return signal.aborted ? 0 : 1
  })
  const running = startSpanSums({ store, clock, log })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(windows.splice(0)).toEqual([40, 39])
  isBroken = false
  await vi.advanceTimersByTimeAsync(600_000)
  vi.useRealTimers()
  await running.stop()
  expect(windows).toEqual([40])
})
