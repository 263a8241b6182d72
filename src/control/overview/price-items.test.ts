import { expect, test } from 'vitest'
import type { ShippedPrices } from '../../contract/price-catalogue.ts'
import { parseUsd } from '../../core/money.ts'
import type { Model } from '../../routing/catalog.ts'
import { differingPrices } from './price-items.ts'

const listed = (input: string, output: string) => ({
  price: { input, output } as ShippedPrices['providers'][string][string]['price'],
  context_tokens: null,
  max_output_tokens: null,
})
const SHIPPED: ShippedPrices = {
  dated: '2026-11-23',
  source: 'a list',
  providers: {
    one: { big: listed('10', '50'), small: listed('1', '2') },
    two: { big: listed('11', '55') },
  },
  fees: [],
}
const FAILURES = { seen: () => 7 }

function model(name: string, amounts: readonly [string, string], over: Partial<Model> = {}): Model {
  const [input, output] = amounts.map(parseUsd)
  return { name, prices: { input, output }, targets: [], ...over } as unknown as Model
}

const found = (...models: readonly Model[]) =>
  differingPrices(models, SHIPPED, FAILURES).map(({ model: name, price }) => [
    name,
    price?.kind,
    price?.ours,
    price?.listed,
  ])

test('a price is named that no provider of the shipped list has, nor one within a tenth of it, the furthest first', () => {
  expect(found(model('big', ['10', '50']), model('big', ['11.5', '55']), model('elsewhere', ['1', '1']))).toEqual([])
  expect(found(model('big', ['10', '80']), model('small', ['10', '20']))).toEqual([
    ['small', 'input', '10', '1'],
    ['big', 'output', '80', '55'],
  ])
  expect(found(model('big', ['0', '50']))).toEqual([['big', 'input', '0', '10']])
})

test('what its provider charges is compared where that is set, and a name is matched as a whole or by that of all targets', () => {
  const cost = { kind: 'prices', prices: { input: parseUsd('1'), output: parseUsd('2') } }
  const at = (name: string, over: object = {}) => [{ model: name, ...over }] as unknown as Model['targets']
  expect(found(model('mine', ['9', '9'], { targets: at('small', { cost }) }))).toEqual([])
  expect(found(model('mine', ['9', '9'], { targets: at('small') }))).toEqual([['mine', 'input', '9', '1']])
  expect(found(model('small-2', ['9', '9'], { targets: at('smallest') }))).toEqual([])
})

test('a locked price, and an installation without the list, are left alone', () => {
  expect(found(model('small', ['9', '9'], { isPriceLocked: true }))).toEqual([])
  expect(differingPrices([model('small', ['9', '9'])], null, FAILURES)).toEqual([])
})
