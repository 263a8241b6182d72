import { describe, expect, test } from 'vitest'
import { readCatalogue } from '../../console/pages/admin/prices/import/read-catalogue.ts'
import { price as declaredPrice } from '../../src/app/declarative/price-fields.ts'
import { callsMade } from '../../src/core/calls.ts'
import { formatUsd, ONE_PPM } from '../../src/core/money.ts'
import type { ModelPrices } from '../../src/core/price-rules.ts'
import { NO_TERMS } from '../../src/core/terms.ts'
import { NO_TOKENS, type TokenCounts } from '../../src/core/tokens.ts'
import { appliedPrices } from '../../src/metering/prices/applied-prices.ts'
import { costOf } from '../../src/metering/prices/cost.ts'
import { dearestPrices } from '../../src/metering/prices/dearest-prices.ts'
import { formatExactUsd, formatLinePrice, priceLines } from '../../src/metering/prices/price-lines.ts'

/** Entries as LiteLLM 1.109.1 lists them. */
const LISTED = {
  'dashscope/qwen-plus': {
    litellm_provider: 'dashscope',
    mode: 'chat',
    tiered_pricing: [
      {
        range: [0, 256000],
        input_cost_per_token: 4e-7,
        output_cost_per_token: 1.2e-6,
        output_cost_per_reasoning_token: 4e-6,
      },
      {
        range: [256000, 1000000],
        input_cost_per_token: 1.2e-6,
        output_cost_per_token: 3.6e-6,
        output_cost_per_reasoning_token: 1.2e-5,
      },
    ],
  },
  'gpt-4.1': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 2e-6,
    output_cost_per_token: 8e-6,
    cache_read_input_token_cost: 5e-7,
    input_cost_per_token_priority: 3.5e-6,
    output_cost_per_token_priority: 1.4e-5,
    cache_read_input_token_cost_priority: 8.75e-7,
    search_context_cost_per_query: { search_context_size_high: 0.025, search_context_size_low: 0.025 },
  },
  'perplexity/sonar-deep-research': {
    litellm_provider: 'perplexity',
    mode: 'chat',
    input_cost_per_token: 2e-6,
    output_cost_per_token: 8e-6,
    output_cost_per_reasoning_token: 3e-6,
    search_context_cost_per_query: { search_context_size_high: 0.005 },
  },
}

function pricesOf(name: string): ModelPrices {
  const catalogue = readCatalogue(JSON.stringify(LISTED))
  if (typeof catalogue === 'string') throw new Error(catalogue)
  const entry = catalogue.entries.find((each) => each.name === name)
  return declaredPrice.parse(entry?.price)
}

interface Sum {
  readonly name: string
  readonly counts: Partial<TokenCounts>
  readonly tier?: string
  /** Worked out by hand, from the prices above. */
  readonly usd: string
}

describe('a request at imported prices', () => {
  test.for<Sum>([
    // 1,000 × 0.4 + 400 × 1.2 + 600 × 4, of a million
    { name: 'qwen-plus', counts: { input: 1000, output: 1000, reasoning: 600 }, usd: '0.00328' },
    { name: 'qwen-plus', counts: { input: 1000, output: 1000, reasoning: 0 }, usd: '0.0016' },
    { name: 'qwen-plus', counts: { input: 1000, output: 1000, reasoning: null }, usd: '0.0016' },
    // More reasoning than output: all of the output is reasoning, and no more.
    { name: 'qwen-plus', counts: { input: 0, output: 1000, reasoning: 1_000_000 }, usd: '0.004' },
    // Exactly the threshold, and one more: 256,001 × 1.2 + 40 × 3.6 + 60 × 12
    { name: 'qwen-plus', counts: { input: 256_000, output: 100, reasoning: 60 }, usd: '0.102688' },
    { name: 'qwen-plus', counts: { input: 256_001, output: 100, reasoning: 60 }, usd: '0.3080652' },
    // 10 × 2 + 5 × 8 of a million, and three searches
    { name: 'gpt-4.1', counts: { input: 10, output: 5, calls: { web_search: 3 } }, usd: '0.07506' },
    // 10 × 3.5 + 90 × 0.875 + 5 × 14, and the fee as it is
    {
      name: 'gpt-4.1',
      counts: { input: 10, cacheRead: 90, output: 5, calls: { web_search: 1 } },
      tier: 'priority',
      usd: '0.02518375',
    },
    // Reasoning that is cheaper: 100 × 2 + 200 × 8 + 800 × 3, and 18 searches
    {
      name: 'sonar-deep-research',
      counts: { input: 100, output: 1000, reasoning: 800, calls: { web_search: 18 } },
      usd: '0.0942',
    },
  ])('to $name of $counts costs $usd', ({ name, counts, tier = null, usd }) => {
    const tokens = {
      ...NO_TOKENS,
      ...counts,
      ...(counts.calls === undefined ? {} : { calls: callsMade(counts.calls) ?? {} }),
    }
    const terms = { tier, geo: null }
    const { prices } = appliedPrices(pricesOf(name), tokens, { asked: terms, named: terms })
    expect(formatUsd(costOf(tokens, prices, ONE_PPM))).toBe(usd)
  })

  test('that was left while the model thought costs no less than its thinking', () => {
    const tokens = { ...NO_TOKENS, input: 1000, output: 1000 }
    const counted = { asked: NO_TERMS, named: NO_TERMS, isOutputCounted: true } as const
    const cost = (name: string) =>
      formatUsd(costOf(tokens, appliedPrices(pricesOf(name), tokens, counted).prices, ONE_PPM))
    expect(cost('qwen-plus')).toBe('0.0044')
    expect(cost('sonar-deep-research')).toBe('0.01')
  })

  test('is explained with its reasoning in a line of its own', () => {
    const prices = pricesOf('qwen-plus')
    const lines = priceLines({ ...NO_TOKENS, input: 1000, output: 1000, reasoning: 600 }, prices, ONE_PPM)
    expect(lines.map((line) => [line.kind, line.count, formatLinePrice(line), formatExactUsd(line.exact)])).toEqual([
      ['input', 1000, '0.4', '0.0004'],
      ['output', 400, '1.2', '0.00048'],
      ['reasoning_output', 600, '4', '0.0024'],
    ])
  })

  test('has all of its output held at the dearer of both prices', () => {
    const held = (name: string, inputTokens: number) => {
      const { output } = dearestPrices(pricesOf(name), { inputTokens, asked: NO_TERMS })
      return output === null ? null : formatUsd(output)
    }
    expect(held('qwen-plus', 1000)).toBe('4')
    expect(held('qwen-plus', 300_000)).toBe('12')
    expect(held('sonar-deep-research', 1000)).toBe('8')
  })
})
