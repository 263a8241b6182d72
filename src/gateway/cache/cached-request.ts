import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { RESPONSE_CACHE_ENTRY_BYTES } from '../../core/limits.ts'
import type { ResponseCacheRule } from '../../core/response-cache-rule.ts'
import { namesTools } from '../../protocols/named-tools.ts'
import type { Model } from '../../routing/catalog.ts'
import type { AnswerRecorder, RecordedEnd } from '../exchange/state.ts'
import type { KeptAnswer, ResponseCache } from '../memory/response-cache.ts'
import type { PreparedRequest } from '../request/prepared.ts'

/** What the cache has for a request, and where its answer is recorded where there is nothing. */
export type Cached = { readonly kept: KeptAnswer } | { readonly recording: AnswerRecording | null }

/** What a request is looked up by, beside what was prepared of it. */
export interface LookedUpBy {
  readonly cache: ResponseCache
  readonly headers: IncomingHttpHeaders
  /** Below the upstream's base URL, with the client's query. */
  readonly upstreamPath: string
  /** Headers that an admin lets through to upstreams, in lower case. */
  readonly forwardsAlso: ReadonlySet<string>
}

/**
 * Looks for a kept answer to an admitted request. null: its group keeps none, its key wants none, or none are kept of such
 * requests: it names tools or anything outside of itself, it has less output than it asked for, or its client wants none stored.
 */
export function cachedRequest(prepared: PreparedRequest, by: LookedUpBy): Cached | null {
  const { caller, chosen, head, hold, body, reservation } = prepared
  const rule = chosen.group.cache
  if (rule === undefined || caller.key.responseCache === 'off' || reservation === null || hold.limit !== null)
    return null
  const { outside } = head
  if (outside.refers || outside.loops || outside.media || outside.kept) return null
  if (head.expectedOutputTokens !== undefined || body[0] !== BRACE) return null
  if (namesTools(body)) return null
  const wish = by.headers['cache-control']?.toLowerCase() ?? ''
  if (wish.includes('no-store')) return null
  const key = keyOf(prepared, by, rule)
  const kept = /no-cache|max-age=0(?!\d)/.test(wish) ? null : by.cache.find(key, rule.ttlSeconds * 1_000)
  return kept === null ? { recording: new AnswerRecording(by.cache, key) } : { kept }
}

const BRACE = 0x7b

/** Equal only for requests that would go the same way with the same bytes, and of one account unless the group shares, or of one key that wants it so. */
function keyOf({ caller, chosen, protocol, body }: PreparedRequest, by: LookedUpBy, rule: ResponseCacheRule): string {
  const { group, model } = chosen
  const shared = rule.isShared ? null : caller.account.id
  const whose = caller.key.responseCache === 'key' ? caller.key.id : shared
  const about = [whose, group.id, rule.since, model.id, routeOf(model), protocol.wire, by.upstreamPath, headersOf(by)]
  return createHash('sha256').update(JSON.stringify(about)).update('\n').update(body).digest('base64')
}

/** A model that is served elsewhere answers otherwise. Read once for each reading of the catalogue. */
const ROUTES = new WeakMap<Model, string>()

function routeOf(model: Model): string {
  let route = ROUTES.get(model)
  if (route === undefined) {
    route = JSON.stringify(model.targets.map(({ upstreamId, model: name }) => [upstreamId, name]))
    ROUTES.set(model, route)
  }
  return route
}

/** Headers by which a provider answers otherwise. */
function headersOf({ headers, forwardsAlso }: LookedUpBy): readonly unknown[] {
  return Object.entries(headers)
    .filter(([name]) => /^(?:anthropic-|openai-beta$|accept-language$)/.test(name) || forwardsAlso.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Names of calls to tools in the answers of all wires. */
const CALLS = ['tool_call', 'tool_use', 'function_call', 'functionCall', '_call"']

/** The answer to one request, as it goes to its client, on its way into the cache. */
class AnswerRecording implements AnswerRecorder {
  readonly #cache: ResponseCache
  readonly #key: string
  readonly #bytes = new CollectedBytes()
  #isWhole = true

  constructor(cache: ResponseCache, key: string) {
    this.#cache = cache
    this.#key = key
  }

  /** More of a stream went out. The bytes are the sender's, so they are copied. */
  add(bytes: Buffer): void {
    if (!this.#isWhole) return
    this.#isWhole = this.#bytes.add(Buffer.from(bytes), RESPONSE_CACHE_ENTRY_BYTES)
    if (!this.#isWhole) this.#bytes.clear()
  }

  /** The answer came to its good end and is in the books. It is kept where it may be given again as it is. */
  keep(end: RecordedEnd): void {
    const { ending, terms, contentType, isStream, dropped } = end
    this.add(end.last)
    const isPlain = ending.usageSource === 'reported' && !ending.isCapped && ending.usageNotes.length === 0
    if (!this.#isWhole || !isPlain || end.isStored || ending.outcome !== 'completed' || ending.fault !== null) return
    const body = this.#bytes.whole()
    this.#bytes.clear()
    if (CALLS.some((name) => body.includes(name))) return
    this.#cache.keep(this.#key, { body, contentType, isStream, dropped, tokens: ending.tokens, terms })
  }
}
