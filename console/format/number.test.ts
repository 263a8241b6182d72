import { expect, test } from 'vitest'
import { formatCompact, formatPercent, formatPercentChange } from './number.ts'

test.for([
  [0, '0%'],
  [0.0001, '1%'],
  [0.5, '50%'],
  [0.999, '99%'],
  [1, '100%'],
] as const)('a share of %d is %s: little is not nothing, and nearly all is not all', ([share, shown]) => {
  expect(formatPercent(share, 'en')).toBe(shown)
})

test.for([
  [0, '0%'],
  [-0, '0%'],
  [0.05, '+5%'],
  [-0.05, '−5%'],
  [-0.0001, '−1%'],
] as const)('a change of %d is %s, with the minus sign that amounts have', ([share, shown]) => {
  expect(formatPercentChange(share, 'en')).toBe(shown)
})

test.for([
  [0, '0', '0'],
  [999, '999', '999'],
  [12_345, '12.3K', '1.2万'],
  [905_243, '905.2K', '90.5万'],
  [63_301_234, '63.3M', '6330万'],
  [999_999, '1M', '100万'],
] as const)('%d in little room is %s, in Chinese %s', ([count, english, chinese]) => {
  expect([formatCompact(count, 'en'), formatCompact(count, 'zh-CN')]).toEqual([english, chinese])
})
