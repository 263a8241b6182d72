import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

test.for([
  ['/keys?status=active', '/keys?status=active'],
  ['/usage', '/usage'],
  [undefined, '/overview'],
  ['', '/overview'],
  ['//evil.example', '/overview'],
  ['/\\evil.example', '/overview'],
  ['https://evil.example', '/overview'],
  ['javascript:alert(1)', '/overview'],
  ['/sign-in?return_to=/keys', '/overview'],
] as const)('after signing in, %s leads to %s', ([asked, path]) => {
  expect(safeReturnPath(asked)).toBe(path)
})
