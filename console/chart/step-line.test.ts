import { expect, test } from 'vitest'
import { stepLine } from './step-line.ts'

const BOX = { fromMs: 1_000, toMs: 2_000, width: 100, height: 20 }

test('what stays goes straight to the edge', () => {
  expect(stepLine([{ at: 1_000, amount: 5n }], BOX)).toBe('M0 0.0H100')
  expect(stepLine([{ at: 1_000, amount: 0n }], BOX)).toBe('M0 20.0H100')
})

test('a change is a step where it happened, between the least and the most', () => {
  const steps = [
    { at: 0, amount: 10n },
    { at: 1_500, amount: 5n },
    { at: 1_750, amount: 0n },
  ]
  expect(stepLine(steps, BOX)).toBe('M0 0.0H50.0V10.0H75.0V20.0H100')
})

test('below zero the line begins there', () => {
  const steps = [
    { at: 1_000, amount: -10n },
    { at: 1_500, amount: 10n },
  ]
  expect(stepLine(steps, BOX)).toBe('M0 20.0H50.0V0.0H100')
})

test('what changed before the first moment or after the last one stays in the box', () => {
  const steps = [
    { at: 0, amount: 1n },
    { at: 500, amount: 2n },
    { at: 9_000, amount: 0n },
  ]
  expect(stepLine(steps, BOX)).toBe('M0 10.0H0.0V0.0H100.0V20.0H100')
})
