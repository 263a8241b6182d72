import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

test.for([
  ['/keys?status=active', '/keys?status=active'],
  ['/usage', '/usage'],
  [undefined, '/start'],
  ['', '/start'],
  ['//evil.example', '/start'],
  ['/\\evil.example', '/start'],
  ['https://evil.example', '/start'],
  ['javascript:alert(1)', '/start'],
  ['/sign-in?return_to=/keys', '/start'],
] as const)('after signing in, %s leads to %s', ([wish, path]) => {
  expect(safeReturnPath(wish)).toBe(path)
})
