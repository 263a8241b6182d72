/**
 * What kind of failure an attempt at a target met: known by statuses, codes and events, never by the words of a
 * message, but for a closed table of answers that say of an account that it has no credit (`account-refusals.ts`).
 *
 * - `rate_limited`, `overloaded`: the upstream asks to be left alone for a while.
 * - `request_exceeds_limit`: it has room for others, and not for this request.
 * - `unreachable`: no connection, or one that was lost before an answer came.
 * - `proxy`: the proxy on the way there failed, and the upstream was not asked.
 * - `failed`, `timed_out`, `malformed`, `broken_off`: it was asked and did not answer as it should have.
 * - `not_found`: it does not know the model or the path, redirects, or does not let this credential use it.
 * - `credential`, `no_credit`: it refuses the credential, or the credential's account has no money left.
 */
export type FailureClass =
  | 'rate_limited'
  | 'overloaded'
  | 'request_exceeds_limit'
  | 'unreachable'
  | 'proxy'
  | 'failed'
  | 'timed_out'
  | 'malformed'
  | 'broken_off'
  | 'not_found'
  | 'credential'
  | 'no_credit'

/** How a target is treated that failed in one way. */
interface Treatment {
  /** One such failure is enough to leave the target alone; else it takes several in a row, since a request may be to blame. */
  readonly restsAtOnce: boolean
  /** No target of the upstream will do any better with this credential. */
  readonly concernsCredential: boolean
  /** Other credentials of the upstream are likely to do no better. */
  readonly concernsUpstream: boolean
  /** Waiting does not heal it: an admin has to set something right. */
  readonly needsAdmin: boolean
}

const NEVER = { restsAtOnce: false, concernsCredential: false, concernsUpstream: false, needsAdmin: false }
const HELD: Treatment = { ...NEVER, restsAtOnce: true, concernsCredential: true, needsAdmin: true }
const PERHAPS: Treatment = { ...NEVER, concernsUpstream: true }

const TREATMENTS: Readonly<Record<FailureClass, Treatment>> = {
  rate_limited: { ...NEVER, restsAtOnce: true },
  overloaded: { ...NEVER, restsAtOnce: true, concernsUpstream: true },
  unreachable: { ...NEVER, restsAtOnce: true, concernsUpstream: true },
  proxy: { ...NEVER, restsAtOnce: true, concernsUpstream: true },
  not_found: { ...NEVER, needsAdmin: true },
  request_exceeds_limit: PERHAPS,
  failed: PERHAPS,
  timed_out: PERHAPS,
  malformed: PERHAPS,
  broken_off: PERHAPS,
  credential: HELD,
  no_credit: HELD,
}

export function treatmentOf(failure: FailureClass): Treatment {
  return TREATMENTS[failure]
}
