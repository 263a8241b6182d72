import type { AttemptClass } from '../request-observer.ts'
import type { Fault } from '../../core/faults.ts'
import type { AccountFailure } from '../../routing/account-refusals.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { isRedirect } from '../upstream-faults.ts'
import { isLostConnection, isProxyFailure } from '../../upstreams/connection-error.ts'

/** How an attempt ended, as far as it concerns its target. */
export interface AttemptEnd {
  readonly fault: Fault
  /** The status of the upstream's answer, or the one that its error names within a good one; 0: none came. */
  readonly status: number
  /** What the upstream's error says of the credential or its account. */
  readonly account: AccountFailure | null
  /** The request reached a connection. */
  readonly isSent: boolean
  /** Something is left of each limit that the answer names. */
  readonly hasRoom: boolean
}

/** What kind of failure of its target an attempt was; null: it tells nothing bad of the target. */
export function failureOfAttempt({ fault, status, account, isSent, hasRoom }: AttemptEnd): FailureClass | null {
  if (account !== null) return account
  if (fault.code === 'upstream_rate_limited') return hasRoom ? 'request_exceeds_limit' : 'rate_limited'
  if (fault.code === 'upstream_malformed') return 'malformed'
  if (fault.code === 'upstream_unavailable') return ofStatus(status, { fault, isSent })
  if (fault.code === 'upstream_timeout') return isSent ? 'timed_out' : 'unreachable'
  // Without a connection it was our own bound of requests at a time.
  return fault.code === 'upstream_overloaded' && isSent ? 'overloaded' : null
}

function ofStatus(status: number, { fault, isSent }: { fault: Fault; isSent: boolean }): FailureClass {
  switch (status) {
    // A kept-alive connection may be closed just as it is used.
    case 0:
      if (isProxyFailure(fault.cause)) return 'proxy'
      return isSent || isLostConnection(fault.cause) ? 'broken_off' : 'unreachable'
    case 401:
      return 'credential'
    case 402:
      return 'no_credit'
    // A credential that may not use this model may use others, unless the code says more.
    case 403:
    case 404:
      return 'not_found'
    default:
      // What is asked for is elsewhere.
      if (isRedirect(status)) return 'not_found'
      return status < 300 ? 'broken_off' : 'failed'
  }
}

/** `fault` null and no answer: the caller left, or the gateway ended it. */
export function classOf(
  failure: FailureClass | null,
  { fault, status, isCausedByUs }: { fault: Fault | null; status: number; isCausedByUs: boolean },
): AttemptClass {
  if (isCausedByUs || (fault === null && status === 0)) return 'cancelled'
  return failure ?? (fault === null ? 'ok' : 'rejected')
}
