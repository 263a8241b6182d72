import { expect, test } from 'vitest'
import { readToken } from './link-token.ts'

test.for([
  ['#token=abcDEF_-123', 'abcDEF_-123'],
  ['#abcDEF_-123', 'abcDEF_-123'],
  ['#token=', null],
  ['', null],
  ['#', null],
  ['#token=<script>', null],
] as const)('the fragment %s holds the token %s', ([fragment, token]) => {
  expect(readToken(fragment)).toBe(token)
})
