import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

test.for([
  ['/keys?status=active', '/keys?status=active'],
  ['/usage', '/usage'],
  [undefined, '/'],
  ['', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?return_to=/keys', '/'],
] as const)('after signing in, %s leads to %s', ([asked, path]) => {
  expect(safeReturnPath(asked)).toBe(path)
})
