import type { FieldTakes, Problem } from '../../src/contract/wire-values.ts'

export type Difference = NonNullable<Problem['differences']>[number]

/** What the API answered instead of what was asked for, or that it could not be reached (`status` 0). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  /** A stable code; `unreachable` when the gateway gave no answer, `unreadable` when there was one of no known form. */
  readonly code: string
  /** What is wrong and what to do, in English. */
  readonly detail: string
  /** The field that is wrong, as a path like `rate_limit.spend.0.usd`. */
  readonly field: string | null
  /** What that field takes; null: only the detail says it. */
  readonly takes: FieldTakes | null
  /** The current version, where an edit was refused because the object was changed meanwhile; else null. */
  readonly version: string | null
  /** Then: the fields of which something else stands than was sent. */
  readonly differences: readonly Difference[]
  /** The path that was asked, without its query; null: not known. */
  readonly path: string | null
  /** Where one signs in instead; null: the refusal is about something else. */
  readonly address: string | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(answer: {
    status: number
    code: string
    detail: string
    field?: string | null
    takes?: FieldTakes | null
    version?: string | null
    differences?: readonly Difference[]
    path?: string | null
    address?: string | null
    requestId?: string | null
    retryAfterSeconds?: number | null
  }) {
    super(answer.detail)
    this.status = answer.status
    this.code = answer.code
    this.detail = answer.detail
    this.field = answer.field ?? null
    this.takes = answer.takes ?? null
    this.version = answer.version ?? null
    this.differences = answer.differences ?? []
    this.path = answer.path ?? null
    this.address = answer.address ?? null
    this.requestId = answer.requestId ?? null
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null
  }
}

/** The gateway gave no answer: none came, or what stands before it says so. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unreachable'
}

/** Takes an error: null, where it is that there is no such thing. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}

/**
 * Whether the gateway itself refused what was asked, and so did nothing of it. Else it may have been done: no answer came,
 * what came is from something in between, the gateway broke off, or it is still at it.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === 'unreadable' || error.code === 'idempotency_running')
    return false
  return error.status >= 400 && error.status < 500
}

/** What stands before a gateway that is down. */
const STATUSES_IN_FRONT: readonly number[] = [502, 503, 504]

/** Reads an answer that is not a success: problem details, or whatever something in between sent. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  const read = (name: string): string | null => {
    const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : null
    return typeof value === 'string' ? value : null
  }
  return new ApiProblem({
    status: response.status,
    code: read('code') ?? (STATUSES_IN_FRONT.includes(response.status) ? 'unreachable' : 'unreadable'),
    detail: read('detail') ?? `The server answered with status ${response.status}.`,
    field: read('field'),
    takes: takesIn(body),
    version: read('version'),
    differences: differencesIn(body),
    path: URL.parse(response.url)?.pathname ?? null,
    address: read('address'),
    requestId: read('request_id') ?? response.headers.get('x-request-id'),
    retryAfterSeconds: wholeSeconds(response.headers.get('retry-after')),
  })
}

/** The round trip to the OIDC provider ends in the console when it failed, with `#error=<code>`; null: it did not. */
export function problemOfProvider(hash: string): ApiProblem | null {
  const code = new URLSearchParams(hash.replace(/^#/, '')).get('error')
  return code === null || !/^[a-z_]{1,60}$/.test(code) ? null : new ApiProblem({ status: 400, code, detail: code })
}

/** What the field takes, where a server that is as new as the console says it. */
function takesIn(body: unknown): FieldTakes | null {
  const takes: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'takes') : null
  return isTakes(takes) ? takes : null
}

function differencesIn(body: unknown): readonly Difference[] {
  const rows: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'differences') : null
  return Array.isArray(rows) ? rows.filter(isDifference) : []
}

function isDifference(value: unknown): value is Difference {
  return typeof value === 'object' && value !== null && 'field' in value && typeof value.field === 'string'
}

function isTakes(value: unknown): value is FieldTakes {
  if (typeof value !== 'object' || value === null || !('form' in value) || !('values' in value)) return false
  return typeof value.form === 'string' && Array.isArray(value.values)
}

function wholeSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
