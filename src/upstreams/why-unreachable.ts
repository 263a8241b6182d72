import type { AttemptObstacle, Unreachable } from '../core/model-list-results.ts'

interface Cause {
  readonly kind: Unreachable
  /** For admins. */
  readonly sentence: string
}

const NOT_FOUND: Cause = { kind: 'host_unknown', sentence: 'Its host name is not known.' }
const CLOSED: Cause = { kind: 'connection_closed', sentence: 'It closed the connection before it answered.' }
const TOO_LATE: Cause = { kind: 'connect_timeout', sentence: 'No connection could be made in time.' }
const UNTRUSTED: Cause = {
  kind: 'certificate_untrusted',
  sentence: 'Its certificate is not signed by a trusted authority.',
}

const NOT_TLS: Cause = {
  kind: 'not_tls',
  sentence: 'It does not speak TLS at this port: use http, or a port that serves TLS.',
}
const NO_ROUTE: Cause = {
  kind: 'unreachable',
  sentence: 'It cannot be reached from this machine: there is no route to its address.',
}

/** Codes of Node (nodejs.org/api/errors.html) and of our own connections; the message may hold the address. */
const CAUSES: Readonly<Record<string, Cause>> = {
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: { ...NOT_FOUND, sentence: 'Its host name could not be looked up right now.' },
  ECONNREFUSED: {
    kind: 'connection_refused',
    sentence: 'Nothing listens at its address: the connection was refused.',
  },
  ECONNRESET: CLOSED,
  UPSTREAM_CLOSED: CLOSED,
  ETIMEDOUT: TOO_LATE,
  UPSTREAM_CONNECT_TIMEOUT: TOO_LATE,
  UPSTREAM_PROXY_FAILED: {
    kind: 'proxy_failed',
    sentence: 'The proxy to it could not be reached, or refused: check proxy_url.',
  },
  UPSTREAM_MALFORMED: { kind: 'not_http', sentence: 'Its answer is not HTTP: does it want https?' },
  CERT_HAS_EXPIRED: { kind: 'certificate_expired', sentence: 'Its certificate has expired.' },
  CERT_NOT_YET_VALID: {
    kind: 'certificate_untrusted',
    sentence: 'Its certificate is not valid yet: check the clock of this machine.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    kind: 'certificate_of_other_host',
    sentence: 'Its certificate is for another host name.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_RECORD_LAYER_FAILURE: NOT_TLS,
  ERR_SSL_HTTP_REQUEST: NOT_TLS,
  ERR_SSL_UNKNOWN_PROTOCOL: NOT_TLS,
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
}

/** Why an upstream could not be reached, for admins: by the error's code, never by its words. */
export function whyUnreachable(cause: unknown): string {
  const code = codeOf(cause)
  const known = causeOf(code)?.sentence
  if (known !== undefined) return known
  if (isOfTls(code)) return `It and this gateway do not agree on TLS (${code}).`
  return code === '' ? 'It could not be reached.' : `It could not be reached (${code}).`
}

/** The same as one of a few kinds, for those who say it in another language. */
export function kindOfUnreachable(cause: unknown): Unreachable {
  const code = codeOf(cause)
  return causeOf(code)?.kind ?? (isOfTls(code) ? 'tls_failed' : 'unreachable')
}

function isOfTls(code: string): boolean {
  return /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(code)
}

/** What an admin reads of an attempt that got no answer that is one, by its kind. */
export function sentenceOfObstacle(why: AttemptObstacle): string {
  return (
    SENTENCES[why] ?? Object.values(CAUSES).find(({ kind }) => kind === why)?.sentence ?? 'It could not be reached.'
  )
}

const SENTENCES: Partial<Record<AttemptObstacle, string>> = {
  redirect: 'Its base URL redirects: enter the URL that it redirects to.',
  tls_failed: 'No secure connection could be made: check its certificate and the versions of TLS that it speaks.',
}

/** The kind of a failed connection by the error that it ended with; null: its code does not say so. */
export function unreachableBy(cause: unknown): Unreachable | null {
  const code = codeOf(cause)
  const isOfSystem = /^E[A-Z]{3,}|CERT|TLS|SSL|SIGNATURE/.test(code)
  return causeOf(code)?.kind ?? (isOfSystem ? kindOfUnreachable(cause) : null)
}

function causeOf(code: string): Cause | undefined {
  return Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
