import { expect, test } from 'vitest'
import { statusFromErrorBody } from './status-from-error-body.ts'

test.for([
  [{ code: 'rate_limit_exceeded', type: null }, 429],
  [{ code: 'server_error', type: null }, 500],
  [{ code: 'invalid_prompt', type: null }, 400],
  [{ code: null, type: 'overloaded_error' }, 529],
  [{ code: null, type: 'invalid_request_error' }, 400],
  [{ code: '503', type: 'UNAVAILABLE' }, 503],
  [{ code: 'SOME_REASON', type: 'RESOURCE_EXHAUSTED' }, 429],
  [{ code: 'insufficient_system_resource', type: 'upstream_error' }, 503],
  // A code says more than the type beside it.
  [{ code: 'insufficient_quota', type: 'invalid_request_error' }, 402],
  // Nothing that is known: the upstream failed.
  [{ code: null, type: null }, 500],
  [{ code: '200', type: 'constructor' }, 500],
] as const)('an error %j within an answer stands for status %i', ([named, status]) => {
  expect(statusFromErrorBody({ message: 'rate limit, overloaded, invalid request', param: null, ...named })).toBe(
    status,
  )
})
