import { expect, test } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { createIdempotencyKey, type IdempotencyKey } from './idempotency-key.ts'

function counted(): IdempotencyKey {
  let made = 0
  let nowMs = 1_000
  return createIdempotencyKey(
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
  const key = counted()
  expect(key.current()).toBe('key 1')
  key.failed(new ApiProblem({ status, code, detail: '' }))
  expect(key.current()).toBe('key 1')
})

test('what is not a problem of the API, such as a request that was given up, may have been done too', () => {
  const key = counted()
  key.current()
  key.failed(new DOMException('given up', 'AbortError'))
  expect(key.current()).toBe('key 1')
})

test.for([
  [422, 'field_invalid'],
  [401, 'credentials_wrong'],
  [409, 'idempotency_unclear'],
  [422, 'idempotency_conflict'],
  [429, 'too_many_requests'],
] as const)(
  'a refusal of the gateway itself (%i %s) ends its idempotency key: the next press has another',
  ([status, code]) => {
    const key = counted()
    key.current()
    key.failed(new ApiProblem({ status, code, detail: '' }))
    expect(key.current()).toBe('key 2')
  },
)

test('what was done has another idempotency key when it is pressed again', () => {
  const key = counted()
  key.current()
  key.done()
  expect(key.current()).toBe('key 2')
})

test('the moment of a change is that of its first try, and another change has its own', () => {
  const key = counted()
  const since = key.sinceMs()
  key.current()
  key.failed(new ApiProblem({ status: 0, code: 'unreachable', detail: '' }))
  expect(key.sinceMs()).toBe(since)
  key.failed(new ApiProblem({ status: 422, code: 'field_invalid', detail: '' }))
  const later = key.sinceMs()
  expect(later).toBeGreaterThan(since)
  key.done()
  expect(key.sinceMs()).toBeGreaterThan(later)
})
