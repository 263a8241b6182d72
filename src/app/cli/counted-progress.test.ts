import { expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { CountedProgress } from './progress.ts'

function progressOn(isTerminal: boolean) {
  let nowMs = 0
  const { host, remarked } = cliHostByHand({ isTerminal, nowMs: () => nowMs })
  const progress = new CountedProgress(host)
  return { progress, remarked, advance: (ms: number) => (nowMs += ms) }
}

test('on a terminal a step has one line, which says rate and time left, and gives way at the end', () => {
  const { progress, remarked, advance } = progressOn(true)
  progress.at('account', 0, 1_000)
  advance(2_000)
  progress.at('account', 500, 1_000)
  expect(remarked).toEqual(['\raccount: 0 of 1000', '\raccount: 500 of 1000, 250/s, 2 s left'])
  progress.end()
  expect(remarked.at(-1)).toMatch(/^\r +\r$/)
  expect(remarked.join('')).not.toContain('\n')
})

test('on a terminal a line is written four times a second at most, however often it is called', () => {
  const { progress, remarked, advance } = progressOn(true)
  for (let done = 0; done <= 1_000; done++) {
    progress.at('account', done, 1_000)
    advance(1)
  }
  expect(remarked).toHaveLength(5)
})

test('a shorter line leaves nothing of a longer one before it', () => {
  const { progress, remarked, advance } = progressOn(true)
  progress.at('a step with a long name', 10, 10)
  advance(1_000)
  progress.at('short', 1, 2)
  const [first = '', second = ''] = remarked
  expect(second).toHaveLength(first.length)
})

test('in a log each step is one line, and each begins to count anew', () => {
  const { progress, remarked, advance } = progressOn(false)
  for (const step of ['account', 'key']) {
    for (let done = 0; done <= 10; done++) {
      progress.at(step, done, 10)
      advance(1_000)
    }
  }
  progress.end()
  expect(remarked).toEqual(['account: 10 …\n', 'key: 10 …\n'])
})
