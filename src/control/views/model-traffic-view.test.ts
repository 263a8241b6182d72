import { expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
import { modelTrafficView } from './model-traffic-view.ts'

test('every model has its own use, and none where there was none', () => {
  const totals = { requests: 3, failed: 1, inputTokens: 9, cacheReadTokens: 0, outputTokens: 1 }
  const own = new Map([['a', { ...totals, cost: nanoUsd(1_500_000_000n), balancePaid: nanoUsd(0n) }]])
  expect(modelTrafficView(['a', 'b'], { own, answers: new Map() }).data).toEqual([
    { name: 'a', requests: 3, cost: '1.5', answers: null },
    { name: 'b', requests: 0, cost: '0', answers: null },
  ])
})

test.each([
  [{ good: 4, failed: 0 }, null],
  [{ good: 5, failed: 0 }, 'healthy'],
  [{ good: 98, failed: 2 }, 'healthy'],
  [{ good: 97, failed: 3 }, 'degraded'],
  [{ good: 50, failed: 50 }, 'degraded'],
  [{ good: 49, failed: 51 }, 'failing'],
  [{ good: 0, failed: 9 }, 'failing'],
] as const)('of %j is said: %s', (counts, answers) => {
  const [row] = modelTrafficView(['a'], { own: new Map(), answers: new Map([['a', counts]]) }).data
  expect(row?.answers).toBe(answers)
})
