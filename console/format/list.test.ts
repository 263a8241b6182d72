import { expect, test } from 'vitest'
import { formatFew } from './list.ts'

test.for([
  [{ most: 3 }, 'a, b, c', 'a、b、c'],
  [{ most: 2 }, 'a, b and 1 more', 'a、b 等，另有 1 个'],
  [{ most: 20, count: 2_003 }, 'a, b, c and 2,000 more', 'a、b、c 等，另有 2,000 个'],
] as const)('of many names the first are written, and how many more there are: %j', ([of, english, chinese]) => {
  const names = ['a', 'b', 'c']
  expect([formatFew(names, 'en', of), formatFew(names, 'zh-CN', of)]).toEqual([english, chinese])
})
