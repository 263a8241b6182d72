import { expect, test } from 'vitest'
import { formatExact } from './exact-money.ts'

test.each([
  ['0.00974546250000085', '$0.00974546250000085'],
  ['9007199254740993.000000000000000000001', '$9,007,199,254,740,993.000000000000000000001'],
  ['10', '$10.00'],
])('%s is written with every place that it has', (amount, text) => {
  expect(formatExact(amount, 'en')).toBe(text)
  expect(formatExact(amount, 'zh-CN')).toBe(text)
})
