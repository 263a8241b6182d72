import { type ChatWire, wireFacts } from '../../core/wire.ts'

/**
 * Headers of a client's request that end at the gateway: those of the connection itself, credentials and what belongs to
 * the client's own account at a provider, and what tells where the client is. All others reach the upstream.
 */
const ENDS_HERE = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'cookie',
  'cookie2',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'x-request-id',
  'openai-organization',
  'openai-project',
  'http2-settings',
])

const PREFIXES = ['x-forwarded-', 'sec-', 'cf-', 'x-tollgate-']

/** Clients write the same few names again and again: what becomes of each is decided once. */
const decided = new Map<string, string | null>()
const DECIDED_LIMIT = 1_000
const DECIDED_CHARACTERS = 64

/** The headers for the upstream, from the client's (`rawHeaders` of Node: name, value, name, value …). */
export function forwardedHeaders(rawHeaders: readonly string[], requestId: string): Record<string, string> {
  // Without a prototype: a header may be called `constructor`.
  const headers = Object.create(null) as Record<string, string>
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = forwardedName(rawHeaders[i] ?? '')
    if (name === null) continue
    const value = rawHeaders[i + 1] ?? ''
    const before = headers[name]
    // Two say how to read one body in two ways: the first is the one that was read by.
    if (before !== undefined && name === 'content-type') continue
    // A list may come in several lines, as `anthropic-beta` does from some clients.
    headers[name] = before === undefined ? value : before + ', ' + value
  }
  headers['x-request-id'] = requestId
  return headers
}

/** Headers of a client that mean the same on every wire. All others belong to its own provider's. */
const MEANT_FOR_ALL = new Set(['user-agent', 'accept-language', 'traceparent', 'tracestate', 'baggage'])

/** The headers for an upstream of another wire than the client's. */
export function translatedHeaders(
  rawHeaders: readonly string[],
  requestId: string,
  wire: ChatWire,
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...wireFacts(wire).headers,
  }
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase()
    if (MEANT_FOR_ALL.has(name)) headers[name] = rawHeaders[i + 1] ?? ''
  }
  return headers
}

/** The name in lower case; null when the header ends here. */
function forwardedName(written: string): string | null {
  const known = decided.get(written)
  if (known !== undefined) return known
  const name = written.toLowerCase()
  const decision = ENDS_HERE.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)) ? null : name
  if (written.length <= DECIDED_CHARACTERS && decided.size < DECIDED_LIMIT) decided.set(written, decision)
  return decision
}
