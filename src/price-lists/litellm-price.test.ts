import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isPriceField, meaningOf } from './litellm-fields.ts'
import { readLitellmPrice } from './litellm-price.ts'

interface Form {
  readonly field: string
  readonly model: string
  readonly value: unknown
  /** What of its model a price depends on. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** Every field about money in the list of LiteLLM 1.109.1, with the model of it that has one: 4,552 models have these 170. */
const FORMS = JSON.parse(
  await readFile(new URL('../../test/fixtures/price-lists/litellm-fields.json', import.meta.url), 'utf8'),
) as readonly Form[]

const PLAIN = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }

function isZero(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.values(value).every(isZero) : value === 0
}

describe('the list of LiteLLM', () => {
  test('has no field about money that is not known here', () => {
    expect(FORMS).toHaveLength(170)
    const strange = FORMS.filter(({ field }) => {
      const meaning = meaningOf(field)
      return !isPriceField(field) || (meaning.kind === 'left' && meaning.because === 'unknown')
    })
    expect(strange.map(({ field }) => field)).toEqual([])
  })

  test.each(FORMS.filter(({ value }) => !isZero(value)))(
    '$field is read or named',
    ({ field, model, value, beside }) => {
      const without = readLitellmPrice(model, beside)
      const { left, ...price } = readLitellmPrice(model, { ...beside, [field]: value })
      const isNamed = left.some((each) => each.field === field)
      const { left: none, ...before } = without
      expect(none.filter((each) => each.field === field)).toEqual([])
      expect(isNamed || !isDeepStrictEqual(price, before) || isRepeated(field, value, beside)).toBe(true)
    },
  )

  /** A price that another field of the example has already, such as reasoning at the price of other output. */
  function isRepeated(field: string, value: unknown, beside: Form['beside']): boolean {
    return field === 'output_cost_per_reasoning_token' && value === beside['output_cost_per_token']
  }

  test.each([
    ['input_cost_per_hop', 0.5],
    ['output_cost_per_token_above_200k_tokens_turbo', 3e-6],
    ['quantum_pricing', { a: 1 }],
    ['session_fee', 2],
    ['weekend_multiplier', 1.5],
  ])('a field of a later version is named and not dropped: %s', (field, value) => {
    const { left } = readLitellmPrice('m', { ...PLAIN, [field]: value })
    expect(left).toEqual([{ field, because: 'unknown', isDearer: true }])
  })

  test.each([-1, 'free', Number.NaN, true, [1]])('a price that is not an amount is named: %j', (value) => {
    const { amounts, left } = readLitellmPrice('m', { ...PLAIN, cache_read_input_token_cost: value })
    expect(left).toEqual([{ field: 'cache_read_input_token_cost', because: 'unreadable', isDearer: true }])
    expect(amounts).not.toHaveProperty('cache_read')
  })
})

/** Prices of a million, as numbers. */
function shown(name: string, fields: Readonly<Record<string, unknown>>) {
  const { amounts, tiers, services, calls, left, places } = readLitellmPrice(name, fields)
  const of = (all: object): Record<string, number> =>
    Object.fromEntries(
      Object.entries(all as Record<string, { usd: number; of: number }>).map(([kind, { usd: each, of: many }]) => [
        kind,
        Number((each * many).toPrecision(12)),
      ]),
    )
  return {
    amounts: of(amounts),
    tiers: tiers.map((tier) => [tier.above, of(tier.amounts)]),
    services: Object.fromEntries(
      Object.entries(services).map(([service, own]) => [
        service,
        'factor' in own ? own : [of(own.amounts), own.tiers.map((tier) => [tier.above, of(tier.amounts)])],
      ]),
    ),
    places,
    calls: of(calls),
    left: left.map(({ field, because, isDearer }) => `${field} ${because}${isDearer ? ' dearer' : ''}`),
  }
}

describe('a model of the list', () => {
  // BerriAI/litellm#30346 and #34729, anomalyco/opencode#24231, comet-ml/opik#7777.
  test('has its reasoning and its tiers by the whole length of the prompt', () => {
    const range = (from: number, to: number, prices: object) => ({ range: [from, to], ...prices })
    const fields = {
      litellm_provider: 'dashscope',
      mode: 'chat',
      tiered_pricing: [
        range(0, 256_000, {
          input_cost_per_token: 4e-7,
          output_cost_per_token: 1.2e-6,
          output_cost_per_reasoning_token: 4e-6,
        }),
        range(256_000, 1e6, {
          input_cost_per_token: 1.2e-6,
          output_cost_per_token: 3.6e-6,
          output_cost_per_reasoning_token: 1.2e-5,
        }),
      ],
    }
    expect(shown('dashscope/qwen-plus-latest', fields)).toMatchObject({
      amounts: { input: 0.4, output: 1.2, reasoning_output: 4 },
      tiers: [[256_000, { input: 1.2, output: 3.6, reasoning_output: 12 }]],
      left: [],
    })
    expect(shown('m', { ...PLAIN, output_cost_per_reasoning_token: 2e-6 }).amounts).toEqual({ input: 1, output: 2 })
    expect(shown('m', { ...PLAIN, tiered_pricing: [{ input_cost_per_token: 1 }] }).left).toEqual([
      'tiered_pricing unreadable dearer',
    ])
    const strange = [range(0, 9, { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6, cost_per_smile: 1 })]
    expect(shown('m', { tiered_pricing: strange }).left).toEqual(['tiered_pricing.cost_per_smile unknown dearer'])
  })

  // BerriAI/litellm#30450, maximhq/bifrost#5084: cache writes and long prompts of a class cost what that class costs.
  test('has all prices of a class of service, for long prompts too; what the class has none for costs what it costs plainly', () => {
    const fields = {
      ...PLAIN,
      cache_read_input_token_cost: 1e-7,
      cache_creation_input_token_cost: 1.25e-6,
      input_cost_per_token_above_272k_tokens: 2e-6,
      output_cost_per_token_above_272k_tokens: 3e-6,
      input_cost_per_token_priority: 2e-6,
      output_cost_per_token_priority: 4e-6,
      cache_creation_input_token_cost_priority: 2.5e-6,
      input_cost_per_token_above_272k_tokens_priority: 4e-6,
      output_cost_per_token_above_272k_tokens_priority: 6e-6,
      input_cost_per_token_flex: 5e-7,
      output_cost_per_token_flex: 1e-6,
    }
    const { tiers, services } = shown('m', fields)
    expect(tiers).toEqual([[272_000, { input: 2, output: 3, cache_read: 0.1, cache_write: 1.25 }]])
    expect(services).toEqual({
      priority: [
        { input: 2, output: 4, cache_read: 0.1, cache_write: 2.5 },
        [[272_000, { input: 4, output: 6, cache_read: 0.1, cache_write: 2.5 }]],
      ],
      // Without prices of its own for long prompts it is not sold below what they cost plainly.
      flex: [
        { input: 0.5, output: 1, cache_read: 0.1, cache_write: 1.25 },
        [[272_000, { input: 2, output: 3, cache_read: 0.1, cache_write: 1.25 }]],
      ],
    })
  })

  test('costs no less for a longer prompt, as a price here must', () => {
    const fields = {
      ...PLAIN,
      input_cost_per_token_flex: 5e-7,
      output_cost_per_token_above_200k_tokens: 1e-6,
      output_cost_per_token_above_272k_tokens_flex: 1.5e-6,
      input_cost_per_token_above_272k_tokens_flex: 1e-6,
    }
    expect(shown('m', fields)).toMatchObject({
      tiers: [],
      services: { flex: [{ input: 0.5, output: 2 }, [[272_000, { input: 1, output: 2 }]]] },
    })
  })

  // BerriAI/litellm#16996 and #39610, ding113/claude-code-hub#663.
  test.each([
    ['openai', {}, { web_search: 0.03 }],
    ['gemini', {}, { grounded_prompt: 0.03 }],
    ['gemini', { web_search_billing_unit: 'per_query' }, { web_search: 0.03 }],
    ['vertex_ai-anthropic_models', {}, { web_search: 0.03 }],
  ])('of %s with %j has its fee for searches, at the largest size', (provider, beside, calls) => {
    const sizes = { search_context_size_low: 0.01, search_context_size_medium: 0.02, search_context_size_high: 0.03 }
    const fields = { ...PLAIN, ...beside, litellm_provider: provider, search_context_cost_per_query: sizes }
    expect(shown('m', fields)).toMatchObject({ calls, left: [] })
  })

  test('has the fees for files, code and maps, and factors of places and classes', () => {
    const fees = {
      ...PLAIN,
      file_search_cost_per_1k_calls: 2.5,
      code_interpreter_cost_per_session: 0.03,
      google_maps_grounding_cost_per_query: 0.025,
      vector_store_cost_per_gb_per_day: 0.1,
      provider_specific_entry: { us: 1.1, fast: 2, note: 'x' },
    }
    expect(shown('m', fees)).toMatchObject({
      calls: { file_search: 0.0025, code_interpreter: 0.03, maps_grounding: 0.025 },
      services: { fast: { factor: 2 } },
      places: { us: 1.1 },
      left: ['vector_store_cost_per_gb_per_day stored'],
    })
  })

  test('of Perplexity that searches with every request costs that by the request', () => {
    const fields = {
      ...PLAIN,
      litellm_provider: 'perplexity',
      search_context_cost_per_query: { low: 0.005, high: 0.012 },
    }
    expect(shown('perplexity/sonar', fields)).toMatchObject({ amounts: { per_request: 0.012 }, calls: {} })
    expect(shown('perplexity/sonar-deep-research', fields)).toMatchObject({ calls: { web_search: 0.012 } })
  })

  // BerriAI/litellm#17410, MiXaiLL76/auto_ai_router#134.
  test('that draws pictures by the token costs what these cost, and not the picture beside', () => {
    const fields = {
      ...PLAIN,
      output_cost_per_image_token: 3e-5,
      output_cost_per_image: 0.039,
      output_cost_per_token_flex: 1e-6,
    }
    expect(shown('m', { ...fields, mode: 'image_generation' })).toMatchObject({
      amounts: { input: 1, output: 30, reasoning_output: 2 },
      services: { flex: [{ output: 30, reasoning_output: 2 }, []] },
      left: ['output_cost_per_image other_unit'],
    })
    expect(shown('m', fields)).toMatchObject({
      amounts: { input: 1, output: 2 },
      left: expect.arrayContaining(['output_cost_per_image_token no_price_apart dearer']),
    })
  })

  test.each([
    ['rerank', 'input_cost_per_query', 0.002, { per_request: 0.002 }],
    ['audio_transcription', 'input_cost_per_second', 0.0001, { per_second: 0.0001 }],
    ['audio_speech', 'input_cost_per_character', 1.5e-5, { per_million_characters: 15 }],
    ['image_generation', 'output_cost_per_image', 0.04, { per_image: 0.04 }],
  ])('for %s has its unit: %s', (...[mode, field, value, amounts]) => {
    expect(shown('m', { litellm_provider: 'x', mode, [field]: value })).toMatchObject({ amounts, left: [] })
  })

  // theopenco/llmgateway#514, BerriAI/litellm#34902: a price that nothing is counted for would charge nothing, without a word.
  test.each([
    ['video_generation', 'output_cost_per_second', 0.1],
    ['chat', 'input_cost_per_second', 0.01],
    ['search', 'input_cost_per_query', 0.005],
    ['ocr', 'ocr_cost_per_page', 0.001],
    ['embedding', 'input_cost_per_character', 1e-7],
  ])('for %s names what is not counted: %s', (mode, field, value) => {
    expect(shown('m', { litellm_provider: 'x', mode, [field]: value })).toMatchObject({
      amounts: {},
      left: [`${field} not_counted dearer`],
    })
  })

  test('without a plain price has no other, and each is named', () => {
    const { amounts, services, left } = shown('m', { input_cost_per_token: 1e-6, output_cost_per_token_batches: 1e-6 })
    expect([amounts, services, left]).toEqual([{ input: 1 }, {}, ['output_cost_per_token_batches unreadable dearer']])
  })

  test('that only reads has an output for nothing', () => {
    expect(shown('m', { mode: 'embedding', input_cost_per_token: 1e-7 }).amounts).toEqual({ input: 0.1, output: 0 })
  })
})
