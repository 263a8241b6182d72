/** How a connection could not be made safe. */
export type TlsFailure =
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'certificate_untrusted'
  | 'certificate_of_other_host'
  /** What answers is not TLS. */
  | 'not_tls'
  /** Versions, ciphers, or what else the two sides must agree on. */
  | 'disagreement'

/** Codes of Node and of OpenSSL (nodejs.org/api/errors.html, nodejs.org/api/tls.html#x509-certificate-error-codes). */
const FAILURES: Readonly<Record<string, TlsFailure>> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  CERT_UNTRUSTED: 'certificate_untrusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_other_host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not_tls',
  ERR_SSL_RECORD_LAYER_FAILURE: 'not_tls',
  ERR_SSL_HTTP_REQUEST: 'not_tls',
  ERR_SSL_UNKNOWN_PROTOCOL: 'not_tls',
}

/** The failure by the code of an error, never by its words, which may hold an address; null: the error is of something else than TLS. */
export function tlsFailureOf(code: string): TlsFailure | null {
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code] ?? null
  return /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code) ? 'disagreement' : null
}
