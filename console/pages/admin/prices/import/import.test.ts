import { describe, expect, test } from 'vitest'
import type { AuditEntryView } from '../../../../../src/contract/administration.ts'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { NO_PRICES } from '../../../../api/price-kinds.ts'
import { leftOutOf } from './catalogue-entry.ts'
import { comparePrices } from './compare-prices.ts'
import { readCatalogue } from './read-catalogue.ts'
import { changedFields, pastImports, requireTakeBack } from './take-back.ts'

const LITELLM = {
  sample_spec: { input_cost_per_token: 0, litellm_provider: 'one of them' },
  'gpt-5.5': {
    litellm_provider: 'openai',
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    cache_read_input_token_cost: 1.25e-7,
    input_cost_per_token_priority: 2.5e-6,
    output_cost_per_token_priority: 2e-5,
    max_input_tokens: 400_000,
    max_output_tokens: '128000',
  },
  'azure/gpt-5.5': { litellm_provider: 'azure', input_cost_per_token: 1.4e-6, output_cost_per_token: 1.1e-5 },
  'gemini-4-pro': {
    litellm_provider: 'gemini',
    input_cost_per_token: 7e-8,
    output_cost_per_token: 3e-7,
    input_cost_per_token_above_200k_tokens: 1.4e-7,
  },
  'no-price': { litellm_provider: 'openai', max_tokens: 5 },
}

const MODELS_DEV = {
  tollgate: {
    id: 'tollgate',
    models: {
      'glm-5': {
        cost: {
          input: 0.6,
          output: 2.2,
          tiers: [{ input: 1.2, output: 4.4, tier: { type: 'context', size: 200_001 } }],
        },
        limit: { context: 200_000, output: 0 },
        tollgate: { per_call: { web_search: '0.01' } },
      },
      old: { cost: { input: 1, output: 2, context_over_200k: { input: 2, output: 4 } } },
    },
  },
}

const read = (document: object) => {
  const found = readCatalogue(JSON.stringify(document))
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('a catalogue', () => {
  test('of LiteLLM is read with its prices of a million, long prompts and classes of service, to the digit', () => {
    const { form, entries } = read(LITELLM)
    expect(form).toBe('litellm')
    expect(entries).toEqual([
      {
        provider: 'openai',
        name: 'gpt-5.5',
        price: {
          input: '1.25',
          output: '10',
          cache_read: '0.125',
          service_tiers: { priority: { input: '2.5', output: '20', cache_read: '0.125' } },
        },
        contextTokens: 400_000,
        maxOutputTokens: 128_000,
        left: [],
      },
      {
        provider: 'azure',
        name: 'gpt-5.5',
        price: { input: '1.4', output: '11' },
        contextTokens: null,
        maxOutputTokens: null,
        left: [],
      },
      {
        provider: 'gemini',
        name: 'gemini-4-pro',
        price: { input: '0.07', output: '0.3', tiers: [{ above_input_tokens: 200_000, input: '0.14', output: '0.3' }] },
        contextTokens: null,
        maxOutputTokens: null,
        left: [],
      },
    ])
  })

  test('of models.dev or another Tollgate is read with what each has of its own', () => {
    const { form, entries } = read(MODELS_DEV)
    expect(form).toBe('tollgate')
    expect(entries.map(({ name, price, maxOutputTokens }) => [name, price, maxOutputTokens])).toEqual([
      [
        'glm-5',
        {
          input: '0.6',
          output: '2.2',
          tiers: [{ above_input_tokens: 200_000, input: '1.2', output: '4.4' }],
          per_call: { web_search: '0.01' },
        },
        null,
      ],
      ['old', { input: '1', output: '2', tiers: [{ above_input_tokens: 200_000, input: '2', output: '4' }] }, null],
    ])
    expect(read({ openai: { models: { a: { cost: { input: 1, output: 1 } } } } }).form).toBe('models_dev')
  })

  test('has the price of reasoning, tiers and fees, and says what it has beside that', () => {
    const fees = { search_context_size_low: 0.01, search_context_size_high: 0.025 }
    const { entries, unpriced } = read({
      thinker: {
        litellm_provider: 'dashscope',
        tiered_pricing: [
          {
            range: [0, 32_000],
            input_cost_per_token: 4e-7,
            output_cost_per_token: 1.2e-6,
            output_cost_per_reasoning_token: 4e-6,
          },
          {
            range: [32_000, 64_000],
            input_cost_per_token: 8e-7,
            output_cost_per_token: 2.4e-6,
            output_cost_per_reasoning_token: 8e-6,
          },
        ],
        search_context_cost_per_query: fees,
        cost_per_mood: 1,
      },
      reader: { litellm_provider: 'mistral', ocr_cost_per_page: 0.001 },
    })
    expect(entries).toEqual([
      {
        provider: 'dashscope',
        name: 'thinker',
        price: {
          input: '0.4',
          output: '1.2',
          reasoning_output: '4',
          tiers: [{ above_input_tokens: 32_000, input: '0.8', output: '2.4', reasoning_output: '8' }],
          per_call: { web_search: '0.025' },
        },
        contextTokens: null,
        maxOutputTokens: null,
        left: [{ field: 'cost_per_mood', because: 'unknown', isDearer: true }],
      },
    ])
    expect(unpriced.map(({ name, left }) => [name, left])).toEqual([
      ['reader', [{ field: 'ocr_cost_per_page', because: 'not_counted', isDearer: true }]],
    ])
    expect(leftOutOf({ entries, unpriced })).toEqual([
      { because: 'unknown', count: 1, fields: ['cost_per_mood'] },
      { because: 'not_counted', count: 1, fields: ['ocr_cost_per_page'] },
    ])
  })

  test('of models.dev has the price of reasoning where it is another, and names what is not known', () => {
    const models = {
      same: { cost: { input: 1, output: 2, reasoning: 2 } },
      other: { cost: { input: 1, output: 2, reasoning: 6, output_video: 3, input_video: 0 } },
    }
    const { entries } = read({ openai: { models } })
    expect(entries.map(({ price, left }) => [price, left])).toEqual([
      [{ input: '1', output: '2' }, []],
      [
        { input: '1', output: '2', reasoning_output: '6' },
        [{ field: 'cost.output_video', because: 'unknown', isDearer: true }],
      ],
    ])
  })

  test.each([
    ['{"a":', 'no_json'],
    ['[1,2]', 'unknown_form'],
    ['{"a":{"b":1}}', 'unknown_form'],
    ['{"a":{"litellm_provider":"x"}}', 'no_prices'],
    ['{"a":{"litellm_provider":"x","input_cost_per_token":-1}}', 'no_prices'],
  ])('that cannot be used is refused: %s', (text, problem) => {
    expect(readCatalogue(text)).toBe(problem)
  })
})

describe('models beside a catalogue', () => {
  const { entries } = read(LITELLM)
  const compared = (models: readonly ModelView[], provider = '', hasLimits = true) =>
    comparePrices(models, entries, { provider, hasLimits })
  const heldOf = (over: Partial<ModelView>) => compared([model('gpt-5.5', over)], 'openai').rows.map(({ held }) => held)

  test('are matched by their whole name, or that of all their targets, never by how one begins', () => {
    const models = [
      model('gpt-5.5-mini', {}),
      model('gpt-5', {}),
      model('ours', { targets: [target('gemini-4-pro')] }),
      model('two', { targets: [target('gemini-4-pro'), target('gpt-5.5')] }),
      model('gpt-5.5', {}),
    ]
    const all = compared(models)
    expect(all.missing).toEqual(['gpt-5.5-mini', 'gpt-5', 'two'])
    expect(all.rows.map((row) => [row.model.name, row.held])).toEqual([['ours', ['far', 'alias']]])
    expect(all.ambiguous).toEqual(['gpt-5.5'])
    const [azure] = compared(models, 'azure').rows
    expect(azure?.price).toMatchObject({ input: '1.4' })
  })

  test('keep what the catalogue does not name', () => {
    const [row] = compared(
      [model('gpt-5.5', { price: priced({ input: '1', cache_write: '3', per_call: { web_search: '0.01' } }) })],
      'openai',
    ).rows
    expect(row?.price).toEqual({
      input: '1.25',
      output: '10',
      cache_read: '0.125',
      cache_write: '3',
      per_call: { web_search: '0.01' },
      service_tiers: { priority: { input: '2.5', output: '20', cache_read: '0.125' } },
    })
    expect(row?.changes.map(({ field, before, after }) => `${field} ${before} ${after}`)).toEqual([
      'input 1 1.25',
      'cache_read null 0.125',
      'context_tokens null 400000',
      'max_output_tokens null 128000',
    ])
    expect(row?.held).toEqual([])
  })

  test('keep classes of service, places and fees that the catalogue does not name beside those that it does', () => {
    const own = { service_tiers: { fast: { factor: '2' } }, per_call: { image_generation: '0.2', web_search: '0.01' } }
    const catalogue = read({
      m: {
        litellm_provider: 'x',
        input_cost_per_token: 1e-6,
        output_cost_per_token: 1e-5,
        input_cost_per_token_flex: 5e-7,
        output_cost_per_token_flex: 5e-6,
        search_context_cost_per_query: { search_context_size_low: 0.025 },
      },
    })
    const models = [model('m', { price: priced(own) })]
    const [row] = comparePrices(models, catalogue.entries, { provider: '', hasLimits: true }).rows
    expect(row?.price).toMatchObject({
      service_tiers: { fast: { factor: '2' }, flex: { input: '0.5', output: '5' } },
      per_call: { image_generation: '0.2', web_search: '0.025' },
    })
    const same = model('m', { price: row?.price as ModelView['price'] })
    expect(comparePrices([same], catalogue.entries, { provider: '', hasLimits: true })).toMatchObject({
      rows: [],
      same: 1,
    })
  })

  test('are held back where a dearer part of the price has no counterpart, and named where the rest is the same', () => {
    const { entries: all } = read({
      m: { input_cost_per_token: 2e-6, output_cost_per_token: 1e-5, citation_cost_per_token: 1e-6 },
    })
    const comparison = { provider: '', hasLimits: true }
    expect(comparePrices([model('m', {})], all, comparison).rows.map(({ held }) => held)).toEqual([['partial']])
    expect(comparePrices([model('m', { price: priced({ input: '2' }) })], all, comparison)).toMatchObject({
      rows: [],
      same: 1,
      partial: ['m'],
    })
  })

  test('have their limits left alone for who may change prices alone', () => {
    const [row] = compared([model('gpt-5.5', { context_tokens: 1_000_000 })], 'openai', false).rows
    expect([row?.limits, row?.held]).toEqual([{}, []])
    const same = model('gpt-5.5', { price: row?.price as ModelView['price'] })
    expect(compared([same], 'openai', false)).toMatchObject({ rows: [], same: 1 })
  })

  test('are held back where a price begins, meets zero, moves threefold, or a limit shrinks', () => {
    expect(heldOf({ price: null })).toEqual([['first']])
    expect(heldOf({ price: priced({ input: '0' }) })).toEqual([['zero']])
    expect(heldOf({ price: priced({ input: '3.75' }) })).toEqual([['far']])
    expect(heldOf({ price: priced({ input: '3.74' }) })).toEqual([[]])
    expect(heldOf({ context_tokens: 1_000_000 })).toEqual([['limit']])
    expect(compared([model('gpt-5.5', { managed: true })], 'openai')).toMatchObject({ rows: [], managed: ['gpt-5.5'] })
    expect(compared([model('gpt-5.5', { price_locked: true })], 'openai')).toMatchObject({
      rows: [],
      locked: ['gpt-5.5'],
    })
  })
})

describe('an import', () => {
  const [before, after] = [model('a', {}), model('a', { price: priced({ input: '2' }), context_tokens: 9 })]
  const changes = {
    price: { before: before.price, after: after.price },
    context_tokens: { before: null, after: 9 },
    import_id: { before: null, after: 'imp_1' },
  }
  const entry = {
    id: 'aud_1',
    subject: 'a',
    created_at: 'then',
    actor_email: 'ada',
    changes,
  } as unknown as AuditEntryView
  const standing = (now: ModelView) => pastImports([entry], [now]).map(({ models }) => models)

  test('is known with all that it changed, as long as nothing else was changed since', () => {
    const known = { id: 'a', name: 'a', ...changedFields(before, after) }
    expect(known.before).toMatchObject({ price: { input: '1' }, context_tokens: null })
    expect(standing(after)).toEqual([[known]])
    expect(standing({ ...after, context_tokens: 10 })).toEqual([[]])
    expect(standing(before)).toEqual([[]])
  })

  test('is taken back whole, or not at all', () => {
    const [[imported] = []] = standing(after)
    if (imported === undefined) throw new Error('it is not standing')
    requireTakeBack(imported, after, true)
    expect(() => requireTakeBack(imported, after, false)).toThrow('limits')
    expect(() => requireTakeBack(imported, before, true)).toThrow('changed')
  })
})

function priced(over: Partial<NonNullable<ModelView['price']>>): NonNullable<ModelView['price']> {
  return {
    ...NO_PRICES,
    input: '1',
    output: '10.0',
    ...over,
  }
}

function target(name: string) {
  return {
    upstream: 'main',
    model: name,
    priority: 0,
    weight: 1,
    groups: [],
    cost: null,
    min_margin: null,
    spend_per_day: null,
    shadow: [],
    drop_fields: [],
    fields_like: null,
    rules: {},
  }
}

function model(name: string, over: Partial<ModelView>): ModelView {
  return {
    id: name,
    name,
    price: priced({}),
    context_tokens: null,
    max_output_tokens: null,
    kind: 'chat',
    kind_from: 'default',
    abilities: [],
    recommended: false,
    price_locked: false,
    protocols: [],
    available: true,
    groups: [],
    keys: [],
    endpoints: null,
    first_event_timeout_ms: null,
    idle_timeout_ms: null,
    timeout_ms: null,
    hedge_after_ms: null,
    rules: {},
    managed: false,
    ...over,
  }
}
