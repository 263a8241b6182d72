import type { Fault } from '../../core/faults.ts'
import type { AttemptObstacle } from '../../core/model-list-results.ts'
import type { Attempt } from '../../metering/usage/usage-record.ts'
import { unreachableBy } from '../../upstreams/why-unreachable.ts'
import { isRedirect } from '../upstream-faults.ts'

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
