import { bareOrigin } from '../../core/site-path.ts'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AuditNote } from '../../access/audit.ts'
import { FAULTS } from '../../core/faults.ts'
import { plainMessage } from '../../core/plain-fault.ts'
import { type Actor, actorId, requireRight } from '../who/actor.ts'
import { authenticate, type AuthenticateParts, type Credentials } from '../who/authenticate.ts'
import { seenAs } from './see-as.ts'
import { ANONYMOUS_BODY_LIMIT_BYTES, CONTROL_BODY_LIMIT_BYTES } from '../../core/limits.ts'
import { checkedBody, checkedParameter, checkedQuery } from './checked-input.ts'
import type { Cursors } from './paging.ts'
import { confirmationNeeded, Problem } from '../problem.ts'
import { type ApiAnswer, readIdempotencyKey, runOnce } from './repeatable.ts'
import { readBody, readText } from './request-body.ts'
import type { ApiCall, ApiRoute } from './route.ts'
import { etagOf, isVersioned, requireVersion } from './version.ts'
import type { AddressThrottle, ChangeThrottle } from '../who/throttles.ts'
import { isFresh } from '../sign-in/session/freshness.ts'

export type HonoContext = Context<{ Bindings: HttpBindings; Variables: { requestId: string } }>

export interface ServingParts extends AuthenticateParts {
  readonly cursors: Cursors
  readonly changes: ChangeThrottle
  readonly addresses: AddressThrottle
}

/** Takes one request through everything that a route declares. Throws Problem. */
export async function serveRoute(route: ApiRoute, context: HonoContext, serving: ServingParts): Promise<Response> {
  const { parts } = serving
  const { incoming } = context.env
  if (parts.isClosed()) {
    throw new Problem('draining', plainMessage('draining'), { retryAfterSeconds: FAULTS.draining.retryAfterSeconds })
  }
  const credentials = credentialsOf(incoming, context, serving)
  // Signing in needs no session, and yet another site must not sign a browser in.
  if (route.who === 'anyone' && route.method !== 'get' && !route.limits.takesAnyBody) refuseCrossSite(credentials)
  const actor = route.who === 'anyone' ? null : await whoAsks(route, credentials, serving)
  if (actor !== null) authorise(actor, route, credentials)
  const url = new URL(context.req.url)
  const query = checkedQuery(route.query, url.searchParams)
  const params = Object.fromEntries(
    Object.entries(context.req.param()).map(([name, value]) => [name, checkedParameter(name, value)]),
  )
  const sent =
    route.method === 'get'
      ? null
      : route.limits.takesAnyBody
        ? { text: await readText(incoming, CONTROL_BODY_LIMIT_BYTES), value: null }
        : await readBody(incoming, route.who === 'anyone' ? ANONYMOUS_BODY_LIMIT_BYTES : CONTROL_BODY_LIMIT_BYTES)
  const body = sent === null || route.body === null ? null : checkedBody(route.body, sent.value)
  if (actor !== null && route.limits.asksAddress) serving.addresses.count(actor)
  const idempotencyKey = route.limits.isRepeatable
    ? readIdempotencyKey(context.req.header('idempotency-key') ?? null)
    : null
  const cookies: string[] = []
  const call: ApiCall = {
    ...credentials,
    ...pagingOf(url, { route, query }, serving.cursors),
    ...recording({ actor, credentials, serving }),
    requireVersion: (edit) => requireVersion(context.req.header('if-match') ?? null, edit),
    actor,
    reach: route.limits.isReadOnly ? 'read' : 'change',
    params,
    query,
    body,
    rawBody: sent?.text ?? '',
    requestId: context.get('requestId'),
    idempotencyKey,
    setCookies: (lines) => void cookies.push(...lines),
  }
  if (idempotencyKey === null || actor === null) return withCookies(await answerOnce(route, call, serving), cookies)
  const path = `${route.method} ${url.pathname}${url.search}`
  return answerRepeatably(route, call, {
    serving,
    name: { actor: actorId(actor), key: idempotencyKey },
    request: `${path}\n${sent?.text}`,
  })
}

async function whoAsks(route: ApiRoute, credentials: Credentials, serving: ServingParts): Promise<Actor> {
  const actor = await authenticate(credentials, serving)
  return seenAs(actor, { route, credentials }, serving.parts)
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** What of a request identifies its sender. */
export function credentialsOf(
  incoming: IncomingMessage,
  context: HonoContext,
  { parts }: Pick<ServingParts, 'parts'>,
): Credentials {
  return {
    headers: context.req.raw.headers,
    address: parts.addressOf(incoming),
    origin: parts.originOf(incoming),
    nowMs: parts.clock.now(),
  }
}

/** A cursor is good for one path with one set of filters, whatever the size of its pages. */
export function pagingOf(
  url: URL,
  { route, query }: { readonly route: ApiRoute; readonly query: unknown },
  cursors: Cursors,
): Pick<ApiCall, 'position' | 'nextCursor'> {
  const filters = Object.entries((query ?? {}) as Record<string, unknown>)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const scope = `${url.pathname}\n${JSON.stringify(filters)}`
  const isPaged = route.query instanceof z.ZodObject && 'cursor' in route.query.shape
  const cursor = isPaged ? url.searchParams.get('cursor') : null
  return {
    position: cursor === null ? null : cursors.read(cursor, scope),
    nextCursor: (position) => cursors.write(position, scope),
  }
}

/** How changes of a caller are made and recorded; `actor` null: it is not known who asks. */
export function recording(of: {
  actor: Actor | null
  credentials: Credentials
  serving: Pick<ServingParts, 'parts' | 'changes'>
}): Pick<ApiCall, 'change' | 'reachNodes'> {
  const { actor, credentials, serving } = of
  const { parts } = serving
  return {
    change: async (work) => {
      if (actor !== null) serving.changes.count(actor)
      return parts.store.together((store) =>
        work(store, (note: AuditNote) =>
          store.audit.write({
            ...note,
            id: parts.newId('aud'),
            createdAt: credentials.nowMs,
            actor: actor === null ? 'anonymous' : actorId(actor),
            via: actor === null ? 'none' : actor.kind,
            address: credentials.address,
          }),
        ),
      )
    },
    reachNodes: async (...changes) => {
      const seq = Math.max(-1, ...changes.map((change) => change?.seq ?? -1))
      const behind = seq < 0 ? [] : await parts.waitForNodes(seq)
      if (behind.length === 0) return
      throw new Problem(
        'nodes_behind',
        `The change is stored, but ${behind.join(', ')} did not confirm it: restart that gateway. It need not be sent again.`,
      )
    },
  }
}

async function answerOnce(route: ApiRoute, call: ApiCall, { parts }: ServingParts): Promise<Response> {
  const answer = await route.handle(call, parts)
  if (answer instanceof Response) return answer
  const response = write(answeredBy(route, answer, parts.checksAnswers === true))
  return isVersioned(route.answer) ? withVersion(response, answer) : response
}

/** The answer with one object names its version in a header as well. */
function withVersion(response: Response, answer: unknown): Response {
  const version = typeof answer === 'object' && answer !== null && 'version' in answer ? answer.version : null
  if (typeof version === 'string') response.headers.set('etag', etagOf(version))
  return response
}

async function answerRepeatably(
  route: ApiRoute,
  call: ApiCall,
  about: { serving: ServingParts; name: { actor: string; key: string }; request: string },
): Promise<Response> {
  const { parts } = about.serving
  const { answered, isReplay } = await runOnce({
    store: parts.store.idempotency,
    clock: parts.clock,
    name: about.name,
    request: parts.hashes.request(about.request),
    run: async () => {
      const answer = await route.handle(call, parts)
      if (answer instanceof Response)
        throw new Error(`${route.path} answers a POST with something that cannot be repeated`)
      const checked = parts.checksAnswers === true
      return {
        answered: answeredBy(route, answer, checked),
        stored: answeredBy(route, withoutSecrets(route, answer), checked),
      }
    },
  })
  return write(answered, isReplay)
}

function withoutSecrets(route: ApiRoute, answer: unknown): unknown {
  const said = Object.fromEntries(route.secretFields.map((name) => [name, null]))
  return typeof answer === 'object' && answer !== null ? { ...answer, ...said } : answer
}

/** `isChecked`: an answer that its own documentation does not allow is a defect, which tests must see. */
function answeredBy(route: ApiRoute, answer: unknown, isChecked: boolean): ApiAnswer {
  if (route.answer === null) return { status: route.status, body: null }
  if (isChecked) route.answer.parse(answer)
  return { status: route.status, body: JSON.stringify(answer) }
}

function write({ status, body }: ApiAnswer, isReplay = false): Response {
  return new Response(body, {
    status,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(isReplay ? { 'idempotency-replayed': 'true' } : {}),
    },
  })
}

/** Throws the Problem that keeps this actor from this route. */
function authorise(actor: Actor, route: ApiRoute, credentials: Credentials): void {
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
function refuseCrossSite({ headers, origin }: Credentials): void {
  if (!isCrossSite(headers, origin)) return
  throw new Problem(
    'cross_site',
    'Browsers may only send writes from the console itself, and this request comes from another origin. Behind a reverse proxy, set TOLLGATE_PUBLIC_URL or TOLLGATE_TRUSTED_PROXIES.',
  )
}

/**
 * Whether a write that acts with the cookie's rights comes from another site. Browsers say where it comes from in
 * `Sec-Fetch-Site` (on trustworthy origins) or in `Origin` (on every write, the Fetch standard); no page can set either.
 * A request with neither comes from a program that sends its own cookie, not from a browser. `origin`: the gateway’s address as the browser has it.
 */
function isCrossSite(headers: Headers, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  // The browser's own statement, good also behind a reverse proxy that is not configured as trusted.
  if (site === 'same-origin') return false
  if (site !== null && site !== 'none') return true
  const named = headers.get('origin')
  return named !== null && named !== bareOrigin(origin) && URL.parse(named)?.host !== headers.get('host')
}
