import type { Fault } from '../../core/faults.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { isLostConnection } from '../../upstreams/connection-error.ts'

/** How an attempt ended, as far as it concerns its target. */
export interface AttemptEnd {
  readonly fault: Fault
  /** Of the upstream's answer; 0: none came. */
  readonly status: number
  /** The upstream's own code for the error, where it named one. */
  readonly code: string | null
  /** The request reached a connection. */
  readonly isSent: boolean
}

/**
 * Codes by which providers say that an account has no money left, whatever the status: OpenAI's guide to error codes,
 * DeepSeek's and Moonshot's lists of errors. A closed list: words of messages are never looked at.
 */
const NO_CREDIT_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'exceeded_current_quota_error',
])
const CREDENTIAL_CODES: ReadonlySet<string> = new Set(['invalid_api_key', 'API_KEY_INVALID', 'account_deactivated'])

/** What kind of failure of its target an attempt was; null: it tells nothing bad of the target. */
export function failureOfAttempt({ fault, status, code, isSent }: AttemptEnd): FailureClass | null {
  const ofAccount = code !== null && status !== 0 ? ofCode(code) : null
  if (ofAccount !== null) return ofAccount
  if (fault.code === 'upstream_rate_limited') return 'rate_limited'
  if (fault.code === 'upstream_malformed') return 'malformed'
  if (fault.code === 'upstream_unavailable') return ofStatus(status, { fault, isSent })
  if (fault.code === 'upstream_timeout') return isSent ? 'timed_out' : 'unreachable'
  // Without a connection it was our own bound of requests at a time.
  return fault.code === 'upstream_overloaded' && isSent ? 'overloaded' : null
}

function ofCode(code: string): FailureClass | null {
  if (NO_CREDIT_CODES.has(code)) return 'no_credit'
  return CREDENTIAL_CODES.has(code) ? 'credential' : null
}

function ofStatus(status: number, { fault, isSent }: { fault: Fault; isSent: boolean }): FailureClass {
  switch (status) {
    // A kept-alive connection may be closed just as it is used.
    case 0:
      return isSent || isLostConnection(fault.cause) ? 'broken_off' : 'unreachable'
    case 401:
      return 'credential'
    case 402:
      return 'no_credit'
    // A credential that may not use this model may use others, unless the code says more.
    case 403:
    case 404:
      return 'missing'
    default:
      return status < 300 ? 'broken_off' : 'failed'
  }
}
