import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import { FAULTS } from '../core/faults.ts'
import { plainMessage } from '../core/plain-fault.ts'
import { StoreUnavailable } from '../core/store-unavailable.ts'
import { TokenUse } from './who/authenticate.ts'
import { createCursors } from './api/paging.ts'
import type { ControlParts } from './parts.ts'
import { DeviceCodes } from './sign-in/device-codes.ts'
import { createPublicPages } from './public/public-pages.ts'
import { Problem, problemBody } from './problem.ts'
import { etagOf } from './api/version.ts'
import type { ApiRoute } from './api/route.ts'
import { ROUTES } from './routes/all-routes.ts'
import { type HonoContext, serveRoute, type ServingParts } from './api/serve-route.ts'
import type { WrittenDocs } from './docs/written-docs.ts'
import { serveOAuth } from './oauth/serve-oauth.ts'
import { AddressThrottle, ChangeThrottle, CredentialThrottle } from './who/throttles.ts'

/** The control plane as one listener for Node's HTTP server, for everything under /api/. It never throws. */
export function createControl(
  given: Omit<ControlParts, 'publicPages' | 'deviceCodes'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const parts: ControlParts = {
    ...given,
    publicPages: createPublicPages(given.clock),
    deviceCodes: new DeviceCodes(given.clock),
  }
  const serving: ServingParts = {
    parts,
    throttle: new CredentialThrottle(parts.clock),
    changes: new ChangeThrottle(parts.clock),
    addresses: new AddressThrottle(parts.clock),
    tokenUse: new TokenUse(),
    cursors: createCursors(parts.hashes.cursor),
  }
  const app = createApp(parts)
  for (const route of ROUTES) {
    app.on(route.method.toUpperCase(), honoPath(route.path), (context) => serveRoute(route, context, serving))
  }
  serveOAuth(app, serving)
  serveDocuments(app, parts)
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  })
  return (request, response) => void listener(request, response)
}

type App = OpenAPIHono<{ Bindings: HttpBindings; Variables: { requestId: string } }>

function createApp(parts: ControlParts): App {
  const app: App = new OpenAPIHono()
  app.use(async (context, next) => {
    const requestId = parts.newId('req')
    context.set('requestId', requestId)
    await next()
    const { headers } = context.res
    headers.set('x-request-id', requestId)
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'no-referrer')
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', "default-src 'none'")
  })
  app.notFound((context) => refuse(context, notServed(context)))
  app.onError(async (error, context) => refuse(context, await problemFor(error, context, parts)))
  return app
}

/** Loaded with the first request for them: few callers read them. */
function serveDocuments(app: App, parts: ControlParts): void {
  let loading: Promise<WrittenDocs> | undefined
  const docs = () => (loading ??= loadDocs(parts.instance.version))
  app.get('/api/openapi.json', async (context) => {
    const document = (await docs()).openApi(parts.originOf(context.env.incoming))
    return context.body(document, 200, { 'content-type': 'application/json' })
  })
  app.get('/api/docs', async (context) => {
    const { html, contentSecurityPolicy } = (await docs()).page(parts.originOf(context.env.incoming))
    return context.html(html, 200, { 'content-security-policy': contentSecurityPolicy })
  })
}

async function loadDocs(version: string): Promise<WrittenDocs> {
  const { writtenDocs } = await import('./docs/written-docs.ts')
  return writtenDocs(ROUTES, version)
}

/** Where no route matches: is it the path or the method? */
function notServed(context: HonoContext): Problem {
  const { path, method } = context.req
  const allowed = methodsAt(path)
  if (allowed.length === 0) {
    return new Problem('path_unknown', 'There is nothing at this path. See /api/docs for the available paths.')
  }
  const allow = allowed.join(', ')
  return new Problem('method_not_allowed', `This path does not support ${method}, only ${allow}.`, { allow })
}

function methodsAt(path: string): readonly string[] {
  if (path === '/api/docs' || path === '/api/openapi.json') return ['GET']
  return ROUTES.filter((route) => patternOf(route).test(path)).map((route) => route.method.toUpperCase())
}

function patternOf({ path }: ApiRoute): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

async function problemFor(error: unknown, context: HonoContext, parts: ControlParts): Promise<Problem> {
  if (error instanceof Problem) return error
  const requestId = context.get('requestId')
  parts.log.error(
    { requestId, method: context.req.method, err: error },
    'failed to answer a request of the console API',
  )
  if (error instanceof StoreUnavailable || (parts.answeredFailure(error) ?? (await parts.storeFailure())) !== null) {
    return new Problem('store_unavailable', plainMessage('store_unavailable'), {
      retryAfterSeconds: FAULTS.store_unavailable.retryAfterSeconds,
    })
  }
  return new Problem('internal', `${plainMessage('internal')} Request ID: ${requestId}`)
}

function refuse(context: HonoContext, problem: Problem): Response {
  const { retryAfterSeconds, allow, version } = problem.details
  return new Response(JSON.stringify(problemBody(problem, context.get('requestId'))), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(allow === undefined ? {} : { allow }),
      ...(version === undefined ? {} : { etag: etagOf(version) }),
    },
  })
}
