import { expect, test } from 'vitest'
import { attentionItem, type AttentionItemView } from '../../contract/attention.ts'
import { wholeItem } from './attention-item.ts'
import { worstFirst } from './severity.ts'

type Kind = AttentionItemView['kind']

const item = (kind: Kind, over: Partial<AttentionItemView> = {}) => wholeItem({ kind, detail: '', ...over })
const price = (ours: string, listed: string): AttentionItemView['price'] => ({
  kind: 'input',
  ours,
  listed,
  provider: 'azure',
  dated: '2026-11-23',
})
const disk = (free: number): AttentionItemView['disk'] => ({
  of: 'data',
  bytes: 100,
  free_bytes: free,
  full_in_days: 1,
})

test('money at risk comes first, then what refuses requests, then what may wait', () => {
  const found = worstFirst([
    item('models_added'),
    item('price_differs', { model: 'a little off', price: price('2.80', '2.50') }),
    item('model_unknown'),
    item('model_failing'),
    item('no_balance'),
    item('price_differs', { model: 'ten times', price: price('25', '2.50') }),
    item('below_cost'),
    item('store_failing'),
  ])
  expect(found.map(({ kind, model, severity }) => [kind, model, severity])).toEqual([
    ['store_failing', null, 'bad'],
    ['below_cost', null, 'bad'],
    ['price_differs', 'ten times', 'bad'],
    ['no_balance', null, 'warning'],
    ['model_failing', null, 'bad'],
    ['price_differs', 'a little off', 'warning'],
    ['model_unknown', null, 'warning'],
    ['models_added', null, 'warning'],
  ])
})

test('of equals the one with the most requests comes first, and else the order is kept', () => {
  const named = (name: string, requests: number | null) => item('no_target', { model: name, requests })
  const found = worstFirst([named('a', null), named('b', 3), named('c', 12), named('d', null)])
  expect(found.map(({ model }) => model)).toEqual(['c', 'b', 'a', 'd'])
})

test('a price below a third of the list is as far off as one above three times of it', () => {
  const [low, high, near] = [price('0.8', '2.50'), price('7.5', '2.50'), price('7.4', '2.50')].map(
    (each) => worstFirst([item('price_differs', { price: each })])[0]?.severity,
  )
  expect([low, high, near]).toEqual(['bad', 'bad', 'warning'])
})

test('a disk with less than a twentieth left is bad', () => {
  expect([5, 6].map((free) => worstFirst([item('disk_full', { disk: disk(free) })])[0]?.severity)).toEqual([
    'bad',
    'warning',
  ])
})

test('every kind has its rank', () => {
  const kinds = attentionItem.shape.kind.options
  const sorted = worstFirst([item('models_added', { model: 'last' }), ...kinds.map((kind) => item(kind))])
  expect(sorted.at(-1)?.kind).toBe('models_added')
})
