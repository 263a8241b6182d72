import type { Unreachable } from '../core/model-list-results.ts'

/** Codes of Node (nodejs.org/api/errors.html) and of our own connections; the message may hold the address. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Its host name is not known.',
  EAI_AGAIN: 'Its host name could not be looked up right now.',
  ECONNREFUSED: 'Nothing listens at its address: the connection was refused.',
  ECONNRESET: 'It closed the connection before it answered.',
  UPSTREAM_CLOSED: 'It closed the connection before it answered.',
  ETIMEDOUT: 'No connection could be made in time.',
  UPSTREAM_CONNECT_TIMEOUT: 'No connection could be made in time.',
  UPSTREAM_PROXY_FAILED: 'The proxy to it could not be reached, or refused: check proxy_url.',
  UPSTREAM_MALFORMED: 'Its answer is not HTTP: does it want https?',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a trusted authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a trusted authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host name.',
}

/** Why an upstream could not be reached, for admins: by the error's code, never by its words. */
export function whyUnreachable(cause: unknown): string {
  const code = codeOf(cause)
  if (Object.hasOwn(CAUSES, code)) return CAUSES[code] ?? ''
  return code === '' ? 'It could not be reached.' : `It could not be reached (${code}).`
}

/** The same as one of a few kinds. */
export function kindOfUnreachable(cause: unknown): Unreachable {
  const code = codeOf(cause)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host_unknown'
  if (code === 'UPSTREAM_MALFORMED') return 'not_http'
  return /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code) ? 'tls_failed' : 'unreachable'
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
