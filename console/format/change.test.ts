import { expect, test } from 'vitest'
import { changeOf } from './change.ts'

test.each([
  ['3', '2', { kind: 'more', by: 0.5 }],
  ['1', '2', { kind: 'less', by: 0.5 }],
  ['0', '2', { kind: 'less', by: 1 }],
  ['0.000000003', '0.000000001', { kind: 'more', by: 2 }],
  ['100.4', '100', { kind: 'same' }],
  ['0', '0', { kind: 'same' }],
  ['0.01', '0', { kind: 'fresh' }],
])('%s after %s', (now, before, change) => {
  expect(changeOf(now, before)).toEqual(change)
})
