import { bareOrigin } from '../../core/site-path.ts'
import { confirmationNeeded, Problem } from '../problem.ts'
import { isFresh } from '../sign-in/session/freshness.ts'
import { type Actor, requireRight } from '../who/actor.ts'
import type { Credentials } from '../who/authenticate.ts'
import type { ApiRoute } from './route.ts'

/** Throws the Problem that keeps this actor from this route. */
export function authorise(actor: Actor, route: ApiRoute, credentials: Credentials): void {
  const { isReadOnly, needsSession, needsConfirmation } = route.limits
  if (actor.kind === 'session' && route.method !== 'get') refuseCrossSite(credentials)
  if (route.who !== 'anyone' && route.who !== 'account') requireRight(actor, route.who)
  if (actor.kind === 'access_token' && actor.scope === 'read' && !isReadOnly) {
    throw new Problem('scope_insufficient', 'This access token may only read. Create one with the scope "write".')
  }
  if (needsSession && actor.kind !== 'session') {
    throw new Problem('session_needed', 'This requires a session: sign in to the console and do it there.')
  }
  if (needsConfirmation && actor.kind === 'session' && !isFresh(actor.session, credentials.nowMs)) {
    throw confirmationNeeded()
  }
}

/** A cookie is sent by the browser whichever page asks, so a write must not come from another site's. Throws Problem. */
export function refuseCrossSite({ headers, origin }: Credentials): void {
  if (!isCrossSite(headers, origin)) return
  throw new Problem(
    'cross_site',
    'Browsers may only send writes from the console itself, and this request comes from another origin. Behind a reverse proxy, set TOLLGATE_PUBLIC_URL or TOLLGATE_TRUSTED_PROXIES.',
  )
}

/**
 * Whether a write that acts with the cookie's rights comes from another site. Browsers say where it comes from in
 * `Sec-Fetch-Site` (on trustworthy origins) or in `Origin` (on every write, the Fetch standard); no page can set either.
 * A request with neither comes from a program that sends its own cookie, not from a browser. `origin`: the gateway's address as the browser has it.
 */
function isCrossSite(headers: Headers, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  // The browser's own statement, good also behind a reverse proxy that is not configured as trusted.
  if (site === 'same-origin') return false
  if (site !== null && site !== 'none') return true
  const named = headers.get('origin')
  return named !== null && named !== bareOrigin(origin) && URL.parse(named)?.host !== headers.get('host')
}
