import { expect, test } from 'vitest'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { ImportNotes } from '../import-notes.ts'
import type { Acceptable, Product } from '../import-plan.ts'
import type { ListPrices } from '../import-settings.ts'
import { pricesIn } from './prices.ts'

function priced(
  name: string,
  options: Readonly<Record<string, unknown>>,
  about: {
    pricing?: unknown
    accepted?: readonly Acceptable[]
    product?: Product
    catalogue?: ListPrices
  } = {},
) {
  const notes = new ImportNotes()
  const { pricing = null, accepted = [], product = 'new-api', catalogue = null } = about
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
  const prices = pricesIn(written, { product, settings, notes })(name)
  return {
    ...(prices === null ? { prices, other: null, request: null } : shown(prices)),
    inexact: notes.approximations,
    said: notes.notes.map(({ what }) => what).join('; '),
  }
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
  expect(priced('gpt-4o', PLAIN, { product: 'one-api', accepted: ['completion-ratio'] })).toMatchObject({
    prices: ['2.5', '10', null, null, null],
    said: '',
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
    pricesIn(
      new Map([
        ['ModelRatio', '{"listed":0.5}'],
        ['CompletionRatio', '{"listed":3}'],
      ]),
      {
        product: 'one-api',
        settings: { accepted: new Set(), negative: null, admins: 'keep', pricing: null, oidcIssuer: null, nowMs: 0 },
        notes: new ImportNotes(),
      },
    )('listed'),
  ]
  const catalogue: ListPrices = { named: 'a list, 2026-11-23', priceOf: (name) => (name === 'listed' ? own : null) }
  for (const product of ['new-api', 'one-api'] as const) {
    const asked = priced('listed', PLAIN, { product, catalogue })
    expect(asked).toMatchObject({
      prices: null,
      said: expect.stringMatching(/\(a list, 2026-11-23\).*--accept catalogue/),
    })
    const accepted = priced('listed', PLAIN, { product, catalogue, accepted: ['catalogue'] })
    expect(accepted).toMatchObject({
      prices: ['1', '3', null, null, null],
      inexact: [{ name: 'catalogue', subjects: ['listed, by a list, 2026-11-23'] }],
    })
    expect(priced('other', PLAIN, { product, catalogue, accepted: ['catalogue'] })).toMatchObject({
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
