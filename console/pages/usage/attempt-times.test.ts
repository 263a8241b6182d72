import { expect, test } from 'vitest'
import { attemptTimes, stepTimes } from './attempt-times.ts'

const NEVER = { at_ms: null, connect_ms: null, head_ms: null }
const attempts = (...times: readonly number[]) => times.map((total_ms) => ({ ...NEVER, total_ms }))

test('attempts lie where they began, with a pause between them', () => {
  const [first, second] = attempts(250, 500)
  if (first === undefined || second === undefined) throw new Error('two attempts')
  const record = {
    total_ms: 1_000,
    attempts: [
      { ...first, at_ms: 50 },
      { ...second, at_ms: 450 },
    ],
  }
  expect(attemptTimes(record)).toEqual([
    { start: 0.05, length: 0.25 },
    { start: 0.45, length: 0.5 },
  ])
})

test('two that ran at a time lie where each began, within the whole', () => {
  const both = [
    { at_ms: 0, connect_ms: null, head_ms: null, total_ms: 800 },
    { at_ms: 500, connect_ms: null, head_ms: null, total_ms: 500 },
  ]
  expect(attemptTimes({ total_ms: 1_000, attempts: both })).toEqual([
    { start: 0, length: 0.8 },
    { start: 0.5, length: 0.5 },
  ])
})

test('attempts of which no beginning is known lie one after the other, and the last ends with the request', () => {
  expect(attemptTimes({ total_ms: 1_000, attempts: attempts(250, 500) })).toEqual([
    { start: 0.25, length: 0.25 },
    { start: 0.5, length: 0.5 },
  ])
})

test('clocks that disagree make no bar longer than the whole', () => {
  const times = attemptTimes({ total_ms: 900, attempts: attempts(500, 500) })
  expect(times.at(-1)).toEqual({ start: 0.5, length: 0.5 })
  expect(attemptTimes({ total_ms: 0, attempts: attempts(0) })).toEqual([{ start: 1, length: 0 }])
})

test('the way of a request is its queue, its failed attempts, its connection, its wait and its answer', () => {
  const failed = { at_ms: 10, connect_ms: null, head_ms: 90, total_ms: 100 }
  const good = { at_ms: 150, connect_ms: 40, head_ms: 300, total_ms: 840 }
  expect(stepTimes({ total_ms: 1_000, first_byte_ms: 460, attempts: [failed, good] })).toEqual([
    { step: 'queue', ms: 10 },
    { step: 'earlier', ms: 140 },
    { step: 'connect', ms: 40 },
    { step: 'wait', ms: 270 },
    { step: 'answer', ms: 540 },
  ])
})

test('parts that there were not are left out, and the others add up to the whole', () => {
  expect(stepTimes({ total_ms: 900, first_byte_ms: null, attempts: attempts(800) })).toEqual([
    { step: 'queue', ms: 100 },
    { step: 'wait', ms: 800 },
  ])
  expect(stepTimes({ total_ms: 900, first_byte_ms: null, attempts: [] })).toEqual([])
  const late = [{ at_ms: 950, connect_ms: 80, head_ms: null, total_ms: 10 }]
  const sum = stepTimes({ total_ms: 900, first_byte_ms: 20, attempts: late }).reduce((all, { ms }) => all + ms, 0)
  expect(sum).toBe(900)
})

test('of two that ran at a time the time before the faster one was waiting', () => {
  const first = { at_ms: 10, connect_ms: null, head_ms: null, total_ms: 500 }
  const second = { at_ms: 210, connect_ms: null, head_ms: 250, total_ms: 790 }
  const won = [{ ...first, hedged_away: true }, second]
  const lost = [{ ...second, hedged_away: true }, first]
  for (const both of [won, lost]) {
    expect(stepTimes({ total_ms: 1_000, first_byte_ms: 500, attempts: both })).toEqual([
      { step: 'queue', ms: 10 },
      { step: 'wait', ms: 490 },
      { step: 'answer', ms: 500 },
    ])
  }
})
