import { expect, test } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { createWishKey, type WishKey } from './wish-key.ts'

function counted(): WishKey {
  let made = 0
  let nowMs = 1_000
  return createWishKey(
    () => `key ${++made}`,
    () => ++nowMs,
  )
}

test.for([
  ['no answer came', 0, 'unreachable'],
  ['something in front answers in place of the gateway', 502, 'unreachable'],
  ['something in front answers with a page of its own', 413, 'unreadable'],
  ['something in front answers with a success that is not JSON', 200, 'unreadable'],
  ['the gateway broke off', 500, 'internal'],
  ['the database does not answer', 503, 'store_unavailable'],
  ['the first try is still running', 409, 'idempotency_running'],
] as const)('where %s, pressing again sends the same idempotency key', ([, status, code]) => {
  const wish = counted()
  expect(wish.current()).toBe('key 1')
  wish.failed(new ApiProblem({ status, code, detail: '' }))
  expect(wish.current()).toBe('key 1')
})

test('what is not a problem of the API, such as a request that was given up, may have been done too', () => {
  const wish = counted()
  wish.current()
  wish.failed(new DOMException('given up', 'AbortError'))
  expect(wish.current()).toBe('key 1')
})

test.for([
  [422, 'field_invalid'],
  [401, 'credentials_wrong'],
  [409, 'idempotency_unclear'],
  [422, 'idempotency_conflict'],
  [429, 'too_many_requests'],
] as const)(
  'a refusal of the gateway itself (%i %s) ends the wish: the next press is another one',
  ([status, code]) => {
    const wish = counted()
    wish.current()
    wish.failed(new ApiProblem({ status, code, detail: '' }))
    expect(wish.current()).toBe('key 2')
  },
)

test('what was done is another wish when it is pressed again', () => {
  const wish = counted()
  wish.current()
  wish.done()
  expect(wish.current()).toBe('key 2')
})

test('the moment of a wish is that of its first try, and another wish has its own', () => {
  const wish = counted()
  const since = wish.sinceMs()
  wish.current()
  wish.failed(new ApiProblem({ status: 0, code: 'unreachable', detail: '' }))
  expect(wish.sinceMs()).toBe(since)
  wish.failed(new ApiProblem({ status: 422, code: 'field_invalid', detail: '' }))
  const later = wish.sinceMs()
  expect(later).toBeGreaterThan(since)
  wish.done()
  expect(wish.sinceMs()).toBeGreaterThan(later)
})
