import { expect, test } from 'vitest'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { readAnthropicUsage } from './anthropic-usage.ts'
import { UsageTally } from './usage-tally.ts'

function counts(...usages: unknown[]): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: false })
  for (const usage of usages) {
    const report = readAnthropicUsage(usage)
    if (report !== null) tally.add(report)
  }
  return tally.counts
}

test.for([
  [
    'input without its cache',
    { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 2 },
    { input: 5, cacheRead: 90, output: 2 },
  ],
  ['writes of unknown life as short-lived', { cache_creation_input_tokens: 7 }, { cacheWrite: 7 }],
  [
    'writes by their life',
    { cache_creation_input_tokens: 9, cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 7 } },
    { cacheWrite: 2, cacheWrite1h: 7 },
  ],
  [
    'writes that are reported by their life only',
    { cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 7 } },
    { cacheWrite: 2, cacheWrite1h: 7 },
  ],
  [
    'more long-lived writes than writes',
    { cache_creation_input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 7 } },
    { cacheWrite: 0, cacheWrite1h: 5 },
  ],
  [
    'thinking as part of the output',
    { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } },
    { output: 9, reasoning: 4 },
  ],
  [
    'zeros as zeros',
    { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
    { input: 0, cacheRead: 0, output: 0 },
  ],
  ['counts that are none', { input_tokens: 1.5, output_tokens: -3, cache_read_input_tokens: null }, {}],
  ['a count beyond all numbers as the largest', { input_tokens: 2 ** 53 }, { input: 2 ** 53 - 1 }],
] as const)('reads %s', ([, usage, expected]) => {
  expect(counts(usage)).toEqual({ ...NO_TOKENS, ...expected })
})

test('the end of a message completes what its start reported', () => {
  const start = { input_tokens: 25, cache_read_input_tokens: 10, cache_creation_input_tokens: 0, output_tokens: 1 }
  expect(counts(start, { output_tokens: 15, input_tokens: null })).toEqual({
    ...NO_TOKENS,
    input: 25,
    cacheRead: 10,
    cacheWrite: 0,
    output: 15,
  })
})

test('compactions are added, advice of another model is not', () => {
  const iterations = [
    { type: 'compaction', input_tokens: 100, output_tokens: 10 },
    { type: 'message', input_tokens: 5, output_tokens: 2 },
    { type: 'advisor_message', input_tokens: 50, output_tokens: 50 },
  ]
  expect(counts({ input_tokens: 5, output_tokens: 2, iterations })).toMatchObject({ input: 105, output: 12 })
})
