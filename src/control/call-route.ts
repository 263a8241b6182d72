import { createHash } from 'node:crypto'
import { BY_CLI, notingChanges } from '../access/audit.ts'
import type { ProblemCode } from '../contract/problems.ts'
import { checkedBody, checkedQuery } from './api/checked-input.ts'
import { createCursors } from './api/paging.ts'
import { Problem } from './problem.ts'
import type { ApiCall, ApiRoute, Method } from './api/route.ts'
import { pagingOf } from './api/serve-route.ts'
import { etagOf, requireVersion } from './api/version.ts'
import type { ControlParts } from './parts.ts'
import { ROUTES } from './routes/all-routes.ts'

/** What routes need that commands call: no gateway, nothing of HTTP. */
export type CommandParts = Pick<
  ControlParts,
  'store' | 'clock' | 'newId' | 'randomBytes' | 'limitStates' | 'waitForNodes'
> & {
  /** Absent: the command makes and looks up no secret. */
  readonly hashes?: ControlParts['hashes'] | undefined
}

/** One call of a route by a command. */
export interface RouteCall {
  readonly method: Method
  /** The path, with its query. */
  readonly path: `/api/${string}`
  readonly body?: object
  /** The version that the object must have; absent: any. */
  readonly version?: string
}

export type RouteResult =
  /** `body`: as the schema of the route has it; undefined: the route answers nothing. */
  | { readonly kind: 'answered'; readonly body: unknown }
  /** `detail`: a sentence that says what is wrong and what to do. */
  | { readonly kind: 'refused'; readonly code: ProblemCode; readonly detail: string }

/**
 * Calls a route of the API in this process, as the command line: with every right, and with its audit entries in the
 * transaction of the change.
 */
export async function callRoute(wanted: RouteCall, parts: CommandParts): Promise<RouteResult> {
  try {
    const { route, params, url } = routeAt(wanted)
    const call = commandCall(wanted, { route, params, url, parts })
    // No route that a command calls asks for more.
    return { kind: 'answered', body: await route.handle(call, parts as ControlParts) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'refused', code: error.code, detail: error.message }
  }
}

interface FoundRoute {
  readonly route: ApiRoute
  readonly params: Readonly<Record<string, string>>
  readonly url: URL
}

function routeAt({ method, path }: RouteCall): FoundRoute {
  const url = new URL(path, 'http://localhost')
  for (const route of ROUTES) {
    const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const found = route.method === method ? pattern.exec(url.pathname) : null
    if (found !== null) return { route, params: { ...found.groups }, url }
  }
  throw new Error(`no route is at ${method} ${path}`)
}

function commandCall(
  { body, version }: RouteCall,
  { route, params, url, parts }: FoundRoute & { readonly parts: CommandParts },
): ApiCall {
  const { store, clock, newId, waitForNodes } = parts
  const nowMs = clock.now()
  const query = checkedQuery(route.query, url.searchParams)
  return {
    actor: { kind: 'admin_token', isCommandLine: true },
    reach: route.limits.isReadOnly ? 'read' : 'change',
    params,
    query,
    body: route.body === null ? null : checkedBody(route.body, body ?? {}),
    rawBody: '',
    nowMs,
    requestId: newId('req'),
    address: '',
    origin: '',
    headers: new Headers(),
    idempotencyKey: null,
    ...pagingOf(url, { route, query }, createCursors(plainHash)),
    setCookies: () => {},
    requireVersion: (edit) => requireVersion(version === undefined ? null : etagOf(version), edit),
    change: (work) => store.together((stores) => work(stores, notingChanges(stores.audit, { author: BY_CLI, nowMs }))),
    reachNodes: async (...changes) => {
      const seq = Math.max(-1, ...changes.map((change) => change?.seq ?? -1))
      if (seq >= 0) await waitForNodes(seq)
    },
  }
}

/** Cursors do not leave the process. */
function plainHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
