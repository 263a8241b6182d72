import { OpenAPIHono, z } from '@hono/zod-openapi'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { problem } from '../../contract/wire-values.ts'
import type { ApiRoute, Tag, Who } from '../api/route.ts'

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** The OpenAPI 3.1 document of these routes. `origin`: where the API answers. */
export function documentOf(
  routes: readonly ApiRoute[],
  { origin, version }: { origin: string; version: string },
): OpenApiDocument {
  const documents = new OpenAPIHono()
  const { openAPIRegistry: registry } = documents
  for (const [name, scheme] of Object.entries(SECURITY)) registry.registerComponent('securitySchemes', name, scheme)
  for (const route of routes) registry.registerPath(configOf(route))
  return documents.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version, description: INTRODUCTION },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  })
}

/** The codes that a route may answer, those that all have included. */
export function problemCodesOf(route: ApiRoute): readonly ProblemCode[] {
  const { needsSession, needsConfirmation, isReadOnly, asksAddress } = route.limits
  return [
    ...new Set<ProblemCode>([
      ...(route.who === 'anyone' ? [] : OF_CREDENTIALS),
      ...refusalOfRole(route.who),
      ...(isReadOnly || route.who === 'anyone' ? [] : (['scope_insufficient'] as const)),
      ...(route.method === 'get' ? [] : (['cross_site'] as const)),
      ...(route.method === 'patch' ? (['version_mismatch'] as const) : []),
      ...(needsSession ? (['session_needed'] as const) : []),
      ...(needsConfirmation ? (['confirmation_needed'] as const) : []),
      ...(route.path.includes('{') ? (['not_found'] as const) : []),
      ...(route.body === null && route.query === null ? [] : (['field_invalid'] as const)),
      ...(route.body === null ? [] : OF_BODIES),
      ...(route.limits.isRepeatable ? OF_REPETITION : []),
      ...(route.who === 'account' && !route.limits.isReadOnly ? OF_CHANGES : []),
      ...(asksAddress ? (['too_many_requests'] as const) : []),
      ...(isReadOnly || route.tag === 'Sign-in' ? [] : (['nodes_behind'] as const)),
      ...route.problems,
      ...OF_ALL,
    ]),
  ]
}

function refusalOfRole(who: Who): readonly ProblemCode[] {
  if (who === 'anyone' || who === 'account') return []
  return who === 'admin' ? ['admin_needed'] : ['role_insufficient']
}

const OF_CREDENTIALS = [
  'credential_missing',
  'credential_unknown',
  'credential_expired',
  'credential_of_gateway',
  'credential_throttled',
  'account_disabled',
] as const
const OF_BODIES = ['body_malformed', 'body_too_large', 'content_type_wrong'] as const
const OF_REPETITION = [
  'idempotency_running',
  'idempotency_unclear',
  'idempotency_conflict',
  'too_many_requests',
] as const
/** Also of routes whose answer is not repeated. */
const OF_CHANGES = ['too_many_requests'] as const
const OF_ALL = ['internal', 'store_unavailable', 'draining'] as const

const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token (`tg-pat-…`, made in the console under Account), or TOLLGATE_ADMIN_TOKEN.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tollgate.session_token',
    description: 'The cookie of a session in the console. Writes are refused unless they come from the console itself.',
  },
} as const

const TAGS: Readonly<Record<Tag, string>> = {
  Account: 'Who you are, and the access tokens that speak for you.',
  Keys: 'API keys: what clients present to the gateway.',
  Catalogue: 'Groups, models and the upstreams behind them.',
  Usage: 'Requests, their cost, and why they failed.',
  Billing: 'Balance, ledger, plans, subscriptions and redeem codes.',
  Administration: 'Accounts, settings and the audit.',
  Instance: 'Public facts about this server.',
  'Sign-in':
    'Sessions, passwords, second factors, passkeys and single sign-on. Sign-in works by cookie, for the console.',
}

const INTRODUCTION = `The same routes that the console uses.

- Send \`Authorization: Bearer <access token>\`. API keys (\`sk-tg-…\`) call models and do not work here.
- Bodies and answers are JSON in \`snake_case\`. Times are RFC 3339 in UTC. Money is a decimal string in USD, never a number. \`null\` means none or unlimited; \`0\` means zero.
- Lists return \`data\` and \`next_cursor\`; pass it as \`cursor\`, with the same filters, for the next page. It is \`null\` on the last page.
- Every POST outside \`/api/auth/\` takes an \`Idempotency-Key\`: a repetition within 24 hours returns the same answer and does nothing. What is shown only once, such as a secret, is \`null\` in it.
- What can be changed has a \`version\`, which is its \`ETag\` where one is read. A PATCH with it as \`If-Match\` is refused with 412 (\`version_mismatch\`) where it was changed meanwhile, with both versions of each field; without the header it overwrites.
- Errors are RFC 9457 problem details with a stable \`code\`, and \`field\` where one field is at fault.
- When a call that revokes or lowers something returns, every node acts on it.`

function configOf(route: ApiRoute) {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    method: route.method,
    path: route.path,
    tags: [route.tag],
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description === null ? {} : { description: route.description }),
    security:
      route.who === 'anyone' ? [] : route.limits.needsSession ? [{ session: [] }] : [{ bearer: [] }, { session: [] }],
    request: {
      ...(names.length === 0 ? {} : { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
      ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
      ...(route.limits.isRepeatable ? { headers: REPEATABLE } : {}),
      ...(route.method === 'patch' ? { headers: MATCHING } : {}),
      ...(route.body === null ? {} : { body: { required: true, content: json(route.body, route.example.body) } }),
    },
    responses: { [route.status]: answerOf(route), ...refusalsOf(route) },
  }
}

const REPEATABLE = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description: 'Any text of your own; a repetition with the same one does nothing and returns the same answer.',
  }),
})

const MATCHING = z.object({
  'If-Match': z.string().min(1).max(1000).optional().openapi({
    description:
      'The `version` that you read, in quotes, as an `ETag` has it. Where another one stands, nothing is changed: 412 with the fields that differ.',
  }),
})

function json(schema: z.ZodType, example: unknown) {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function answerOf(route: ApiRoute) {
  if (route.mediaType !== null) {
    return { description: route.summary, content: { [route.mediaType]: { schema: z.string() } } }
  }
  if (route.answer === null)
    return { description: route.status === 302 ? 'Redirects the browser.' : 'Done; the response has no body.' }
  return { description: route.summary, content: json(route.answer, route.example.answer) }
}

function refusalsOf(route: ApiRoute) {
  const byStatus = new Map<number, string[]>()
  for (const code of problemCodesOf(route)) {
    const status = PROBLEMS[code].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  )
}

/** `get /api/keys/{id}/setup` → `getKeysIdSetup`. */
function operationId({ method, path }: ApiRoute): string {
  const words = path.slice('/api/'.length).split(/[^A-Za-z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
