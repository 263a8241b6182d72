import type { IncomingMessage, ServerResponse } from 'node:http'
import { mockAccess } from './mock-access.ts'
import { mockBilling } from './mock-billing.ts'
import { mockFirstSteps } from './mock-first-steps.ts'
import { mockKeys } from './mock-keys.ts'
import { mockModels } from './mock-models.ts'
import { problem, type MockRoutes, type MockState } from './mock-route.ts'
import { mockUsage } from './mock-usage.ts'

export interface MockOptions {
  readonly isSignedIn?: boolean
  readonly isEmpty?: boolean
}

/** Routes of all subjects. A page's builder adds a file here. */
const ROUTES: MockRoutes = {
  ...mockAccess,
  ...mockBilling,
  ...mockFirstSteps,
  ...mockKeys,
  ...mockModels,
  ...mockUsage,
}

/**
 * An API in memory with the contract's shapes, to build and look at pages with no server behind. Answers what is below
 * `/api/`; resolves with false for anything else.
 */
export function createMockApi(
  options: MockOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const state: MockState = { isSignedIn: options.isSignedIn ?? true, isEmpty: options.isEmpty ?? false }
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://mock.test')
    if (!url.pathname.startsWith('/api/')) return false
    const found = find(request.method ?? 'GET', url.pathname)
    const body = await bodyOf(request)
    const isOpen = /^\/api\/(auth|place)/.test(url.pathname)
    const given =
      !isOpen && !state.isSignedIn
        ? problem(401, 'session_missing')
        : (found?.route({ params: found.params, query: url.searchParams, body, state }) ?? problem(404, 'path_unknown'))
    const status = given.body === undefined ? (given.status ?? 204) : (given.status ?? 200)
    const type = status >= 400 ? 'application/problem+json' : 'application/json'
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(given.body === undefined ? undefined : JSON.stringify(given.body))
    return true
  }
}

function find(method: string, path: string): { route: MockRoutes[string]; params: Record<string, string> } | undefined {
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const params = match(pattern, `${method} ${path}`)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function match(pattern: string, asked: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const parts = asked.split('/')
  if (wanted.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const given = parts[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given)
    else if (part !== given) return undefined
  }
  return params
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
