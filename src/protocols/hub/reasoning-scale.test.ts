import { expect, test } from 'vitest'
import { budgetOf, effortOf } from './reasoning-plan.ts'
import type { Reasoning } from './request-settings.ts'

const KNOWN = ['none', 'low', 'medium', 'high'] as const

function wish(part: Partial<Reasoning>): Reasoning {
  return { effort: null, budgetTokens: null, isShown: null, ...part }
}

test.for([
  [0, 'none'],
  [1_024, 'low'],
  [4_000, 'low'],
  [4_200, 'medium'],
  [10_000, 'medium'],
  [31_999, 'high'],
  [64_000, 'high'],
] as const)('a budget of %i tokens is the effort %s', ([budgetTokens, effort]) => {
  expect(effortOf(wish({ budgetTokens }), KNOWN)).toBe(effort)
})

test.for([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
  ['medium', 'medium'],
] as const)('an effort of %s is %s where that word is unknown', ([effort, known]) => {
  expect(effortOf(wish({ effort }), KNOWN)).toBe(known)
})

test('an effort that a wire knows comes back from its budget', () => {
  for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const) {
    const budgetTokens = budgetOf(wish({ effort }))
    expect(effortOf(wish({ budgetTokens }), ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])).toBe(effort)
  }
})

test('no wish says nothing', () => {
  expect(effortOf(wish({}), KNOWN)).toBeNull()
  expect(budgetOf(wish({ isShown: true }))).toBeNull()
})
