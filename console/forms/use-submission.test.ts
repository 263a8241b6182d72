import { expect, test } from 'vitest'
import { ownerOf } from './use-submission.ts'

test.for([
  ['name', 'name'],
  ['rate_limit.spend.0.usd', 'rate_limit.spend'],
  ['rate_limit.concurrency', 'rate_limit'],
  ['names', undefined],
  ['group', undefined],
  [null, undefined],
] as const)('a problem with %s belongs to %s', ([path, owner]) => {
  expect(ownerOf(path, ['name', 'rate_limit', 'rate_limit.spend'])).toBe(owner)
})
