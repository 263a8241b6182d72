import { expect, test } from 'vitest'
import { formatPercent } from './number.ts'

test.for([
  [0, '0%'],
  [0.0001, '1%'],
  [0.5, '50%'],
  [0.999, '99%'],
  [1, '100%'],
] as const)('a share of %d is %s: little is not nothing, and nearly all is not all', ([share, shown]) => {
  expect(formatPercent(share, 'en')).toBe(shown)
})
