import { type HubWire, wireFacts } from '../../core/wire.ts'

/**
 * The headers of a client's request that go on to an upstream of its own wire. All others end here: beside the credential of an
 * upstream a header may steer what it bills, to whom, or where the request goes (`x-goog-fieldmask` takes the usage out of the
 * answer, `helicone-target-url` sends it elsewhere), and no list of such names is ever complete. What real clients need of
 * their providers is in it, as of November 2026; admins may add names.
 */
const GOES_ON = new Set([
  'accept',
  'accept-language',
  'user-agent',
  'idempotency-key',
  'openai-beta',
  'x-client-request-id',
  // Codex: who began the conversation, and by what the provider keeps its cache together.
  'originator',
  'session-id',
  'session_id',
  'thread-id',
  'conversation_id',
  'version',
  'x-openai-subagent',
  // opencode, Kilo Code and xAI: the same.
  'x-session-id',
  'x-session-affinity',
  'x-grok-conv-id',
  // Claude Code, and Google's SDKs: the program's name and version.
  'x-app',
  'x-goog-api-client',
])

const PREFIXES = ['anthropic-', 'x-stainless-', 'x-claude-code-', 'x-codex-']

/** What headers go on by, beside their names. */
export interface Forwarding {
  readonly requestId: string
  /** Names in lower case that the admin added. */
  readonly also: ReadonlySet<string>
  /** What the body is. `form`: the client's own content type goes on, by which it was read here; null: there is no body. */
  readonly body: 'json' | 'form' | null
}

/** Clients write the same few names again and again: what becomes of each is decided once. */
const decided = new Map<string, HeaderDecision>()
const DECIDED_LIMIT = 1_000
const DECIDED_CHARACTERS = 64

interface HeaderDecision {
  /** The header's name in lower case. */
  readonly name: string
  readonly goesOn: boolean
}

/** The headers for the upstream, from the client's (`rawHeaders` of Node: name, value, name, value …). */
export function forwardedHeaders(
  rawHeaders: readonly string[],
  { requestId, also, body }: Forwarding,
): Record<string, string> {
  // Without a prototype: a header may be called `constructor`.
  const headers = Object.create(null) as Record<string, string>
  if (body === 'json') headers['content-type'] = 'application/json'
  let ofConnection = ''
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const { name, goesOn } = decisionOn(rawHeaders[i] ?? '')
    const value = rawHeaders[i + 1] ?? ''
    if (name === 'connection') ofConnection += `,${value}`
    // Two say how to read one body in two ways: the first is the one that was read by.
    if (name === 'content-type' && body === 'form') headers[name] ??= value
    if (!goesOn && !(also.size > 0 && also.has(name))) continue
    const before = headers[name]
    // A list may come in several lines, as `anthropic-beta` does from some clients.
    headers[name] = before === undefined ? value : before + ', ' + value
  }
  if (ofConnection !== '' && ofConnection !== ',keep-alive') dropNamed(ofConnection, headers)
  headers['x-request-id'] = requestId
  return headers
}

/** What `Connection` names belongs to the connection from the client to here (RFC 9110, 7.6.1). */
function dropNamed(connection: string, headers: Record<string, string>): void {
  for (const name of connection.toLowerCase().split(',')) {
    const named = name.trim()
    if (named !== 'content-type') delete headers[named]
  }
}

/** Headers of a client that mean the same on every wire. All others belong to its own provider's. */
const MEANT_FOR_ALL = new Set(['user-agent', 'accept-language'])
/** W3C Trace Context and Baggage: what they name is a system of the client's, so they go on only where an admin says so. */
const OF_TRACES = new Set(['traceparent', 'tracestate', 'baggage'])

/** The headers for an upstream of another wire than the client's. */
export function translatedHeaders(
  rawHeaders: readonly string[],
  { requestId, also }: Pick<Forwarding, 'requestId' | 'also'>,
  wire: HubWire,
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...wireFacts(wire).headers,
  }
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase()
    if (MEANT_FOR_ALL.has(name) || (OF_TRACES.has(name) && also.has(name))) headers[name] = rawHeaders[i + 1] ?? ''
  }
  return headers
}

function decisionOn(written: string): HeaderDecision {
  const known = decided.get(written)
  if (known !== undefined) return known
  const name = written.toLowerCase()
  const decision = { name, goesOn: GOES_ON.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)) }
  if (written.length <= DECIDED_CHARACTERS && decided.size < DECIDED_LIMIT) decided.set(written, decision)
  return decision
}
