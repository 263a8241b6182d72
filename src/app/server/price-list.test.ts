import { expect, test } from 'vitest'
import { priceListIn } from './price-list.ts'

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
    max_input_tokens: 9000,
    max_output_tokens: '100',
  }
  const list = {
    sample_spec: kept,
    m: { ...kept, mode: 'chat', source: 'https://a.test', search_cost_per_query: { low: 1 } },
    other: { password: 'x' },
  }
  expect(priceListIn(list)).toEqual({ sample_spec: kept, m: kept })
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
