import { expect, test } from 'vitest'
import { priceListIn } from './fetch-prices.ts'

const RATE = 0.000001

test('of a list in the form of LiteLLM, provider, costs and limits of tokens are kept, whatever their kind', () => {
  const kept = {
    litellm_provider: 'x',
    input_cost_per_token: RATE,
    output_cost_per_token: RATE,
    cache_read_input_token_cost: RATE,
    cache_creation_input_token_cost: RATE,
    cache_creation_input_token_cost_above_1hr: RATE,
    input_cost_per_audio_token: RATE,
    output_cost_per_audio_token: RATE,
    input_cost_per_image_token: RATE,
    input_cost_per_request: RATE,
    output_cost_per_image: RATE,
    input_cost_per_second: RATE,
    output_cost_per_token_above_200k_tokens: RATE,
    cache_read_input_token_cost_above_200k_tokens: RATE,
    input_cost_per_token_batches: RATE,
    cache_read_input_token_cost_priority: RATE,
    mode: 'chat',
    web_search_billing_unit: 'per_query',
    search_context_cost_per_query: { search_context_size_low: 1 },
    tiered_pricing: [{ range: [0, 1000], input_cost_per_token: RATE }],
    ocr_cost_per_page: RATE,
    max_input_tokens: 9000,
    max_output_tokens: '100',
  }
  const list = {
    sample_spec: kept,
    m: { ...kept, source: 'https://a.test', rules: { low: 1 } },
    other: { password: 'x' },
  }
  expect(priceListIn(list)).toEqual({ sample_spec: kept, m: kept })
})

test('of what stands under the name of a price, amounts alone are kept', () => {
  const deep = { a: { b: { c: { d: 1 } } } }
  const list = {
    m: {
      litellm_provider: 'x',
      mode: { a: 1 },
      some_cost: 'hunter2',
      off_peak_pricing: { windows: ['secret'] },
      deep_cost: deep,
    },
  }
  expect(priceListIn(list)).toEqual({
    m: {
      litellm_provider: 'x',
      some_cost: '?',
      off_peak_pricing: { windows: ['?'] },
      deep_cost: { a: { b: { c: '?' } } },
    },
  })
})

test('of one in the form of models.dev, the cost and the limits of each model are kept, and what a Tollgate adds', () => {
  const kept = { cost: { input: 1, tiers: [{ input: 2 }] }, limit: { context: 9 }, tollgate: { per_call: {} } }
  const list = {
    x: { env: ['KEY'], models: { m: { ...kept, name: 'M' }, free: { name: 'F' } } },
    y: { doc: 'https://' },
  }
  expect(priceListIn(list)).toEqual({ x: { models: { m: kept } }, y: { models: {} } })
})

test.each([null, 'text', 7, [{ models: 1 }], {}, { a: { b: 1 } }, { a: [{ litellm_provider: 'x' }] }])(
  'it is in neither form: %j',
  (document) => {
    expect(priceListIn(document)).toBeNull()
  },
)
