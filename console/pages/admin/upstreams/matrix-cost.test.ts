import { expect, test } from 'vitest'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { matrixCells, matrixCost } from './matrix-run.ts'

const amounts = (input: string | null, output: string | null) => ({ input, output, per_request: null, factor: null })
const target = (upstream: string, model: string, cost: object | null) => ({ upstream, model, cost })

const models = [
  {
    name: 'priced',
    price: amounts('1', '10'),
    targets: [target('here', 'a', null), target('there', 'a', amounts('9', '9'))],
  },
  {
    name: 'cheaper',
    price: amounts('1', '10'),
    targets: [target('here', 'b', { ...amounts(null, null), factor: '0.5' })],
  },
  {
    name: 'costed',
    price: null,
    targets: [target('here', 'c', amounts('2', '20')), target('here', 'd', amounts('1', '1'))],
  },
  { name: 'unpriced', price: null, targets: [target('here', 'e', null)] },
] as unknown as readonly ModelView[]

test('tests cost what the dearest target there costs, or the model’s price, and what is not known is named', () => {
  const costOf = (name: string, count = 1) => matrixCost(new Map([[name, count]]), { models, upstream: 'here' })
  // 30 tokens in, 16 out.
  expect(costOf('priced')).toEqual({ usd: '0.00019', unknown: [] })
  expect(costOf('cheaper', 10)).toEqual({ usd: '0.00095', unknown: [] })
  expect(costOf('costed').usd).toBe('0.00038')
  // At most a token a character of the admin's own text.
  const long = { models, upstream: 'here', textLength: 1_000 }
  expect(matrixCost(new Map([['priced', 1]]), long).usd).toBe('0.00119')
  expect(costOf('unpriced')).toEqual({ usd: '0', unknown: ['unpriced'] })
  const all = new Map(['priced', 'costed', 'missing'].map((name) => [name, 1]))
  expect(matrixCost(all, { models, upstream: 'here' })).toEqual({ usd: '0.00057', unknown: ['missing'] })
})

test('each chosen model is tested with each chosen credential that serves it', () => {
  const upstream = {
    name: 'here',
    models: ['priced', 'cheaper', 'costed'],
    credentials: [
      { name: 'all', models: null },
      { name: 'one', models: ['b'] },
      { name: 'left out', models: null },
    ],
  } as unknown as UpstreamView
  const chosen = { models: ['cheaper', 'priced'], credentials: ['one', 'all'], known: models }
  expect(matrixCells(upstream, chosen)).toEqual([
    { model: 'priced', credential: 'all' },
    { model: 'cheaper', credential: 'all' },
    { model: 'cheaper', credential: 'one' },
  ])
  expect(matrixCells({ ...upstream, credentials: [] }, chosen)).toEqual([
    { model: 'priced', credential: null },
    { model: 'cheaper', credential: null },
  ])
})
