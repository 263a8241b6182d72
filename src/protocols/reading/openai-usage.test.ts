import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { readOpenaiUsage } from './openai-usage.ts'
import { UsageTally } from './usage-tally.ts'

function counts(...usages: unknown[]): TokenCounts {
  const tally = new UsageTally({ inputIncludesCache: true })
  for (const usage of usages) {
    const report = readOpenaiUsage(usage)
    if (report !== null) tally.add(report)
  }
  return tally.counts
}

test.for([
  ['an embedding', { prompt_tokens: 8, total_tokens: 8 }, { input: 8 }],
  [
    'cached tokens, which are within the input',
    { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 90 } },
    { input: 10, cacheRead: 90 },
  ],
  [
    'reads and writes',
    { input_tokens: 10, input_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 } },
    { input: 1, cacheRead: 6, cacheWrite: 3 },
  ],
  [
    'more cached than sent',
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 12 } },
    { input: 0, cacheRead: 10 },
  ],
  [
    'unadjusted writes',
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 10 } },
    { input: 0, cacheRead: 6, cacheWrite: 4 },
  ],
  [
    'no cached tokens, reported as such',
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 0 } },
    { input: 10, cacheRead: 0 },
  ],
  ['cached tokens alone', { prompt_tokens_details: { cached_tokens: 5 } }, { cacheRead: 5 }],
  [
    'DeepSeek’s cache',
    { prompt_tokens: 10, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 },
    { input: 6, cacheRead: 4 },
  ],
  [
    'reasoning within the output',
    { input_tokens: 1, output_tokens: 9, total_tokens: 10, output_tokens_details: { reasoning_tokens: 9 } },
    { input: 1, output: 9, reasoning: 9 },
  ],
  [
    'reasoning beside the output',
    { prompt_tokens: 1, completion_tokens: 9, total_tokens: 17, completion_tokens_details: { reasoning_tokens: 7 } },
    { input: 1, output: 16, reasoning: 7 },
  ],
  [
    'more reasoning than output',
    { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 7 } },
    { input: 1, output: 9, reasoning: 7 },
  ],
  [
    'more reasoning than output, and a total of something else',
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 999, completion_tokens_details: { reasoning_tokens: 7 } },
    { input: 1, output: 9, reasoning: 7 },
  ],
  [
    'more reasoning than a total has room for',
    { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, completion_tokens_details: { reasoning_tokens: 7 } },
    { input: 1, output: 2, reasoning: 2 },
  ],
  [
    'Perplexity’s reasoning, which is in no total',
    { prompt_tokens: 108, completion_tokens: 3256, total_tokens: 3364, reasoning_tokens: 73_248 },
    { input: 108, output: 76_504, reasoning: 73_248 },
  ],
  ['counts that are none', { prompt_tokens: -1, completion_tokens: 0.5, total_tokens: '7.5' }, {}],
  [
    'counts that are text',
    { prompt_tokens: '300', completion_tokens: '20', prompt_tokens_details: { cached_tokens: '100' } },
    { input: 200, cacheRead: 100, output: 20 },
  ],
  [
    'counts of the responses wire that are text',
    { input_tokens: '300', output_tokens: '0', output_tokens_details: { reasoning_tokens: '0' } },
    { input: 300, output: 0, reasoning: 0 },
  ],
] as const)('reads %s', ([, usage, expected]) => {
  expect(counts(usage)).toEqual({ ...NO_TOKENS, ...expected })
})

test.for([
  '',
  ' 300',
  '300 ',
  '+300',
  '-300',
  '300.0',
  '3e2',
  '0x12c',
  '0300',
  '３００',
  '9007199254740992',
  '1'.repeat(400),
  'NaN',
])('a text that is not a whole number in bounds is not a count: %j', (text) => {
  expect(counts({ prompt_tokens: text, completion_tokens: text })).toEqual(NO_TOKENS)
})

test('a later report replaces an earlier one where it says something, and shrinks nothing', () => {
  const late = { prompt_tokens: 100, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 80 } }
  expect(counts({ prompt_tokens: 100, completion_tokens: 7 }, null, late, {})).toEqual({
    ...NO_TOKENS,
    input: 20,
    cacheRead: 80,
    output: 7,
  })
})

test('kinds never overlap and never make more input than was reported', () => {
  const count = fc.option(fc.nat(1_000))
  fc.assert(
    fc.property(fc.nat(1_000), count, count, (prompt_tokens, cached_tokens, cache_write_tokens) => {
      const { input, cacheRead, cacheWrite } = counts({
        prompt_tokens,
        prompt_tokens_details: { cached_tokens, cache_write_tokens },
      })
      expect(Number(input) + (cacheRead ?? 0) + (cacheWrite ?? 0)).toBe(prompt_tokens)
      expect(input).toBeGreaterThanOrEqual(0)
    }),
  )
})
