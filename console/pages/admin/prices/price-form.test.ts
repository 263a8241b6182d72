import { expect, test } from 'vitest'
import type { AuditEntryView } from '../../../../src/contract/administration.ts'
import type { PricesView } from '../../../../src/contract/models.ts'
import { NO_PRICES } from '../../../api/price-kinds.ts'
import { priceChanges } from './price-changes.ts'
import { priceEffect } from './price-effect.ts'
import { NEW_TIER, validate, priceOf, toForm } from './price-form.ts'

const PRICE: PricesView = {
  ...NO_PRICES,
  input: '2',
  output: '8',
  cache_read: '0.2',
  tiers: [{ above_input_tokens: 200_000, input: '4', output: '12' }],
  service_tiers: { priority: { factor: '2' }, batch: { input: '1', output: '4' } },
  inference_geo: { us: { factor: '1.1' } },
  per_call: { web_search: '0.01' },
}

test('a price that is not touched is sent as it was, own prices of classes of service included', () => {
  expect(priceOf(toForm(PRICE))).toEqual({
    input: '2',
    output: '8',
    cache_read: '0.2',
    tiers: [{ above_input_tokens: 200_000, input: '4', output: '12' }],
    service_tiers: { priority: { factor: '2' }, batch: { input: '1', output: '4' } },
    inference_geo: { us: { factor: '1.1' } },
    per_call: { web_search: '0.01' },
  })
  expect(priceOf(toForm(null))).toBeNull()
})

test('lengths are sent in their order, whichever was written first', () => {
  const form = toForm(PRICE)
  const tiers = [...form.tiers, { ...NEW_TIER, above: ' 32000 ', amounts: { ...NEW_TIER.amounts, output: '9' } }]
  expect(priceOf({ ...form, tiers })?.tiers).toEqual([
    { above_input_tokens: 32_000, output: '9' },
    { above_input_tokens: 200_000, input: '4', output: '12' },
  ])
})

test('what is wrong is said by the field of the API', () => {
  const form = toForm(PRICE)
  expect(validate(form)).toEqual({})
  const wrong = {
    ...form,
    amounts: { ...form.amounts, input: '-1' },
    tiers: [NEW_TIER],
    services: [
      { name: 'batch', factor: '2' },
      { name: '', factor: 'x' },
    ],
    calls: { ...form.calls, web_search: 'free' },
  }
  expect(validate(wrong)).toEqual({
    'price.input': 'amountForm',
    'price.tiers.0.above_input_tokens': 'lengthForm',
    'price.tiers.0.input': 'tierPrice',
    'price.tiers.0.output': 'tierPrice',
    'services.0.name': 'twice',
    'services.1.name': 'nameForm',
    'services.1.factor': 'factorForm',
    'price.per_call.web_search': 'amountForm',
  })
})

test('the effect is that part of last week’s charges by which the same tokens cost more or less', () => {
  const form = toForm(PRICE)
  // $2 + $0.20 + $8 at the plain prices, at a multiplier of a half.
  const week = {
    requests: 3,
    input_tokens: 2_000_000,
    cache_read_tokens: 1_000_000,
    output_tokens: 1_000_000,
    cost: '5.1',
  }
  expect(priceEffect(PRICE, form, week)).toBeNull()
  const dearer = { ...form, amounts: { ...form.amounts, output: '16' } }
  expect(priceEffect(PRICE, dearer, week)).toEqual({ usd: '4', share: 0.784313725 })
  expect(priceEffect(PRICE, dearer, { ...week, requests: 0 })).toBeNull()
  expect(priceEffect(null, dearer, week)).toBeNull()
})

test('the history has the amounts that changed, and that other rules did', () => {
  const entry = (changes: AuditEntryView['changes']) => ({ changes }) as AuditEntryView
  const [first, second, ...more] = priceChanges([
    entry({ price: { before: PRICE, after: { ...PRICE, input: '3', tiers: undefined } } }),
    entry({ price: { before: null, after: PRICE } }),
    entry({ recommended: { before: false, after: true } }),
  ])
  expect(more).toEqual([])
  expect(first).toMatchObject({ amounts: [{ kind: 'input', before: '2', after: '3' }], hasOtherRules: true })
  expect(second?.amounts.map(({ kind }) => kind)).toEqual(['input', 'output', 'cache_read'])
})
