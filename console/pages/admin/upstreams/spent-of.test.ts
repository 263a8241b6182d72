import { expect, test } from 'vitest'
import { spentOf } from './spent-of.ts'

const spent = (charged: string, costed: string, cost: string) => spentOf({ charged, costed, provider_cost: cost })

test('what is spent at an upstream is the cost at the provider, and what was charged where that is not known', () => {
  expect(spent('10', '10', '4.5')).toEqual({ amount: '4.5', known: 'all' })
  expect(spent('10', '0', '0')).toEqual({ amount: '10', known: 'none' })
  expect(spent('10', '6', '4.000000001')).toEqual({ amount: '8.000000001', known: 'some' })
  // Of a group that charges nothing.
  expect(spent('0', '0', '3')).toEqual({ amount: '3', known: 'all' })
  expect(spent('0', '0', '0')).toEqual({ amount: '0', known: 'none' })
})
