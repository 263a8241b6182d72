import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { ConnectionError } from '../../upstreams/connection-error.ts'
import { obstacleOf, redirectTarget, sentTwice } from './attempt-outcome.ts'

const BASE = 'https://inner.example.test/v1'
const faultBy = (cause: unknown) => new Fault('upstream_unavailable', 'no', { cause })
const withCode = (code: string) => Object.assign(new Error('to 203.0.113.7:443'), { code })

test.for<[string | undefined, string | null]>([
  ['https://other.example.test/v1/x?key=hidden', 'https://other.example.test'],
  ['http://user:word@other.example.test:8080/#f', 'http://other.example.test:8080'],
  ['/v2/chat/completions', 'https://inner.example.test'],
  ['//other.example.test', 'https://other.example.test'],
  ['http://[', null],
  ['ftp://other.example.test/', null],
  ['javascript:alert(1)', null],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}/`, null],
  [undefined, null],
])('of the redirect to %s scheme and host are kept: %s', ([location, expected]) => {
  expect(redirectTarget(location, BASE)).toBe(expected)
})

test.for([
  ['ECONNREFUSED', 'connection_refused'],
  ['ENOTFOUND', 'host_unknown'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_tls'],
  ['UPSTREAM_MALFORMED', 'not_http'],
  ['UPSTREAM_PROXY_FAILED', 'proxy_failed'],
  ['UPSTREAM_PROXY_LOGIN', 'proxy_login'],
  ['UPSTREAM_PROXY_REFUSED', 'proxy_refused'],
  ['UPSTREAM_PROXY_NO_ROUTE', 'proxy_no_route'],
] as const)('%s is kept as %s', ([code, why]) => {
  expect(obstacleOf({ fault: faultBy(withCode(code)), status: 0, redirectsTo: null })).toEqual({ why })
})

test('an answer, an end of our own and an unknown error say nothing of the connection', () => {
  const retired = new ConnectionError('UPSTREAM_RETIRED', 'closed')
  for (const cause of [retired, new Error('x'), 'words', null, undefined]) {
    expect(obstacleOf({ fault: faultBy(cause), status: 0, redirectsTo: null })).toBeNull()
  }
  expect(obstacleOf({ fault: faultBy(withCode('ECONNRESET')), status: 200, redirectsTo: null })).toBeNull()
  expect(obstacleOf({ fault: null, status: 0, redirectsTo: null })).toBeNull()
})

test('of a request that went out twice the second sending follows the first, and both take as long as they did', () => {
  const about = { upstreamName: 'far', model: 'm', fault: null, status: 200 }
  expect(sentTwice({ ...about, totalMs: 90, atMs: 5, connectMs: 20, headMs: 60 })).toEqual([
    { ...about, fault: 'upstream_unavailable', status: null, why: 'connection_closed', totalMs: 20, atMs: 5 },
    { ...about, totalMs: 70, atMs: 25, headMs: 40 },
  ])
  // No other connection came.
  const [lost, again] = sentTwice({ ...about, fault: 'upstream_unavailable', status: null, totalMs: 90, atMs: 5 })
  expect([lost.totalMs, again.totalMs, again.atMs]).toEqual([90, 0, 95])
})
