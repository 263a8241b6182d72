import { describe, expect, test } from 'vitest'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { ImportNotes, type Acceptable, type ListPrices } from '../import-plan.ts'
import { oneApiPricesIn } from './one-api-prices.ts'
import { pricesIn } from './prices.ts'

function priced(
  name: string,
  options: Readonly<Record<string, unknown>>,
  about: {
    pricing?: unknown
    accepted?: readonly Acceptable[]
    servedAs?: readonly ServedAs[]
    catalogue?: ListPrices
  } = {},
) {
  const notes = new ImportNotes()
  const { pricing = null, accepted = [], servedAs, catalogue = null } = about
  const settings = {
    accepted: new Set(accepted),
    negative: null,
    admins: 'keep',
    pricing,
    catalogue,
    oidcIssuer: null,
    nowMs: 0,
  } as const
  const written = new Map(Object.entries(options).map(([key, value]) => [key, JSON.stringify(value)]))
  const prices =
    servedAs === undefined
      ? pricesIn(written, { settings, notes })(name)
      : oneApiPricesIn(written, { served: servedAs.map(servedBy), settings, notes })(name)
  return {
    ...(prices === null ? { prices, other: null, request: null } : shown(prices)),
    inexact: notes.approximations,
    said: notes.notes.map(({ what }) => what).join('; '),
  }
}

interface ServedAs {
  readonly name: string
  /** The model as its provider is asked. */
  readonly model?: string
  /** The type of its channel. */
  readonly type?: string
}

function servedBy({ name, model = name, type = '1' }: ServedAs) {
  const target = { upstream: 'u', model, priority: 0, weight: 1, groups: ['default'], costFactor: null }
  return { name, type, target }
}

/** Prices of one-api, where nothing but the name is of interest. */
function oneApi(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
  servedAs: readonly ServedAs[] = [{ name }],
) {
  return priced(name, options, { servedAs })
}

function shown(prices: ModelPrices) {
  const usd = (amount: bigint | null | undefined) => (amount == null ? null : formatUsd(nanoUsd(amount)))
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, other, units } = prices
  return {
    prices: [input, output, cacheRead, cacheWrite, cacheWrite1h].map(usd),
    other: [other?.imageInput, other?.audioInput, other?.audioOutput].map(usd),
    request: units?.request ?? null,
  }
}

const PLAIN = { ModelRatio: { house: 1.25, 'gpt-4o': 1.25 }, CompletionRatio: { house: 4, 'gpt-4o': 4 } }

test('ratios of cached input, pictures and sound are those of the source, and the standard where it has none', () => {
  const options = {
    ...PLAIN,
    CacheRatio: { house: 0.1 },
    CreateCacheRatio: {},
    ImageRatio: { house: 5 },
    AudioRatio: { house: 16 },
    AudioCompletionRatio: { house: 2 },
  }
  expect(priced('house', options)).toMatchObject({
    prices: ['2.5', '10', '0.25', '3.125', '5'],
    other: ['12.5', '40', '80'],
    said: '',
  })
  expect(priced('house', { ...PLAIN, QuotaPerUnit: 1_000_000 }).prices).toEqual(['1.25', '5', null, '1.5625', '2.5'])
})

test('a ratio of cached input that may be built into the source is asked for, and not taken for none', () => {
  const known = { ...PLAIN, CompletionRatio: { 'gpt-4o': 4 } }
  const accepted = ['completion-ratio'] as const
  expect(priced('gpt-4o', known, { accepted })).toMatchObject({
    prices: null,
    said: expect.stringContaining('have no cache ratio that is sure'),
  })
  expect(priced('gpt-4o', known, { accepted: ['completion-ratio', 'built-in-ratio'] }).prices).toEqual([
    '2.5',
    '10',
    null,
    '3.125',
    '5',
  ])
  expect(priced('gpt-4o', { ...known, CacheRatio: {}, CreateCacheRatio: {} }, { accepted }).prices).toHaveLength(5)
  expect(priced('house-image-1', { ModelRatio: { 'house-image-1': 1 }, CompletionRatio: {} })).toMatchObject({
    prices: null,
    said: expect.stringContaining('no image ratio'),
  })
})

test('what the running site says of its ratios is charged, whichever of its two answers it is', () => {
  const model = { quota_type: 0, model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5, audio_ratio: 16 }
  const listed = {
    data: [
      { ...model, model_name: 'gpt-4o', create_cache_ratio: 1.25, image_ratio: 3, audio_completion_ratio: 2 },
      { quota_type: 0, model_ratio: 1, completion_ratio: 2, model_name: 'gpt-5-other' },
      { quota_type: 1, model_price: 0.04, model_ratio: 0, model_name: 'pictures' },
    ],
  }
  expect(priced('gpt-4o', {}, { pricing: listed })).toMatchObject({
    prices: ['2.5', '10', '1.25', '3.125', '5'],
    other: ['7.5', '40', '80'],
    said: '',
  })
  // The site says these ratios, and none of this model: it is charged the standard.
  expect(priced('gpt-5-other', {}, { pricing: listed })).toMatchObject({
    prices: ['2', '4', null, '2.5', '4'],
    said: '',
  })
  expect(priced('pictures', {}, { pricing: listed }).request).not.toBeNull()
  const maps = { model_ratio: { 'gpt-4o': 1.25 }, completion_ratio: { 'gpt-4o': 4 }, cache_ratio: { 'gpt-4o': 0.5 } }
  const said = priced('gpt-4o', {}, { pricing: { data: maps } })
  expect(said).toMatchObject({ prices: null, said: expect.stringContaining('no create cache ratio') })
  const all = { ...maps, create_cache_ratio: {} }
  expect(priced('gpt-4o', {}, { pricing: { data: all } }).prices).toEqual(['2.5', '10', '1.25', '3.125', '5'])
})

test('one-api charges cached input as other input, and asks for no ratio of it', () => {
  expect(oneApi('gpt-4o', PLAIN)).toMatchObject({ prices: ['2.5', '10', null, null, null], said: '' })
})

/** Worked out by hand: USD of a million tokens of input and output, by one-api's own numbers. */
test.for([
  ['gpt-4o-mini', '0.15', '0.6'],
  ['gpt-4o', '5', '20'],
  ['gpt-4o-2024-05-13', '5', '15'],
  ['chatgpt-4o-latest', '5', '15'],
  ['gpt-4-turbo', '10', '30'],
  ['gpt-4-0125-preview', '10', '30'],
  ['gpt-4', '30', '60'],
  ['gpt-3.5-turbo', '0.5', '1.5'],
  ['gpt-3.5-turbo-0125', '0.5', '1.5'],
  ['gpt-3.5-turbo-1106', '1', '2'],
  ['gpt-3.5-turbo-16k', '3', '4'],
  ['o1', '15', '60'],
  ['o1-mini', '3', '12'],
  ['claude-3-5-sonnet-20241022', '3', '15'],
  ['claude-2.1', '8', '24'],
  ['gemini-1.5-pro', '1.25', '3.75'],
  ['mistral-large-latest', '8', '24'],
  ['deepseek-chat', '0.14', '0.28'],
  ['deepseek-reasoner', '0.55', '2.19'],
  ['command-r-plus', '3', '15'],
  ['llama3-70b-8192', '0.00059', '0.00079'],
] as const)('%s has at one-api the ratios that are built into it: $%s and $%s', ([name, input, output]) => {
  expect(oneApi(name)).toMatchObject({
    prices: [input, output, null, null, null],
    said: expect.stringContaining('the ratio that is built into one-api’s last release'),
  })
})

test('what the database of one-api says wins over what is built in, and what it leaves out is never 1', () => {
  const changed = { ModelRatio: { 'gpt-4o-mini': 0.5, 'gpt-4': 10 }, CompletionRatio: { 'gpt-4': 1.5 } }
  expect(oneApi('gpt-4o-mini', changed)).toMatchObject({ prices: ['1', '4', null, null, null], said: '' })
  expect(oneApi('gpt-4', changed)).toMatchObject({ prices: ['20', '30', null, null, null], said: '' })
  // Also where the option is the whole of a table.
  expect(oneApi('o1', { ModelRatio: {}, CompletionRatio: {} }).prices).toEqual(['15', '60', null, null, null])
  expect(oneApi('house', { ModelRatio: { house: 1 } }).prices).toEqual(['2', '2', null, null, null])
})

test('one-api charges by the name that the provider is asked for, and by the type of the channel', () => {
  // From songquanpeng/one-api#2023: a price of one type of channels.
  const typed = { ModelRatio: { house: 1, 'house(44)': 3 }, CompletionRatio: { house: 2, 'house(44)': 4 } }
  expect(oneApi('house', typed, [{ name: 'house', type: '1' }]).prices?.slice(0, 2)).toEqual(['2', '4'])
  expect(oneApi('house', typed, [{ name: 'house', type: '44' }]).prices?.slice(0, 2)).toEqual(['6', '24'])
  const mapped = [{ name: 'nick', model: 'gpt-4o-mini' }]
  expect(oneApi('nick', { ModelRatio: { nick: 100 } }, mapped).prices?.slice(0, 2)).toEqual(['0.15', '0.6'])
  const both = [
    { name: 'house', type: '1' },
    { name: 'house', type: '44' },
  ]
  expect(oneApi('house', typed, both)).toMatchObject({
    prices: null,
    said: expect.stringContaining('at each of their'),
  })
  const oneUnknown = [{ name: 'nick', model: 'unknown' }, ...mapped]
  expect(oneApi('nick', {}, oneUnknown)).toMatchObject({
    prices: null,
    said: expect.stringContaining('at each of their'),
  })
  expect(oneApi('nick', {}, oneUnknown.toReversed()).prices).toBeNull()
  expect(oneApi('house', {}, [{ name: 'house' }, { name: 'house' }])).toMatchObject({ prices: null, said: '' })
})

test('with a search of the web a model of one-api costs what it does without', () => {
  expect(oneApi('qwen-turbo-internet').prices).toEqual(oneApi('qwen-turbo').prices)
  const options = { ModelRatio: { 'command-r': 1 }, CompletionRatio: { 'command-r': 7, 'command-r-internet': 2 } }
  expect(oneApi('command-r-internet', options).prices?.slice(0, 2)).toEqual(['2', '4'])
})

test('what one-api charges by another measure, at less than nothing, or only because it knows no price, is not sold', () => {
  for (const name of ['dall-e-3', 'whisper-1', 'tts-1', 'cogview-3'])
    expect(oneApi(name, { ModelRatio: { [name]: 20 } })).toMatchObject({
      prices: null,
      said: expect.stringContaining('and not by tokens'),
    })
  expect(oneApi('openrouter/auto')).toMatchObject({ prices: null, said: expect.stringContaining('cannot be charged') })
  const negative = { ModelRatio: { house: -1 }, CompletionRatio: {} }
  for (const said of [priced('house', negative), priced('house', { ModelPrice: { house: -0.01 } })])
    expect(said).toMatchObject({ prices: null, said: expect.stringContaining('cannot be charged') })
  expect(oneApi('unknown-model')).toMatchObject({ prices: null, said: '' })
})

test('what costs nothing is named, at each product and in each way', () => {
  const free = expect.stringContaining('cost nothing there, and so here')
  expect(oneApi('glm-4-flash')).toMatchObject({ prices: ['0', '0', null, null, null], said: free })
  expect(priced('house', { ModelRatio: { house: 0 }, CompletionRatio: {} }).said).toContain('cost nothing there')
  expect(priced('house', { ModelPrice: { house: 0 } }).said).toContain('cost nothing there')
  const model = { model_name: 'house', quota_type: 1, model_price: 0, model_ratio: 0, completion_ratio: 0 }
  expect(priced('house', {}, { pricing: { data: [model] } })).toMatchObject({ said: free })
  expect(priced('house', PLAIN).said).not.toContain('cost nothing')
})

describe('a ratio that was never set, which the running site calls 37.5', () => {
  // From QuantumNous/new-api#7058.
  const unset = { model_name: 'house', quota_type: 0, model_ratio: 37.5, completion_ratio: 1, cache_ratio: 0.5 }
  const pricing = { data: [unset, { ...unset, model_name: 'gpt-5-new', completion_ratio: 8 }] }

  test.for(['house', 'gpt-5-new'])('prices no %s, whatever ratio of output stands beside it', (name) => {
    for (const options of [{}, { ModelRatio: { other: 1 } }])
      expect(priced(name, options, { pricing })).toMatchObject({
        prices: null,
        said: expect.stringContaining('the source refuses them'),
      })
  })

  test('is none in self-use mode either, where it is charged', () => {
    const said = expect.stringContaining('are charged 75 USD for a million tokens in its self-use mode')
    expect(priced('house', { SelfUseModeEnabled: true }, { pricing })).toMatchObject({ prices: null, said })
  })

  test('is the price of a model that has it in the database, or built in', () => {
    const all = { CreateCacheRatio: {} }
    expect(priced('house', { ...all, ModelRatio: { house: 37.5 } }, { pricing }).prices?.slice(0, 2)).toEqual([
      '75',
      '75',
    ])
    const built = { data: [{ ...unset, model_name: 'gpt-4.5-preview', completion_ratio: 2 }] }
    expect(priced('gpt-4.5-preview', all, { pricing: built }).prices?.slice(0, 2)).toEqual(['75', '150'])
    expect(priced('gpt-4.5-preview', { ...all, ModelRatio: {} }, { pricing: built }).prices).toBeNull()
  })

  test('is one in the tables of a site, which have only what is set', () => {
    const tables = {
      model_ratio: { house: 37.5 },
      completion_ratio: { house: 1 },
      create_cache_ratio: {},
      cache_ratio: {},
    }
    expect(priced('house', {}, { pricing: { data: tables } }).prices?.slice(0, 2)).toEqual(['75', '75'])
  })
})

describe('a completion ratio that is built into new-api', () => {
  const accepted = ['completion-ratio', 'built-in-ratio'] as const
  /** The case of QuantumNous/new-api#3270: what an admin stores does not win over it. */
  test.for([
    ['gpt-5', 4, '8'],
    ['gpt-5.4', 8, '6'],
    ['gpt-5.4-nano', 8, '6.25'],
    ['o3', 2, '4'],
    ['claude-3-opus-20240229', 2, '5'],
    ['claude-sonnet-4-20250514', 2, '5'],
    ['gpt-4-turbo', 2, '3'],
    ['gpt-4.5-preview', 3, '2'],
    ['mistral-large', 2, '3'],
    ['gemini-2.0-flash', 2, '4'],
    ['command-r', 2, '3'],
    // These are taken from the table.
    ['gpt-5.5', 7, '7'],
    ['gpt-4o', 3, '3'],
    ['gemini-2.5-pro', 5, '5'],
    ['anthropic/claude-3-opus', 2, '2'],
  ] as const)('of %s beside %s in the database is %s', ([name, stored, ratio]) => {
    const options = { ModelRatio: { [name]: 0.5 }, CompletionRatio: { [name]: stored } }
    expect(priced(name, options, { accepted }).prices?.[1]).toBe(ratio)
    // So it is beside the tables of a site.
    const pricing = { data: { model_ratio: { [name]: 0.5 }, completion_ratio: { [name]: stored } } }
    expect(priced(name, {}, { accepted, pricing }).prices?.[1]).toBe(ratio)
    // What the site itself has worked out is taken as it is.
    const model = { model_name: name, quota_type: 0, model_ratio: 0.5, completion_ratio: 9, cache_ratio: 1 }
    expect(priced(name, options, { accepted, pricing: { data: [model] } }).prices?.[1]).toBe('9')
  })

  test.for([
    ['gpt-4o', '4'],
    ['gpt-4.1', '2'],
    ['o4-mini', '1'],
    ['gemini-2.5-pro', '8'],
    ['gemini-3-pro-preview', '6'],
    ['command-a', '4'],
    ['gpt-image-1', '8'],
    ['gpt-4o-gizmo-g-1', '3'],
    ['gpt-4-gizmo-g-1', '2'],
  ] as const)('of %s where the database says none is %s', ([name, ratio]) => {
    const wildcard = name.replace(/(gizmo-).*/, '$1*')
    const said = priced(name, { ModelRatio: { [wildcard]: 0.5 } }, { accepted })
    expect(said.prices?.[1]).toBe(ratio)
    expect(said.inexact).toEqual([{ name: 'completion-ratio', subjects: [name] }])
    expect(priced(name, { ModelRatio: { [wildcard]: 0.5 } })).toMatchObject({
      prices: null,
      said: expect.stringContaining('--accept completion-ratio'),
    })
  })

  test('of budgets of thinking is that of the name that stands for them, and so is their ratio', () => {
    const options = { ModelRatio: { 'gemini-2.5-pro-thinking-*': 0.625 }, CompletionRatio: {} }
    expect(priced('gemini-2.5-pro-thinking-1024', options, { accepted }).prices?.slice(0, 2)).toEqual(['1.25', '10'])
  })
})

test('a model without a ratio, with an expression, or finer than a nano-USD is not sold', () => {
  expect(priced('nothing', PLAIN).prices).toBeNull()
  expect(priced('house', { ...PLAIN, 'billing_setting.billing_mode': { house: 'tiered_expr' } })).toMatchObject({
    prices: null,
    said: expect.stringContaining('expression'),
  })
  const fine = { ModelRatio: { house: 0.0000000003 }, CompletionRatio: {} }
  expect(priced('house', fine)).toMatchObject({ prices: null, said: expect.stringContaining('--accept price') })
  expect(priced('house', fine, { accepted: ['price'] }).prices?.[0]).toBe('0.000000001')
})

test('a model of which the database says no price has that of the shipped list where it is accepted, and is named either way', () => {
  const [own] = [
    oneApiPricesIn(
      new Map([
        ['ModelRatio', '{"listed":0.5}'],
        ['CompletionRatio', '{"listed":3}'],
      ]),
      {
        served: [servedBy({ name: 'listed' })],
        settings: { accepted: new Set(), negative: null, admins: 'keep', pricing: null, oidcIssuer: null, nowMs: 0 },
        notes: new ImportNotes(),
      },
    )('listed'),
  ]
  const catalogue: ListPrices = { named: 'a list, 2026-11-23', priceOf: (name) => (name === 'listed' ? own : null) }
  for (const servedAs of [undefined, [{ name: 'listed' }]]) {
    const product = servedAs === undefined ? {} : { servedAs }
    const asked = priced('listed', PLAIN, { ...product, catalogue })
    expect(asked).toMatchObject({
      prices: null,
      said: expect.stringMatching(/\(a list, 2026-11-23\).*--accept catalogue/),
    })
    const accepted = priced('listed', PLAIN, { ...product, catalogue, accepted: ['catalogue'] })
    expect(accepted).toMatchObject({
      prices: ['1', '3', null, null, null],
      inexact: [{ name: 'catalogue', subjects: ['listed, by a list, 2026-11-23'] }],
    })
    expect(priced('other', PLAIN, { ...product, catalogue, accepted: ['catalogue'] })).toMatchObject({
      prices: null,
      said: '',
    })
  }
  const pricing = { data: [{ model_name: 'house', quota_type: 0, model_ratio: 1 }] }
  expect(priced('listed', {}, { catalogue, pricing, accepted: ['catalogue'] })).toMatchObject({
    prices: null,
    said: '',
  })
  expect(priced('house', PLAIN, { catalogue: { ...catalogue, priceOf: () => null } }).prices?.[0]).toBe('2.5')
})
