import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { FAULTS } from '../../core/faults.ts'
import { REQUEST_TIMEOUT_MS } from '../../core/limits.ts'
import { createServer } from '../../core/node-http.ts'
import type { StoreFailure } from '../../core/store-failures.ts'
import { isPreflight, withCors } from './cors.ts'
import { answerClientPackage } from './client-package.ts'
import { docsAnswerer } from './docs-answerer.ts'
import { type ConnectionCounts, takeConnections } from './front/take-connections.ts'
import type { FrontRequestHead } from './front/request-head.ts'
import { isMetricsPath } from './metrics/metrics-page.ts'
import { upToRoot } from '../../core/site-path.ts'
import { NodeConnections } from './node-connections.ts'
import { isIllAddressed, refuseUnreadable } from './refuse-unreadable.ts'
import { CLAUDE_USAGE_PATH, isBalanceBelowApi } from '../../gateway/balance-paths.ts'
import type { GatewayListener } from '../../gateway/client-connection.ts'
import { isResponsesUpgrade, refuseUpgrade } from '../../gateway/upgrade.ts'

/** Idle connections of clients are kept longer than the usual 60 s of what may stand before us, so that those close first. */
const KEEP_ALIVE_MS = 75_000
const STARTED_SOON = { retryAfterSeconds: 1 }

export interface FrontServerOptions {
  readonly gateway: GatewayListener
  /** Web pages of any origin may call the gateway. Never what is under /api or /console. */
  readonly hasCors: boolean
  /** Everything under /api/ but /api/hello, and /metrics. */
  readonly control: (request: IncomingMessage, response: ServerResponse) => void
  /** Whether the gateway says what is left of a key at a path under /api/, too. */
  saysBalances(): boolean
  /** Whether /metrics is read here; else this server does not know the path. */
  readonly hasMetrics: boolean
  /** The console's pages and files, everything under /console. */
  readonly console: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** What keeps this node from using its database; null: nothing. */
  storeFailure(): Promise<StoreFailure | null>
  /** Whether threads of this process that are to carry requests are not up yet. */
  isStarting(): boolean
  isDraining(): boolean
  readonly clock: Clock
  newRequestId(): string
}

/** The server of a node, and how its connections come to their end. */
export interface Front {
  readonly server: Server
  /** Has each answer whose head is not written yet say that its connection closes after it. */
  announceClose(): void
  /** Closes connections on which nothing was under way after `since`, by the clock's `elapsed`. Returns what is left. */
  closeIdle(since: number): ConnectionCounts
}

/** The HTTP server in front of everything: serves what is neither the gateway's nor the console's itself. */
export function createFront(options: FrontServerOptions): Front {
  let isClosing = false
  const nodes = new NodeConnections(() => options.clock.elapsed())
  const toGateway = options.hasCors ? withCors(options.gateway, () => options.newRequestId()) : options.gateway
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      requireHostHeader: false,
      noDelay: true,
      keepAlive: true,
    },
    (request, response) => {
      if (!nodes.begin(request, response)) return
      if (isIllAddressed(request, response, () => options.newRequestId())) return
      const own = ownHandler(request)
      const isGateways =
        isUnder(CLAUDE_USAGE_PATH, request) ||
        (options.saysBalances() && isBalanceBelowApi(request.method, request.url))
      if (own === undefined && !isGateways && isForControl(options, request)) return options.control(request, response)
      const handle = own ?? (isUnder('/console', request) ? toConsole : undefined)
      if (handle === undefined) return toGateway(request, response)
      response.setHeader('x-request-id', options.newRequestId())
      response.setHeader('x-content-type-options', 'nosniff')
      handle(options, { request, response }).catch(() => response.destroy())
    },
  )
  refuseUnreadable(server, () => options.newRequestId())
  const fronts = takeConnections(server, {
    clock: options.clock,
    listener: toGateway,
    isServed: isPlainlyForGateway,
    isClosing: () => isClosing,
    onLeftToServer: (socket) => nodes.add(socket),
  })
  return {
    server,
    announceClose() {
      isClosing = true
      nodes.announceClose()
    },
    closeIdle(since) {
      const [front, node] = [fronts.closeIdle(since), nodes.closeIdle(since)]
      return { waiting: front.waiting + node.waiting, busy: front.busy + node.busy }
    },
  }
}

/** All POSTs but the API's; of GETs those below the version, where nothing is of the server's own. */
function isPlainlyForGateway({ method, url }: FrontRequestHead): boolean {
  if (method === 'GET') return url.startsWith('/v1')
  return !isUnder('/api', { url }) && !isUnder('/console', { url }) && !isUnder('/oauth', { url })
}

type Handler = (
  options: FrontServerOptions,
  exchange: { request: IncomingMessage; response: ServerResponse },
) => Promise<void>

const OWN: Readonly<Record<string, Handler>> = Object.assign(Object.create(null) as Record<string, Handler>, {
  '/healthz': async (_options, { response }) => json(response, { status: 200, body: { status: 'alive' } }),
  '/readyz': async (options, { response }) => {
    const unready = (body: object, { retryAfterSeconds }: { retryAfterSeconds: number }) =>
      json(response, { status: 503, body, retryAfterSeconds })
    if (options.isDraining()) return unready({ status: 'draining' }, FAULTS.draining)
    if (options.isStarting()) return unready({ status: 'starting' }, STARTED_SOON)
    const because = await options.storeFailure()
    if (because === null) json(response, { status: 200, body: { status: 'ready' } })
    else unready({ status: 'store_unavailable', because }, FAULTS.store_unavailable)
  },
  '/': async (_options, { request, response }) => {
    if (request.method !== 'GET') json(response, { status: 200, body: {} })
    else if (request.headers.accept?.includes('text/html') === true) {
      response
        .writeHead(302, { location: `${upToRoot('/')}console/`, vary: 'accept', 'cache-control': 'no-store' })
        .end()
    } else
      json(response, { status: 200, body: { name: 'tollgate', openai_base_path: '/v1', anthropic_base_path: '/' } })
  },
  // Claude Code asks this before its first request.
  '/api/hello': async (_options, { response }) => json(response, { status: 200, body: { status: 'alive' } }),
} satisfies Record<string, Handler>)

function ownHandler(request: IncomingMessage): Handler | undefined {
  if (request.method === 'OPTIONS') return isPreflight(request) ? undefined : checkedByOptions(request)
  if (!isLook(request.method)) return undefined
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  if (isResponsesUpgrade(request)) return refuseWebSocket
  if (isUnder('/docs', request)) return docs
  if (path === '/device') return device
  if (path === '/client.tgz') return clientPackage
  return path.startsWith('/setup/') ? setup : OWN[path]
}

/** HAProxy asks by OPTIONS whether a server is well, unless it is set to another method; `*` is the server as a whole. */
function checkedByOptions({ url = '/' }: IncomingMessage): Handler | undefined {
  const path = url === '*' ? '/' : url.split('?', 1)[0]
  const handle = path === undefined ? undefined : OWN[path]
  if (handle === undefined || path === '/api/hello') return undefined
  return (options, exchange) => {
    exchange.response.setHeader('allow', 'GET, HEAD, OPTIONS')
    return handle(options, exchange)
  }
}

function isForControl({ hasMetrics }: FrontServerOptions, request: IncomingMessage): boolean {
  if (isUnder('/api', request) || isUnder('/oauth', request)) return true
  if (isUnder('/.well-known/oauth-authorization-server', request)) return true
  return hasMetrics && isLook(request.method) && isMetricsPath(request.url)
}

/** Whether a request is at a path or below it. No path of the gateway's is. */
function isUnder(prefix: string, { url = '' }: { url?: string | undefined }): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length))
}

const answerDocs = docsAnswerer()

const docs: Handler = (_options, { request, response }) => answerDocs(request, response)

const clientPackage: Handler = (_options, { request, response }) => answerClientPackage(request, response)

const toConsole: Handler = (options, { request, response }) => options.console(request, response)

const refuseWebSocket: Handler = async (_options, { response }) => refuseUpgrade(response)

/**
 * Answers the one-time link as earlier versions printed it. Its page has moved, and the token moves into the fragment, which
 * browsers send to no server. Relative, as all redirects here, so that it holds under any path.
 */
const setup: Handler = async (_options, { request, response }) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const token = /^\/setup\/([\w-]{1,128})$/.exec(path)?.[1]
  const page = `${upToRoot(path)}console/set-up`
  response.writeHead(302, {
    location: token === undefined ? page : `${page}#${token}`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end()
}

/** Sends a person on to the page that approves sign-ins; browsers keep what stands behind the `#`. */
const device: Handler = async (_options, { request, response }) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  response.writeHead(302, { location: `${upToRoot(path)}console/device`, 'cache-control': 'no-store' }).end()
}

function isLook(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

function json(response: ServerResponse, answer: { status: number; body: object; retryAfterSeconds?: number }): void {
  const text = JSON.stringify(answer.body)
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...(answer.retryAfterSeconds === undefined ? {} : { 'retry-after': String(answer.retryAfterSeconds) }),
  })
  response.end(text)
}
