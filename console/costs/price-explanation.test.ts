import { describe, expect, test } from 'vitest'
import type { UsageRecordView } from '../../src/contract/usage.ts'
import { explainPrice } from './price-explanation.ts'

type Charged = Parameters<typeof explainPrice>[0]

type Line = Charged['price_lines'][number]

/** `priced`: the unit price, and after a blank the multiplier where it is not one. */
const line = (kind: Line['kind'], tokens: number, priced: string): Line => ({
  kind,
  tokens,
  count: tokens,
  per: 1_000_000,
  price: priced.split(' ')[0] ?? '',
  multiplier: priced.split(' ')[1] ?? '1',
  cost: 'what the server wrote is not believed',
})

const charged = (record: Partial<Charged>): Charged => ({
  price_lines: [],
  cost: '0',
  paid_by_balance: record.cost ?? '0',
  paid_by_subscriptions: [],
  ...record,
})

describe('the price of a request', () => {
  test('is each line, their sum, and what one rounding adds', () => {
    const lines = [
      line('input', 2_318, '3 0.85'),
      line('cache_read', 1_203, '3.75 0.85'),
      line('output', 1, '0.000000001 0.85'),
    ]
    const price = explainPrice(charged({ price_lines: lines, cost: '0.009745463' }))
    expect(price?.lines.map(({ cost }) => cost)).toEqual(['0.0059109', '0.0038345625', '0.00000000000000085'])
    expect(price).toMatchObject({
      sum: '0.00974546250000085',
      rounding: '0.00000000049999915',
      addsUp: true,
      isPaid: true,
    })
  })

  test('takes units by the price of one', () => {
    const images: Line = { ...line('images', 3, '0.04 0.85'), tokens: null, per: 1 }
    const price = explainPrice(charged({ price_lines: [images], cost: '0.102' }))
    expect(price?.lines).toMatchObject([{ count: 3, per: 1, price: '0.04', cost: '0.102' }])
    expect(price).toMatchObject({ sum: '0.102', rounding: '0', addsUp: true })
  })

  test('needs no rounding when it is whole', () => {
    const price = explainPrice(charged({ price_lines: [line('output', 1_000_000, '10')], cost: '10' }))
    expect(price).toMatchObject({ sum: '10', rounding: '0', addsUp: true })
  })

  test('stays exact where floats would not', () => {
    const lines = [line('input', 9_007_199_254_740_991, '8999999999.999999999 999999.999999')]
    const price = explainPrice(charged({ price_lines: lines, cost: '1' }))
    const exact = 9_007_199_254_740_991n * 8_999_999_999_999_999_999n * 999_999_999_999n
    expect(BigInt(price?.sum.replace('.', '') ?? 0)).toBe(BigInt(exact.toString().replace(/0+$/, '')))
    expect(price?.addsUp).toBe(false)
  })

  test.each([
    ['less than the lines', '0.009'],
    ['a whole billionth above', '0.010000001'],
  ])('does not add up when the cost is %s', (_what, cost) => {
    expect(explainPrice(charged({ price_lines: [line('output', 1_000, '10')], cost }))?.addsUp).toBe(false)
  })

  test('is paid by subscriptions and balance together', () => {
    const record = charged({
      price_lines: [line('output', 1_000, '10')],
      cost: '0.01',
      paid_by_balance: '0.003',
      paid_by_subscriptions: [
        { subscription_id: 'sub_a', usd: '0.004' },
        { subscription_id: 'sub_b', usd: '0.003' },
      ],
    })
    expect(explainPrice(record)?.isPaid).toBe(true)
    expect(explainPrice({ ...record, paid_by_balance: '0.003000001' })?.isPaid).toBe(false)
  })

  test('of nothing counted is null', () => {
    expect(explainPrice(charged({}) satisfies Partial<UsageRecordView>)).toBeNull()
  })
})
