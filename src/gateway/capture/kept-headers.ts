/**
 * The headers that a capture keeps, each by its name: what else a client, an upstream or a server in between sends may be a
 * credential, and no list of those is ever complete.
 */
const OF_REQUESTS = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'accept',
  'accept-language',
  'user-agent',
  'openai-beta',
  'anthropic-beta',
  'anthropic-version',
  'anthropic-dangerous-direct-browser-access',
  'originator',
  'session-id',
  'session_id',
  'thread-id',
  'conversation_id',
  'x-session-id',
  'x-app',
  'x-client-request-id',
  'x-request-id',
  'x-goog-api-client',
  'x-stainless-arch',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
  'x-stainless-timeout',
])

const OF_ANSWERS = new Set([
  'content-type',
  'content-length',
  'retry-after',
  'request-id',
  'x-request-id',
  'openai-processing-ms',
  'x-tollgate-cache',
  'x-tollgate-call-limit',
  'x-tollgate-cost',
  'x-tollgate-dropped-fields',
  'x-tollgate-error',
  'x-tollgate-hint',
  'x-tollgate-output-limit',
  'x-tollgate-usage-source',
])

/** Parameters of a query that mean something to a wire; of all others not even the name is kept. */
const OF_QUERIES = new Set(['alt', 'beta', 'api-version'])

const VALUE_CHARACTERS = 2_000

type Pairs = readonly (readonly [string, string])[]

/** `raw`: name, value, name, value … */
export function keptOfRequest(raw: readonly string[]): Pairs {
  return kept(raw, OF_REQUESTS)
}

export function keptOfAnswer(raw: readonly string[]): Pairs {
  return kept(raw, OF_ANSWERS)
}

/** A path with what may be kept of its query. */
export function keptPath(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return url
  const parameters = [...new URLSearchParams(url.slice(start))].filter(([name]) => OF_QUERIES.has(name))
  const path = url.slice(0, start)
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters).toString()}`
}

/** Headers by name, as a list. */
export function asRaw(headers: Readonly<Record<string, string | readonly string[] | undefined>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, typeof value === 'string' ? value : value.join(', ')],
  )
}

function kept(raw: readonly string[], names: ReadonlySet<string>): Pairs {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (names.has(name)) pairs.push([name, (raw[at + 1] ?? '').slice(0, VALUE_CHARACTERS)])
  }
  return pairs
}
