import { expect, test } from 'vitest'
import { ChoicesSeen } from './chunk-policy.ts'

test('before any choice the first one is to be finished, and has not begun', () => {
  const seen = new ChoicesSeen()
  seen.add([])
  expect(seen.unfinished()).toEqual([{ index: 0, begun: false }])
})

test('a choice is unfinished from its first chunk to its reason, and an empty reason is none', () => {
  const seen = new ChoicesSeen()
  seen.add([{ index: 2 }, { index: 0, finish_reason: '' }, { index: '1' }, null])
  expect(seen.unfinished().map(({ index }) => index)).toEqual([2, 0])
  seen.add([{ index: 2, finish_reason: 'stop' }])
  seen.add([{ index: 2, finish_reason: null }])
  expect(seen.unfinished()).toEqual([{ index: 0, begun: true }])
  seen.add([{ index: 0, finish_reason: 'length' }])
  expect(seen.unfinished()).toEqual([])
})

test('an upstream that invents choices without end fills no memory', () => {
  const seen = new ChoicesSeen()
  for (let index = 0; index < 5_000; index++) seen.add([{ index }])
  expect(seen.unfinished().length).toBe(128)
})
