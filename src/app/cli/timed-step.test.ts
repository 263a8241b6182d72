import { afterEach, expect, test, vi } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { TimedStep } from './progress.ts'

afterEach(() => void vi.useRealTimers())

test('on a terminal a step says each second how long it takes, and its line gives way at the end', () => {
  vi.useFakeTimers()
  const { host, remarked } = cliHostByHand({ isTerminal: true, nowMs: () => Date.now() })
  const step = new TimedStep(host, 'Looking')
  vi.advanceTimersByTime(2_500)
  expect(remarked).toEqual(['\rLooking', '\rLooking, 1 s', '\rLooking, 2 s'])
  step.end()
  expect(remarked.at(-1)).toMatch(/^\r +\r$/)
  vi.advanceTimersByTime(2_500)
  expect(remarked).toHaveLength(4)
})

test('in a log a step is one line', () => {
  const { host, remarked } = cliHostByHand()
  new TimedStep(host, 'Looking').end()
  expect(remarked).toEqual(['Looking …\n'])
})
