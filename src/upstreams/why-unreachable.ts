import type { AttemptObstacle, Unreachable } from '../core/model-list-results.ts'
import { codeOf, ConnectionError } from './connection-error.ts'
import { type TlsFailure, tlsFailureOf } from '../core/tls-failure.ts'

interface Cause {
  readonly kind: Unreachable
  /** The sentence for admins. */
  readonly sentence: string
}

const NOT_FOUND: Cause = { kind: 'host_unknown', sentence: 'Its host name is not known.' }
const CLOSED: Cause = { kind: 'connection_closed', sentence: 'It closed the connection before it answered.' }
const TOO_LATE: Cause = { kind: 'connect_timeout', sentence: 'No connection could be made in time.' }
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
    sentence: 'The proxy to it could not be reached, or is not such a proxy: check proxy_url.',
  },
  UPSTREAM_PROXY_LOGIN: {
    kind: 'proxy_login',
    sentence: 'The proxy to it wants a login, or another one (407): check the user name and the password in proxy_url.',
  },
  UPSTREAM_PROXY_REFUSED: {
    kind: 'proxy_refused',
    sentence: 'The proxy to it does not let this gateway through: allow the host and port of the upstream there.',
  },
  UPSTREAM_PROXY_NO_ROUTE: {
    kind: 'proxy_no_route',
    sentence: 'The proxy to it could not reach the upstream: check base_url, and what the proxy may reach.',
  },
  UPSTREAM_MALFORMED: { kind: 'not_http', sentence: 'Its answer is not HTTP: does it want https?' },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
}

const TLS_CAUSES: Readonly<Record<TlsFailure, Cause | null>> = {
  certificate_expired: { kind: 'certificate_expired', sentence: 'Its certificate has expired.' },
  certificate_untrusted: {
    kind: 'certificate_untrusted',
    sentence: 'Its certificate is not signed by a trusted authority.',
  },
  certificate_not_yet_valid: {
    kind: 'certificate_untrusted',
    sentence: 'Its certificate is not valid yet: check the clock of this machine.',
  },
  certificate_of_other_host: {
    kind: 'certificate_of_other_host',
    sentence: 'Its certificate is for another host name.',
  },
  not_tls: {
    kind: 'not_tls',
    sentence: 'It does not speak TLS at this port: use http, or a port that serves TLS.',
  },
  disagreement: null,
}

/** Why an upstream could not be reached, for admins: by the error's code, never by its words. */
export function whyUnreachable(cause: unknown): string {
  const code = codeOf(cause)
  const known = causeOf(code)?.sentence
  if (known !== undefined) return withStatus(known, cause)
  if (tlsFailureOf(code) !== null) return `It and this gateway do not agree on TLS (${code}).`
  return code === '' ? 'It could not be reached.' : `It could not be reached (${code}).`
}

/** The status with which a proxy answered, before what to do about it. One of SOCKS answers without. */
function withStatus(sentence: string, cause: unknown): string {
  const plain = sentence.replace(' (407)', '')
  const status = cause instanceof ConnectionError ? cause.status : null
  return status === null ? plain : plain.replace(':', ` (${status}):`)
}

/** The reason as one of a few kinds, for callers that say it in another language. */
export function kindOfUnreachable(cause: unknown): Unreachable {
  const code = codeOf(cause)
  return causeOf(code)?.kind ?? (tlsFailureOf(code) === null ? 'unreachable' : 'tls_failed')
}

/** What an admin reads of an attempt that got no answer that is one, by its kind. */
export function sentenceOfObstacle(why: AttemptObstacle): string {
  return (
    SENTENCES[why] ??
    [...Object.values(CAUSES), ...Object.values(TLS_CAUSES)].find((cause) => cause?.kind === why)?.sentence ??
    'It could not be reached.'
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
  if (Object.hasOwn(CAUSES, code)) return CAUSES[code]
  const failure = tlsFailureOf(code)
  return failure === null ? undefined : (TLS_CAUSES[failure] ?? undefined)
}
