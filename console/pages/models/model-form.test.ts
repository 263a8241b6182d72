import { expect, test } from 'vitest'
import type { ModelView } from '../../../src/contract/models.ts'
import { changeOf, validate, toForm } from './model-form.ts'

const model: ModelView = {
  id: 'mdl_1',
  name: 'gpt-5.5',
  price: null,
  context_tokens: 128_000,
  max_output_tokens: null,
  kind: 'chat',
  kind_from: 'name',
  abilities: [],
  recommended: false,
  price_locked: false,
  endpoints: null,
  first_event_timeout_ms: 9_000,
  idle_timeout_ms: null,
  timeout_ms: null,
  hedge_after_ms: null,
  rules: {},
  protocols: ['openai-chat'],
  available: false,
  groups: [],
  keys: [],
  managed: false,
}
const form = toForm(model)

test('only what was changed is sent, an emptied field as none', () => {
  expect(changeOf(model, form)).toEqual({})
  const written = { ...form, hedge_after_ms: ' 800 ', first_event_timeout_ms: '', recommended: true }
  expect(changeOf(model, written)).toEqual({ hedge_after_ms: 800, first_event_timeout_ms: null, recommended: true })
  expect(changeOf(model, { ...form, kind: 'image' })).toEqual({ kind: 'image' })
  expect(changeOf(model, { ...form, input_price: '2.5', output_price: '10' })).toEqual({
    price: { input: '2.5', output: '10' },
  })
})

test('a kind that was set can be worked out again', () => {
  const set: ModelView = { ...model, kind_from: 'set' }
  expect(changeOf(set, { ...toForm(set), kind: '' })).toEqual({ kind: null })
  expect(changeOf(set, toForm(set))).toEqual({})
})

test('an invalid number or amount, and one price of two, are said at their field', () => {
  expect(validate(form)).toEqual({})
  expect(validate({ ...form, hedge_after_ms: '0.8' })).toEqual({ hedge_after_ms: 'wholeNumber' })
  expect(validate({ ...form, timeout_ms: '0' })).toEqual({ timeout_ms: 'wholeNumber' })
  expect(validate({ ...form, input_price: '2' })).toEqual({ output_price: 'pricePair' })
  expect(validate({ ...form, input_price: 'two', output_price: '3' })).toEqual({ input_price: 'amount' })
})
