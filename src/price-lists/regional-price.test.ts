import { expect, test } from 'vitest'
import { regionalPrice } from './regional-price.ts'

test('a region multiplies prices of tokens in all tiers and classes, and no fee', () => {
  const price = {
    input: '3',
    output: '15',
    cache_read: '0.025',
    tiers: [{ above_input_tokens: 200_000, input: '6' }],
    service_tiers: { batch: { input: '1.5', tiers: [{ above_input_tokens: 1, output: '7' }] }, fast: { factor: '2' } },
    inference_geo: { us: { factor: '1.1' } },
    per_call: { web_search: '0.01' },
    per_request: '0.5',
  }
  expect(regionalPrice(price, '1.1')).toEqual({
    input: '3.3',
    output: '16.5',
    cache_read: '0.0275',
    tiers: [{ above_input_tokens: 200_000, input: '6.6' }],
    service_tiers: {
      batch: { input: '1.65', tiers: [{ above_input_tokens: 1, output: '7.7' }] },
      fast: { factor: '2' },
    },
    inference_geo: { us: { factor: '1.1' } },
    per_call: { web_search: '0.01' },
    per_request: '0.5',
  })
})

test.for([
  ['0.000000001', '1.1', '0.000000002'],
  ['10', '1', '10'],
  ['0', '1.1', '0'],
  ['2.5', '1.375', '3.4375'],
] as const)('%s times %s is %s, exact or up to the nearest nano-dollar', ([input, factor, expected]) => {
  expect(regionalPrice({ input }, factor)).toEqual({ input: expected })
})
