import { type CallCounts, type CallKind, callsMade } from '../../core/calls.ts'
import { CALLS_LIMIT } from '../../core/limits.ts'
import { fieldsOf, tokenCount } from './usage-report.ts'

/**
 * Calls of tools that the provider ran, as they stand in the items of an answer. Looked for only where a model has fees for
 * them. An item may come twice, begun and done: what was said last holds.
 */
export class AnswerCalls {
  /** What each item counts as; null: nothing. */
  readonly #items = new Map<string, { readonly kind: CallKind; readonly once: string | null } | null>()

  /** One item of a response's output. `place` tells items without an id apart. */
  addItem(item: unknown, place: string): void {
    const { id, type, status, action, container_id: container } = fieldsOf(item)
    const kind = typeof type === 'string' ? ITEMS.get(type) : undefined
    if (kind === undefined) return
    // Of a search's steps only the search is charged: not the opening of a page, and not a search within one.
    const step = fieldsOf(action)['type']
    const isFree = status === 'failed' || (kind === 'web_search' && step !== undefined && step !== 'search')
    const once = kind === 'code_interpreter' && typeof container === 'string' ? container : null
    this.#set(typeof id === 'string' ? id : place, isFree ? null : { kind, once })
  }

  /** A block of Anthropic's that calls a tool of its own. Its usage says the same at the end, and then that holds. */
  addBlock(block: unknown): void {
    const { type, id, name } = fieldsOf(block)
    if (type !== 'server_tool_use' || (name !== 'web_search' && name !== 'web_fetch')) return
    this.#set(typeof id === 'string' ? id : `${this.#items.size}`, { kind: name, once: null })
  }

  /** Sources that a chat completion names: it searched, but it is not said how often. */
  addAnnotations(annotations: unknown): void {
    if (!Array.isArray(annotations)) return
    if (annotations.some((each) => fieldsOf(each)['type'] === 'url_citation')) {
      this.#set('annotations', { kind: 'web_search', once: null })
    }
  }

  /**
   * `groundingMetadata` of a candidate of Gemini's. It may come in parts, or again and again as a whole, so a query counts once,
   * and an empty one not at all. That Google charges Gemini 3 by the different queries and older models by the prompt is as others
   * report its pages (discuss.ai.google.dev, thread 168136; you.com, "What Is the Gemini Web Search API?", 2026-09).
   */
  addGrounding(metadata: unknown): void {
    const { webSearchQueries, imageSearchQueries, groundingChunks } = fieldsOf(metadata)
    for (const queries of [webSearchQueries, imageSearchQueries]) {
      if (!Array.isArray(queries)) continue
      for (const query of queries.slice(0, CALLS_LIMIT + 1)) {
        if (typeof query === 'string' && query !== '') this.#set(`query ${query}`, { kind: 'web_search', once: null })
      }
    }
    const chunks: unknown[] = Array.isArray(groundingChunks) ? groundingChunks : []
    const isOfWeb = chunks.some((chunk) => fieldsOf(chunk)['web'] !== undefined)
    if (isOfWeb || this.#hasQuery()) this.#set('grounded', { kind: 'grounded_prompt', once: null })
    if (chunks.some((chunk) => fieldsOf(chunk)['maps'] !== undefined)) {
      this.#set('maps', { kind: 'maps_grounding', once: null })
    }
  }

  /** Undefined: there were none. */
  get counts(): CallCounts | undefined {
    const counts: { [Kind in CallKind]?: number } = {}
    const seen = new Set<string>()
    for (const call of this.#items.values()) {
      if (call === null || (call.once !== null && seen.has(call.once))) continue
      if (call.once !== null) seen.add(call.once)
      counts[call.kind] = (counts[call.kind] ?? 0) + 1
    }
    return callsMade(counts)
  }

  #hasQuery(): boolean {
    return [...this.#items.keys()].some((key) => key.startsWith('query '))
  }

  #set(key: string, call: { readonly kind: CallKind; readonly once: string | null } | null): void {
    if (this.#items.size < ITEMS_LIMIT || this.#items.has(key)) this.#items.set(key, call)
  }
}

/**
 * Calls that a usage object reports: Anthropic's and OpenRouter's `server_tool_use`, Perplexity's `num_search_queries`.
 * Undefined: it says nothing of them, or none.
 */
export function reportedCalls(usage: Readonly<Record<string, unknown>>): CallCounts | undefined {
  const byTool = fieldsOf(usage['server_tool_use'])
  const searches = tokenCount(byTool['web_search_requests']) ?? tokenCount(usage['num_search_queries'])
  const fetches = tokenCount(byTool['web_fetch_requests'])
  if (!searches && !fetches) return undefined
  return { ...(searches ? { web_search: searches } : {}), ...(fetches ? { web_fetch: fetches } : {}) }
}

/** Types of items in a response's output that are charged (OpenAI's reference of responses, read 2026-11). */
const ITEMS: ReadonlyMap<string, CallKind> = new Map([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_interpreter'],
  ['image_generation_call', 'image_generation'],
])

/** Room for what is believed of each kind, and one more, by which it shows. */
const ITEMS_LIMIT = 8 * (CALLS_LIMIT + 1)
