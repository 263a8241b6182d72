import { expect, test } from 'vitest'
import type { LimitRefusal } from '../limits/limit-terms.ts'
import { limitReached } from './exhaustion.ts'

const TOKENS = { input: 7, output: 5 }
const FULL: LimitRefusal = { limit: 'concurrency', max: 2, used: 2, waitMs: 1000, part: 2, nodes: 1 }

test.for([
  ['concurrency', 'requests at once'],
  ['requests', 'requests a minute'],
  ['tokens', 'tokens a minute'],
] as const)('a %s limit of 0 says that the key cannot be used, and promises no other node', ([limit, unit]) => {
  for (const nodes of [1, 3]) {
    const fault = limitReached({ limit, max: 0, used: 0, waitMs: Infinity, part: 0, nodes }, TOKENS)
    expect(fault.message).toBe(`This API key's limit is 0 ${unit}, so it cannot be used. Raise the key's limit.`)
    expect(fault.details.retryAfterSeconds).toBe(86_400)
  }
})

test('another node is named only where it has a part of the limit', () => {
  expect(limitReached(FULL, TOKENS).message).toMatch(/2 are\. Wait until one ends, or raise/)
  const elsewhere = { ...FULL, used: 0, part: 0, nodes: 3 }
  expect(limitReached(elsewhere, TOKENS).message).toMatch(/this one's part is 0\. Try again, since another node may/)
})
