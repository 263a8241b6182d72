import type { IncomingHttpHeaders } from 'node:http'
import { withoutKeys } from '../../causes/pasted-parts.ts'
import type { Fault } from '../../core/faults.ts'
import { KEPT_WORDS_CHARACTERS } from '../../core/limits.ts'
import type { AttemptObstacle } from '../../core/model-list-results.ts'
import type { Attempt } from '../../metering/usage/usage-record.ts'
import type { AccountFailure } from '../../routing/account-refusals.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { isLostConnection, isProxyFailure } from '../../upstreams/connection-error.ts'
import { unreachableBy } from '../../upstreams/why-unreachable.ts'
import type { AttemptClass } from '../request-observer.ts'
import { isRedirect, withoutSecrets } from '../upstream-faults.ts'

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

/** Why an attempt got no answer that is one, for admins: nothing of it is for callers. */
export interface Obstacle {
  readonly why: AttemptObstacle
  /** Scheme and host that the base URL redirects to, where they can be read. */
  readonly redirectsTo?: string
}

/** Known by the status and the code of an error, never by its words; null: an answer came, or nothing says why none did. */
export function obstacleOf({
  fault,
  status,
  redirectsTo,
}: {
  readonly fault: Fault | null
  readonly status: number
  readonly redirectsTo: string | null
}): Obstacle | null {
  if (isRedirect(status)) return { why: 'redirect', ...(redirectsTo === null ? {} : { redirectsTo }) }
  if (fault === null || status !== 0) return null
  const why = unreachableBy(fault.cause)
  return why === null ? null : { why }
}

/**
 * What the record says of a request that went out twice, since the kept connection that took it was lost: the upstream may have
 * read both. The first ends where another connection took it, as nothing is known of the time before. `noted`: all of it.
 */
export function sentTwice({ connectMs, ...noted }: Attempt): readonly [lost: Attempt, again: Attempt] {
  const { upstreamName, model, totalMs, atMs, headMs } = noted
  const lostMs = connectMs ?? totalMs
  const at = (ms: number) => (atMs === undefined ? {} : { atMs: atMs + ms })
  const lost = { fault: 'upstream_unavailable', status: null, why: 'connection_closed' } as const
  return [
    { upstreamName, model, ...lost, totalMs: lostMs, ...at(0) },
    {
      ...noted,
      totalMs: totalMs - lostMs,
      ...at(lostMs),
      ...(headMs === undefined ? {} : { headMs: headMs - lostMs }),
    },
  ]
}

/** Scheme and host of a redirect; null: it names none, or none that is HTTP. `baseUrl`: what a relative one is below. */
export function redirectTarget(location: string | undefined, baseUrl: string): string | null {
  const url = location === undefined ? null : URL.parse(location, baseUrl)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin.length <= LONGEST_ORIGIN ? url.origin : null
}

const LONGEST_ORIGIN = 200

/** An error of these speaks of the credential, its account, its limits or the model. Any other may quote what was asked. */
const ABOUT_THE_UPSTREAM: ReadonlySet<FailureClass> = new Set([
  'credential',
  'no_credit',
  'not_found',
  'rate_limited',
  'overloaded',
  'request_exceeds_limit',
])

/** What is kept, for admins, of an upstream's words about an attempt that failed; null: nothing is (decision 0093). */
export function errorExcerpt(
  words: string | null,
  { failure, secrets }: { readonly failure: FailureClass | null; readonly secrets: readonly string[] },
): string | null {
  return words === null || failure === null || !ABOUT_THE_UPSTREAM.has(failure) ? null : cleanExcerpt(words, secrets)
}

/** An upstream's words on one line, bounded, and without its address and credential; null: nothing is left. */
export function cleanExcerpt(words: string, secrets: readonly string[]): string | null {
  // Cut first: a long text is not searched for more than is kept.
  const start = words.slice(0, 4 * KEPT_WORDS_CHARACTERS)
  const plain = withoutKeys(withoutSecrets(start, secrets))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (plain === '') return null
  return plain.length <= KEPT_WORDS_CHARACTERS ? plain : `${plain.slice(0, KEPT_WORDS_CHARACTERS - 1)}…`
}

/** OpenAI and those like it, Anthropic, Amazon Bedrock, Azure: each provider's API reference. */
const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-ms-request-id'] as const
const FORM = /^[!-~]{1,100}$/

/** What an upstream calls a request in its own logs, by which its support finds it; null: nothing, or what we called it. */
export function upstreamRequestId(headers: IncomingHttpHeaders, ownId: string): string | null {
  for (const name of NAMES) {
    const id = headers[name]
    if (typeof id === 'string' && id !== ownId && FORM.test(id)) return id
  }
  return null
}

/** Shorter names of models may be words of the sentence. */
const SHORTEST_CHARACTERS = 4

/**
 * An upstream's words with the client's name of the model in the place of the upstream's, with or without the version that
 * the upstream appends: which model serves a name is the admin's affair, and the client has never heard of the other.
 */
export function withClientsModelName(message: string, names: { upstream: string; client: string }): string {
  const { upstream, client } = names
  if (upstream === client || upstream.length < SHORTEST_CHARACTERS) return message
  const pattern = new RegExp(`(?<![\\w-])${RegExp.escape(upstream)}(?:[-@:.]\\w+)*(?!\\w)`, 'gi')
  return message.replace(pattern, () => client)
}
