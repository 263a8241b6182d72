import { expect, test } from 'vitest'
import type { LimitState } from './limit-terms.ts'
import { strictestLimits } from './strictest-limits.ts'

function state(over: Partial<LimitState>): LimitState {
  return { limit: 'requests', max: 10, used: 0, resetMs: 0, ...over }
}

test('the one with less left is shown, whosever it is, and limits that only one has are shown as well', () => {
  const key = [state({ max: 50, used: 45 }), state({ limit: 'tokens', max: 100 })]
  const account = [state({ max: 10, used: 1 }), state({ limit: 'concurrency', max: 2 })]
  expect(strictestLimits(key, account)).toEqual([key[0], key[1], account[1]])
  expect(strictestLimits([state({ max: 50, used: 30 })], account)).toEqual(account)
})

test('where as much is left, the one that is free again later', () => {
  const [sooner, later] = [state({ max: 9, resetMs: 10 }), state({ max: 9, resetMs: 20 })]
  expect(strictestLimits([sooner], [later])).toEqual([later])
  expect(strictestLimits([later], [sooner])).toEqual([later])
})
