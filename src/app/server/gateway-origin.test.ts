import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { requestOrigins } from './gateway-origin.ts'

function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const behind = requestOrigins({ trustedProxies: ['10.0.0.0/8', '::1/128'], publicUrl: null })

test('X-Forwarded-For of a stranger is not believed', () => {
  const from = request('203.0.113.9', { 'x-forwarded-for': '198.51.100.7' })
  expect(behind.addressOf(from)).toBe('203.0.113.9')
})

test('behind trusted proxies the caller is the rightmost address that is not one of them', () => {
  const from = request('10.0.0.2', { 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.0.0.3' })
  expect(behind.addressOf(from)).toBe('198.51.100.7')
})

test.for([
  ['6.6.6.6, 198.51.100.7:4711', '198.51.100.7'],
  ['6.6.6.6, [2001:db8::7]:4711', '2001:db8::7'],
  ['6.6.6.6, unknown', '10.0.0.2'],
  ['6.6.6.6, ', '10.0.0.2'],
  ['10.0.0.3', '10.0.0.2'],
])('what stands left of the last hop is not believed: %s', ([forwarded = '', address]) => {
  expect(behind.addressOf(request('10.0.0.2', { 'x-forwarded-for': forwarded }))).toBe(address)
})

test('an IPv4 address that came over an IPv6 socket is an IPv4 address', () => {
  expect(behind.addressOf(request('::ffff:203.0.113.9'))).toBe('203.0.113.9')
})

test('the origin is the public one when there is one, else the request’s host', () => {
  const from = request('127.0.0.1', { host: 'gateway.test:8787', 'x-forwarded-proto': 'https' })
  expect(behind.originOf(from)).toBe('http://gateway.test:8787')
  expect(requestOrigins({ trustedProxies: [], publicUrl: 'https://ai.test' }).originOf(from)).toBe('https://ai.test')
})

test('a host header other than a host does not come back in an origin', () => {
  expect(behind.originOf(request('127.0.0.1', { host: 'x"><script>' }))).toBe('http://localhost')
})

// from: pocketpaw/pocketpaw#958, librefang/librefang#5581
test.for([
  ['https', 'https://gateway.test'],
  ['HTTPS', 'https://gateway.test'],
  ['https,http', 'https://gateway.test'],
  [' Https , http, http', 'https://gateway.test'],
  ['http,https', 'http://gateway.test'],
  ['httpsx', 'http://gateway.test'],
  ['', 'http://gateway.test'],
])('the first of the schemes that trusted proxies name is the browser’s: %j', ([scheme = '', origin]) => {
  const headers = { host: '10.0.0.1:8787', 'x-forwarded-proto': scheme, 'x-forwarded-host': 'gateway.test, inner.test' }
  expect(behind.originOf(request('10.0.0.2', headers))).toBe(origin)
  expect(behind.originOf(request('203.0.113.9', headers))).toBe('http://10.0.0.1:8787')
})

test.for([
  ['/gateway', 'https://gateway.test/gateway'],
  ['/gateway/', 'https://gateway.test/gateway'],
  ['/a/b-c_d.e~f', 'https://gateway.test/a/b-c_d.e~f'],
  ['/inner, /outer', 'https://gateway.test/inner'],
  ['', 'https://gateway.test'],
  ['/', 'https://gateway.test'],
  ['gateway', 'https://gateway.test'],
  ['//evil.test', 'https://gateway.test'],
  ['/../up', 'https://gateway.test'],
  ['/a"><script>', 'https://gateway.test'],
  ['/a?b', 'https://gateway.test'],
  [`/${'a'.repeat(300)}`, 'https://gateway.test'],
])('the path that a trusted proxy serves us under is a part of the address: %j', ([prefix = '', address]) => {
  const headers = { host: 'gateway.test', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': prefix }
  expect(behind.originOf(request('10.0.0.2', headers))).toBe(address)
  expect(behind.originOf(request('203.0.113.9', headers))).toBe('http://gateway.test')
})
