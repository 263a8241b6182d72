import { expect, test } from 'vitest'
import { kindOfUnreachable, whyUnreachable } from './why-unreachable.ts'

const failed = (code: string) => Object.assign(new Error('connect to 10.0.0.7:8443 failed'), { code })

test.for([
  ['EAI_AGAIN', 'host_unknown'],
  ['UPSTREAM_PROXY_FAILED', 'proxy_failed'],
  ['UPSTREAM_PROXY_LOGIN', 'proxy_login'],
  ['UPSTREAM_PROXY_REFUSED', 'proxy_refused'],
  ['UPSTREAM_PROXY_NO_ROUTE', 'proxy_no_route'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_of_other_host'],
  ['CERT_NOT_YET_VALID', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_untrusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'not_tls'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_failed'],
  ['EHOSTUNREACH', 'unreachable'],
  ['toString', 'unreachable'],
] as const)('%s is %s, and the sentence has no word of the error', ([code, kind]) => {
  expect(kindOfUnreachable(failed(code))).toBe(kind)
  expect(whyUnreachable(failed(code))).toMatch(/^(?:Its|The|It) .+\.$/)
  expect(whyUnreachable(failed(code))).not.toContain('10.0.0.7')
})

test('a port without TLS is named as one, without the code of OpenSSL', () => {
  expect(whyUnreachable(failed('ERR_SSL_WRONG_VERSION_NUMBER'))).toBe(
    'It does not speak TLS at this port: use http, or a port that serves TLS.',
  )
})

test('an error without a code is not explained further', () => {
  expect(kindOfUnreachable(new Error('CERT_HAS_EXPIRED'))).toBe('unreachable')
  expect(whyUnreachable('nothing')).toBe('It could not be reached.')
})
