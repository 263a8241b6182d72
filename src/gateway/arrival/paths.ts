import { explainedFault } from '../../causes/explained-fault.ts'
import type { Fault } from '../../core/faults.ts'
import { type Wire, type WireFamily, wireFacts, WIRE_NAMES } from '../../core/wire.ts'
import { type BalanceForm, CLAUDE_USAGE_PATH } from '../balance-paths.ts'
import { recogniseStored, STORED_ENDPOINTS, type StoredResponseRoute } from './stored-paths.ts'
import { decode, explainGemini, isGeminiPath, recogniseGemini } from './gemini-paths.ts'
import { explainUnserved, shownPath } from './unserved-paths.ts'

/** What a path of the gateway asks for. */
export type GatewayRoute =
  | ({ readonly kind: 'generate'; readonly wire: Wire } & InPath)
  | ({ readonly kind: 'count_tokens'; readonly wire: Wire } & InPath)
  | ({ readonly kind: 'models' } & InForm)
  | ({ readonly kind: 'model'; readonly name: string } & InForm)
  | StoredResponseRoute
  | { readonly kind: 'usage' }
  | { readonly kind: 'balance'; readonly form: BalanceForm }
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'receipt'; readonly requestId: string }
  /** What a signed-in Claude Code asks for. */
  | { readonly kind: 'claude_usage' | 'managed_settings' | 'telemetry'; readonly family: 'anthropic' }

/** What else a path says. */
interface InPath {
  /** Where an upstream of the same wire has it, below its base URL. */
  readonly upstreamPath: string
  /** The model, on wires that have it in the path (gemini). */
  readonly model?: string
  readonly isStream?: boolean
  /** Only an upstream of the same wire has it. */
  readonly isSameWireOnly?: boolean
  /** The stream has to be asked for as server-sent events (gemini). */
  readonly wantsEventStream?: boolean
}

/** Set where the path tells in whose form the answer is wanted. */
interface InForm {
  readonly family?: WireFamily
}

/** A route, and the base URL that was meant when the client entered it in another way. */
export interface Recognised {
  readonly route: GatewayRoute
  /** Path of the base URL that the client's protocol wants: `` or `/v1`; null when that is what it has. */
  readonly meantBasePath: string | null
}

const POST_ROUTES = new Map<string, Recognised>(
  WIRE_NAMES.flatMap((wire) => {
    const { paths, ownPaths = {}, countPaths = {} } = wireFacts(wire)
    const asked = [
      [paths, { kind: 'generate' }],
      [ownPaths, { kind: 'generate', isSameWireOnly: true }],
      [countPaths, { kind: 'count_tokens' }],
    ] as const
    return asked.flatMap(([known, how]) =>
      Object.entries<string>(known).map(([path, upstreamPath]): [string, Recognised] => {
        return [path, { route: { ...how, wire, upstreamPath }, meantBasePath: null }]
      }),
    )
  }),
)

const GET_ROUTES = new Map<string, Recognised>([
  ['/v1/models', { route: { kind: 'models' }, meantBasePath: null }],
  ['/v1/usage', { route: { kind: 'usage' }, meantBasePath: null }],
  ['/api.json', { route: { kind: 'catalogue' }, meantBasePath: null }],
  [CLAUDE_USAGE_PATH, { route: { kind: 'claude_usage', family: 'anthropic' }, meantBasePath: null }],
  ['/managed/settings', { route: { kind: 'managed_settings', family: 'anthropic' }, meantBasePath: null }],
])

const TELEMETRY: Recognised = { route: { kind: 'telemetry', family: 'anthropic' }, meantBasePath: null }
const TELEMETRY_PATHS = new Map(['/v1/metrics', '/v1/logs', '/v1/traces'].map((path) => [path, TELEMETRY]))

/** What stands below these paths names one of many. */
const MODEL_PREFIX = '/v1/models/'
const RECEIPT_PREFIX = '/v1/requests/'

/** Endings of full endpoint paths, as people paste them into the field for the base URL. */
const ENDPOINTS = [...POST_ROUTES.keys()].map((path) => path.slice('/v1'.length)).sort((a, b) => b.length - a.length)

/**
 * Finds what is asked for. Paths that users mix up answer too: without `/v1`, with it doubled, with doubled slashes, under
 * `/anthropic`; Google's form is in `gemini-paths.ts`. Throws Fault `base_url_wrong` or `path_unknown`; `origin` is for their messages.
 */
export function recognise(method: string, path: string, origin: string): Recognised {
  const exact = lookUp(method, path)
  if (exact !== null) return exact
  const gemini = recogniseGemini(method, path)
  if (gemini !== null) return gemini
  const straight = normalizePath(path)
  const meant = lookUp(method, straight)
  if (meant !== null) {
    const isAnthropic = path.startsWith('/anthropic/')
    return { route: meant.route, meantBasePath: isAnthropic ? '' : basePathFor(straight) }
  }
  throw explainGemini({ method, path }, origin) ?? explain({ method, path, straight }, origin)
}

/** The family whose shape an answer to this path should have, also when the path means nothing. */
export function familyOfPath(path: string, hasAnthropicVersion: boolean): WireFamily {
  if (isGeminiPath(path)) return 'gemini'
  // OpenAI has paths that end in `/messages` too, such as those of stored chat completions.
  const isAnthropic =
    hasAnthropicVersion || path.startsWith('/anthropic') || normalizePath(path).includes('/v1/messages')
  return isAnthropic ? 'anthropic' : 'openai'
}

function lookUp(method: string, path: string): Recognised | null {
  // Node leaves out the body of what is answered to HEAD.
  const isGet = method === 'GET' || method === 'HEAD'
  const whole =
    method === 'POST'
      ? (POST_ROUTES.get(path) ?? TELEMETRY_PATHS.get(path))
      : isGet
        ? (GET_ROUTES.get(path) ?? lookUpName(path))
        : null
  if (whole !== undefined && whole !== null) return whole
  const stored = recogniseStored(isGet ? 'GET' : method, path)
  return stored === null ? null : { route: stored, meantBasePath: null }
}

function lookUpName(path: string): Recognised | null {
  // A slash too many is a slip here as everywhere; one that belongs to a model's name can be sent encoded.
  if (path.includes('//') || path.endsWith('/')) return null
  const name = nameBelow(MODEL_PREFIX, path)
  if (name !== null) return { route: { kind: 'model', name }, meantBasePath: null }
  const requestId = nameBelow(RECEIPT_PREFIX, path)
  // Unlike a model's name, an id holds no slash: one too many is a slip, as everywhere.
  if (requestId === null || requestId.includes('/')) return null
  return { route: { kind: 'receipt', requestId }, meantBasePath: null }
}

function nameBelow(prefix: string, path: string): string | null {
  const name = path.startsWith(prefix) ? decode(path.slice(prefix.length)) : null
  return name === '' ? null : name
}

/** The path as it was meant: slashes single, `/v1` once, no vendor's prefix. */
export function normalizePath(path: string): string {
  const single = path.replace(/\/{2,}/g, '/').replace(/^\/(?:anthropic|openai)(?=\/)/, '')
  const trimmed = single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single
  return trimmed.replace(/^(?:\/v1)*(?=\/)/, '/v1').replace(/^(?:\/v1){2,}$/, '/v1')
}

function basePathFor(straightPath: string): string {
  return straightPath.startsWith('/v1/messages') ? '' : '/v1'
}

function explain(asked: { method: string; path: string; straight: string }, origin: string): Fault {
  const { method, path, straight } = asked
  if (POST_ROUTES.has(straight)) {
    return explainedFault('path_unknown', { path: shownPath(path), method: shownPath(method), takes: 'POST' })
  }
  if (lookUp('GET', straight) !== null) {
    return explainedFault('path_unknown', { path: shownPath(path), method: shownPath(method), takes: 'GET' })
  }
  const endpoint = ENDPOINTS.find((ending) => straight.startsWith('/v1' + ending + '/'))
  if (endpoint !== undefined) return explainBelow('/v1' + endpoint, asked, origin)
  const unserved = explainUnserved({ method, path, straight })
  return unserved ?? explainedFault('path_unknown', { path: shownPath(path), origin })
}

/** What stands below an endpoint is the path that a client appended to it as a base URL, or a part of an API not served here. */
function explainBelow(
  endpoint: string,
  { method, path, straight }: { method: string; path: string; straight: string },
  origin: string,
): Fault {
  const appended = normalizePath(straight.slice(endpoint.length))
  if (POST_ROUTES.has(appended) || lookUp('GET', appended) !== null) {
    // What the client appended tells which kind it is; what was entered may be of the other.
    const meant = origin + basePathFor(appended)
    return explainedFault('base_url_wrong', { enter: meant }, { hint: meant })
  }
  const posts = [...POST_ROUTES.keys()].filter((known) => known === endpoint || known.startsWith(endpoint + '/'))
  const stored = STORED_ENDPOINTS.filter((known) => known.includes(` ${endpoint}/`))
  const served = [...posts.map((known) => `POST ${known}`), ...stored]
  return explainedFault('path_unknown', {
    path: shownPath(path),
    method: shownPath(method),
    served: served.join(' and '),
  })
}
