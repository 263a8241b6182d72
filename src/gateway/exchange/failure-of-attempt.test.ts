import { expect, test } from 'vitest'
import { ConnectionError, faultOf } from '../../upstreams/connection-error.ts'
import { failureOfAttempt } from './failure-of-attempt.ts'

test.for([
  ['no connection was made in time', false, 'unreachable'],
  ['an answer did not come in time', true, 'timed_out'],
] as const)('an attempt at which %s is a failure of its own kind', ([, isSent, failure]) => {
  const fault = faultOf(new ConnectionError('UPSTREAM_CONNECT_TIMEOUT', 'no connection within 10000 ms'))
  expect(failureOfAttempt({ fault, status: 0, account: null, isSent, hasRoom: false })).toBe(failure)
})
