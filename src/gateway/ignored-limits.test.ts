import { expect, test } from 'vitest'
import type { LimitNote } from '../routing/kept-limits.ts'
import { IgnoredLimits } from './ignored-limits.ts'

const A = { upstreamId: 'ups_1', model: 'a' }
const B = { upstreamId: 'ups_2', model: 'a' }
const [FIRST_A, FIRST_B, LATER_B] = [
  { ...A, priority: 0 },
  { ...B, priority: 0 },
  { ...B, priority: 1 },
] as const
const WHOLE = { isStream: false }
const CUT = { limit: 100, output: 100, ofModel: 8_000, isCut: () => true }

test('only an answer that was cut at its limit proves that a target keeps to limits', () => {
  const limits = new IgnoredLimits()
  limits.note(A, { ...CUT, output: 3, isCut: () => false })
  limits.note(A, { ...CUT, isCut: () => false })
  limits.note(A, { ...CUT, isCut: undefined })
  expect(limits.mayPass([FIRST_A], WHOLE)).toBe(true)
  limits.note(A, CUT)
  expect(limits.mayPass([FIRST_A], WHOLE)).toBe(false)
})

test('an answer that is cut at what the model writes at most proves nothing, nor one that is cut far from its limit', () => {
  const limits = new IgnoredLimits()
  limits.note(A, { ...CUT, limit: 8_000, output: 8_000 })
  limits.note(A, { ...CUT, limit: 4_001, output: 4_001 })
  limits.note(A, { ...CUT, limit: 4_000, output: 2_000 })
  expect(limits.mayPass([FIRST_A], WHOLE)).toBe(true)
})

test('a target that wrote beyond a limit is never believed again, and another that was not tried is not believed yet', () => {
  const limits = new IgnoredLimits()
  limits.note(A, CUT)
  expect(limits.mayPass([FIRST_A, FIRST_B], WHOLE)).toBe(true)
  expect(limits.mayPass([FIRST_A, FIRST_B], { isStream: true })).toBe(false)
  expect(limits.mayPass([FIRST_A, LATER_B], WHOLE)).toBe(false)
  limits.note(B, { ...CUT, output: 500, isCut: () => false })
  limits.note(B, CUT)
  expect(limits.has(B)).toBe(true)
  expect(limits.mayPass([FIRST_A, LATER_B], { isStream: true })).toBe(true)
  expect(limits.mayPass([FIRST_A], WHOLE)).toBe(false)
})

test('what is learned is passed on once, and what another process learned counts here', () => {
  const heard: LimitNote[] = []
  const limits = new IgnoredLimits((note) => heard.push(note))
  limits.adopt([{ ...A, verdict: 'keeps' }])
  limits.note(A, CUT)
  limits.note(B, CUT)
  limits.note(B, CUT)
  limits.note(A, { ...CUT, output: 500 })
  limits.note(A, { ...CUT, output: 500 })
  expect(heard).toEqual([
    { ...B, verdict: 'keeps' },
    { ...A, verdict: 'ignores' },
  ])
  const next = new IgnoredLimits()
  next.adopt(heard)
  next.adopt([{ ...A, verdict: 'keeps' }])
  expect([next.has(A), next.mayPass([FIRST_B], WHOLE)]).toEqual([true, false])
})
