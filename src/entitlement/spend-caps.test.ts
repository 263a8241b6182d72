import { expect, test } from 'vitest'
import { nanoUsd } from '../core/money.ts'
import { windowMs } from '../core/quota-window.ts'
import { balanceBudget, keyQuotaBudget, keySpendBudget, subscriptionBudget } from '../metering/budgets/budget.ts'
import { fullestCap, knownCaps, type KnownBudget, passedThreshold, usedShare } from './spend-caps.ts'

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0, 900)
const LIMIT = nanoUsd(1_000n)
const MONTH = { reset: 'monthly' as const, startsAt: NOW - 1_000, endsAt: NOW + 5_000 }

function standing(used: bigint) {
  const cap = { limit: LIMIT, used: nanoUsd(used), resetsAt: NOW }
  return [usedShare(cap), passedThreshold(cap)]
}

test('a share is rounded down, and a threshold is passed by the smallest amount and not by none', () => {
  expect(standing(0n)).toEqual([0, null])
  expect(standing(509n)).toEqual([0.5, null])
  expect(standing(750n)).toEqual([0.75, null])
  expect(standing(751n)).toEqual([0.75, 0.75])
  expect(standing(950n)).toEqual([0.95, 0.75])
  expect(standing(951n)).toEqual([0.95, 0.95])
  expect(standing(999n)).toEqual([0.99, 0.95])
  expect(standing(2_000n)).toEqual([1, 0.95])
})

test('a request’s caps are those that start anew and that the node has heard of', () => {
  const quota = keyQuotaBudget('key_1', LIMIT, MONTH)
  const forGood = keyQuotaBudget('key_1', LIMIT, { ...MONTH, reset: 'never', endsAt: null })
  const [fresh, open] = [keySpendBudget('key_1', LIMIT, '5h'), keySpendBudget('key_1', LIMIT, '7d')]
  const [plan, term] = [subscriptionBudget('sub_1', LIMIT, '30d'), subscriptionBudget('sub_1', LIMIT, 'term')]
  const unheard = subscriptionBudget('sub_2', LIMIT, '30d')
  const balance = balanceBudget('acc_1')
  const used: Record<string, KnownBudget> = {
    [fresh.id]: { used: nanoUsd(0n), resetsAt: null },
    [open.id]: { used: nanoUsd(2n), resetsAt: NOW + 7_000 },
    [unheard.id]: { used: null, resetsAt: null },
  }
  const sources = [
    { subscriptionId: 'sub_1', budgets: [plan, term] },
    { subscriptionId: 'sub_2', budgets: [unheard] },
    { subscriptionId: null, budgets: [balance] },
  ]
  const known = ({ id }: { id: string }) => used[id] ?? { used: nanoUsd(1n), resetsAt: NOW + 9_000 }
  const caps = knownCaps({ caps: [fresh, open, quota, forGood], sources }, known, NOW)
  const second = NOW - 900
  expect(caps).toEqual([
    { limit: LIMIT, used: 0n, resetsAt: second + windowMs('5h') },
    { limit: LIMIT, used: 2n, resetsAt: second + 7_000 },
    { limit: LIMIT, used: 1n, resetsAt: second + 5_000 },
    { limit: LIMIT, used: 1n, resetsAt: second + 9_000 },
  ])
  expect(fullestCap(caps)).toBe(caps[1])
  expect(fullestCap([])).toBeNull()
})
