import { Fault } from '../core/faults.ts'

/** What can go wrong between the gateway and an upstream, beside what the system reports with codes of its own. */
export type ConnectionErrorCode =
  /** The other side closed the connection, or it was lost, before the answer was whole. */
  | 'UPSTREAM_CLOSED'
  | 'UPSTREAM_CONNECT_TIMEOUT'
  /** The upstream answers with something that is not HTTP, or not strictly so. */
  | 'UPSTREAM_MALFORMED'
  /** The request has a header or path that cannot be written as HTTP. Nothing was sent. */
  | 'UPSTREAM_REQUEST_INVALID'
  /** The proxy on the way could not be reached, or speaks something else. Nothing was sent, as with all failures of a proxy. */
  | 'UPSTREAM_PROXY_FAILED'
  /** The proxy wants a login, or another one. */
  | 'UPSTREAM_PROXY_LOGIN'
  /** The proxy does not let this gateway through to the upstream. */
  | 'UPSTREAM_PROXY_REFUSED'
  /** The proxy could not reach the upstream itself. */
  | 'UPSTREAM_PROXY_NO_ROUTE'
  /** The gateway itself closed the pool. */
  | 'UPSTREAM_RETIRED'

export class ConnectionError extends Error {
  readonly code: ConnectionErrorCode
  /** The status that a proxy over HTTP answered with; null: there is none. */
  readonly status: number | null

  constructor(code: ConnectionErrorCode, message: string, status: number | null = null) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Whether a connection was lost that had been made, as a kept-alive one that the other side closed just then. */
export function isLostConnection(cause: unknown): boolean {
  const code = codeOf(cause)
  return code === 'UPSTREAM_CLOSED' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** Whether the proxy on the way failed, and not the upstream. */
export function isProxyFailure(cause: unknown): boolean {
  return codeOf(cause).startsWith('UPSTREAM_PROXY_')
}

/** The Fault for an error of a connection, with the error as its cause for the log. */
export function faultOf(error: unknown): Fault {
  if (isTimeout(error)) {
    return new Fault('upstream_timeout', 'The model did not answer in time. Try again, or ask for less.', {
      cause: error,
    })
  }
  if (codeOf(error) === 'UPSTREAM_MALFORMED') {
    return new Fault('upstream_malformed', 'The model sent a response that cannot be read. Try again.', {
      cause: error,
    })
  }
  return new Fault('upstream_unavailable', 'The model cannot be reached right now. Try again in a moment.', {
    facts: { why: 'unreachable' },
    cause: error,
  })
}

/** All addresses of a host were tried: one that was silent means that there was no answer in time. */
function isTimeout(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some((one) => codeOf(one) === 'ETIMEDOUT')) return true
  const code = codeOf(error)
  return code === 'ETIMEDOUT' || code === 'UPSTREAM_CONNECT_TIMEOUT'
}

/** The code of an error of the system or of a connection; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
