import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import type { Page } from '../../src/contract/wire-values.ts'
import { ApiProblem, isUnreachable, nullIfMissing, problemOf } from './api-problem.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { leaveSeeing, seeingNow } from './seeing.ts'
import { SITE_PATH } from '../site.ts'

export type QueryValue = string | number | boolean | null | undefined

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined
  /** What is null, undefined or empty is left out. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  /** Sent as JSON. */
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
  /** The version of the object that was read: where it has another by now, nothing is changed. */
  readonly version?: string | undefined
  /** What marks each try of one change as the same. Left out, every POST gets a new one. */
  readonly idempotencyKey?: string | undefined
}

/**
 * Sends a request to the API; nothing else does. `path` is like `/api/keys`. Resolves with the JSON of a success (`undefined` for an empty one),
 * rejects with an `ApiProblem`, or with an AbortError when the signal fired.
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const note = options.signal === undefined ? undefined : noting.get(options.signal)
  if (note !== undefined) {
    note({ path, query: options.query ?? {} })
    throw new DOMException('This request is only noted.', 'AbortError')
  }
  return answerOf<Answer>(await send(path, options))
}

/** What a query asks with, and how it is kept and renewed. */
type ReadOptions<Answer> = Pick<RequestOptions, 'method' | 'query' | 'body'> &
  Pick<
    UnusedSkipTokenOptions<Answer>,
    'gcTime' | 'refetchInterval' | 'refetchOnReconnect' | 'refetchOnWindowFocus' | 'retry' | 'staleTime'
  >

/** A query of what one path answers. */
export function read<Answer>(queryKey: QueryKey, path: string, options: ReadOptions<Answer> = {}) {
  const { method, query, body, ...how } = options
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => request<Answer>(path, { method, query, body, signal }),
    ...how,
  })
}

/** A query as by `read`, of which the answer before is shown until another one is here. */
export function readKept<Answer>(queryKey: QueryKey, path: string, options?: ReadOptions<Answer>) {
  return queryOptions({ ...read<Answer>(queryKey, path, options), placeholderData: keepPreviousData })
}

/** A query as by `read`, of what there may not be: then it is null. */
export function readIfThere<Answer>(queryKey: QueryKey, path: string, options: ReadOptions<Answer | null> = {}) {
  const { query, ...how } = options
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => request<Answer>(path, { query, signal }).catch(nullIfMissing),
    ...how,
  })
}

/** A list page after page, each by the cursor that the one before it ends with. */
export function readPages<Answer extends Pick<Page<unknown>, 'next_cursor'>>(
  queryKey: QueryKey,
  path: string,
  query: RequestOptions['query'],
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => request<Answer>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** A path in which what is filled in is encoded. */
export function apiPath(parts: TemplateStringsArray, ...filledIn: readonly string[]): string {
  return String.raw({ raw: parts }, ...filledIn.map(encodeURIComponent))
}

/** `idempotencyKey`: the same for each try of one change; left out, each try is another. */
export function post<Answer>(path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
  return request(path, { method: 'POST', body, idempotencyKey })
}

/** `version`: of the object as it was read; left out, what was changed meanwhile is overwritten. */
export function patch<Answer>(path: string, body: object, version?: string): Promise<Answer> {
  return request(path, { method: 'PATCH', body, version })
}

export function remove<Answer = void>(path: string): Promise<Answer> {
  return request(path, { method: 'DELETE' })
}

/** What a GET asks for. */
export interface ApiCall {
  readonly path: string
  readonly query: Readonly<Record<string, QueryValue>>
}

/** Signals whose requests are noted instead of sent. */
const noting = new WeakMap<AbortSignal, (call: ApiCall) => void>()

/** The first request that `ask` makes with its signal, which is not sent; null: it makes none at once. */
export function callOf(ask: (signal: AbortSignal) => unknown): ApiCall | null {
  const calls: ApiCall[] = []
  const { signal } = new AbortController()
  noting.set(signal, (call) => void calls.push(call))
  void Promise.resolve(ask(signal)).catch(() => {})
  return calls[0] ?? null
}

/** Reads an answer that was fetched elsewhere as `request` reads its own. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (!response.ok) {
    const problem = await problemOf(response)
    if (isUnreachable(problem)) doubt()
    if (problem.code === 'see_as_ended') leaveSeeing()
    throw problem
  }
  const text = await response.text()
  if (text === '') return undefined as Answer
  try {
    return JSON.parse(text) as Answer
  } catch {
    const detail = 'The server sent something that is not JSON. Is there another program on this address?'
    throw new ApiProblem({ status: response.status, code: 'unreadable', detail })
  }
}

let doubt = (): void => {}

/** `listener` is called when a request got no answer of the API, or has waited long for one. */
export function onDoubt(listener: () => void): void {
  doubt = listener
}

/** How long an answer may take before the gateway is checked: it may hang. */
const LONG_MS = 6_000

/** A path with its query, without the parts that say nothing. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const said = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (said.length === 0) return path
  return `${path}?${new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString()}`
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const method = options.method ?? 'GET'
  const headers: Record<string, string> = { accept: 'application/json' }
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? newIdempotencyKey()
  const seeing = seeingNow()
  if (seeing !== null) headers['x-tollgate-see-as'] = seeing.grant
  if (options.version !== undefined) headers['if-match'] = `"${options.version}"`
  const late = setTimeout(doubt, LONG_MS)
  try {
    return await fetch(SITE_PATH + withQuery(path, options.query ?? {}), {
      method,
      headers,
      signal: options.signal ?? null,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    doubt()
    throw new ApiProblem({ status: 0, code: 'unreachable', detail: 'The server could not be reached.' })
  } finally {
    clearTimeout(late)
  }
}

/** The API's largest page. */
const PAGE_SIZE = 200
/** Two thousand rows, more than any installation has of what is listed whole; what is beyond is not loaded. */
const MOST_PAGES = 10

/** All rows of a list, as one page, for what is searched and sorted here: of a part of them others would not be found. */
export async function everyPage<Row>(
  path: string,
  { query, signal }: Pick<RequestOptions, 'query' | 'signal'>,
): Promise<Page<Row>> {
  const data: Row[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found: Page<Row> = await request(path, { query: { ...query, limit: PAGE_SIZE, cursor }, signal })
    data.push(...found.data)
    cursor = found.next_cursor
    if (cursor === null) break
  }
  return { data, next_cursor: cursor }
}
