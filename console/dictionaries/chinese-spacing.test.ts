import { expect, test } from 'vitest'
import { joined } from './chinese-spacing.ts'

test.each([
  [['编辑', 'Stripe'], '编辑 Stripe'],
  [['编辑', '易支付'], '编辑易支付'],
  [['将于', '23 小时后', '删除'], '将于 23 小时后删除'],
  [['将于', '明天', '删除'], '将于明天删除'],
  [['按', '首字耗时 p50 / p95', '升序'], '按首字耗时 p50 / p95 升序'],
  [['移除', 'Stripe', '？'], '移除 Stripe？'],
  [['复制', ''], '复制'],
])('Chinese and Latin letters or digits have a space between them: %j', (parts, text) => {
  expect(joined(...parts)).toBe(text)
})
