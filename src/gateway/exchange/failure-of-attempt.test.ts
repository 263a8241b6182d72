import { expect, test } from 'vitest'
import { explainedFault } from '../../causes/explained-fault.ts'
import { ConnectionError, faultOf } from '../../upstreams/connection-error.ts'
import { failureOfAttempt } from './attempt-outcome.ts'

test.for([
  ['no connection was made in time', false, 'unreachable'],
  ['an answer did not come in time', true, 'timed_out'],
] as const)('an attempt at which %s is a failure of its own kind', ([, isSent, failure]) => {
  const fault = faultOf(new ConnectionError('UPSTREAM_CONNECT_TIMEOUT', 'no connection within 10000 ms'))
  expect(failureOfAttempt({ fault, status: 0, account: null, isSent, hasRoom: false })).toBe(failure)
})

test.for([301, 302, 303, 307, 308])(
  'a redirect with %i is a path that is not there, which only an admin can fix',
  (status) => {
    const fault = explainedFault('upstream_unavailable', { why: 'redirect' })
    expect(failureOfAttempt({ fault, status, account: null, isSent: true, hasRoom: false })).toBe('not_found')
  },
)
