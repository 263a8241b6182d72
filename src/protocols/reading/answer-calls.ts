import { type CallCounts, type CallKind, callsMade } from '../../core/calls.ts'
import { CALLS_LIMIT } from '../../core/limits.ts'
import { tokenCount } from './usage-report.ts'
import { fieldsOf } from '../json/json-object.ts'

/**
 * Calls of tools that the provider ran, as they stand in the items of an answer. Looked for only where a model has fees for
 * them. An item may come twice, begun and done: what was said last holds.
 */
export class AnswerCalls {
  /** What each item counts as; null: nothing. */
  readonly #items = new Map<string, { readonly kind: CallKind; readonly once: string | null } | null>()
  /** Whether it names sources of the web, but not how often it searched. */
  #namesSources = false
  /** Whether it names pages that it was sent to, which are sources of the web as well. */
  #hasPages = false
  #isReported = false
  readonly #sourcesMean: 'web_search' | 'grounded_prompt'

  /** `sourcesMean`: what the provider charges for where sources are named; Google an answer that searched at all. */
  constructor(sourcesMean: 'web_search' | 'grounded_prompt' = 'web_search') {
    this.#sourcesMean = sourcesMean
  }

  /** One item of a response's output. `place` tells items without an id apart. */
  addItem(item: unknown, place: string): void {
    const { id, type, status, action, container_id: own, environment } = fieldsOf(item)
    const kind = typeof type === 'string' ? ITEMS.get(type) : undefined
    const container = own ?? fieldsOf(environment)['container_id']
    // A shell without a container is the client's.
    if (kind === undefined || (type === 'shell_call' && typeof container !== 'string')) return
    // Of a search's steps only the search is charged: not the opening of a page, and not a search within one.
    const step = fieldsOf(action)['type']
    const isFree = status === 'failed' || (kind === 'web_search' && step !== undefined && step !== 'search')
    const once = kind === 'code_interpreter' && typeof container === 'string' ? container : null
    this.#set(typeof id === 'string' ? id : place, isFree ? null : { kind, once })
  }

  /**
   * A block of Anthropic's that calls a tool of its own. Its usage says the same of searches and fetches at the end, and then that
   * holds. An answer runs its code in one container.
   */
  addBlock(block: unknown): void {
    const { type, id, name } = fieldsOf(block)
    if (type !== 'server_tool_use' || typeof name !== 'string' || name.startsWith('tool_search')) return
    const isCode = name.endsWith('code_execution')
    const kind = name === 'web_search' || name === 'web_fetch' ? name : isCode ? 'code_interpreter' : 'other_tool'
    this.#set(typeof id === 'string' ? id : `${this.#items.size}`, { kind, once: isCode ? 'container' : null })
  }

  /** Leaves out the searches and fetches of Anthropic's blocks, since a usage reports them. Code is in none. */
  leaveOutReported(): void {
    this.#isReported = true
  }

  /**
   * The message of a chat completion, or a delta of it: the sources that it names, the files that OpenRouter parsed for it, and
   * the tools that Groq ran.
   */
  addMessage(message: unknown): void {
    const { annotations, executed_tools: executed } = fieldsOf(message)
    for (const annotation of listed(annotations)) {
      const { type, file } = fieldsOf(annotation)
      if (type === 'url_citation') this.#namesSources = true
      if (type !== 'file') continue
      const { hash, name } = fieldsOf(file)
      this.#set(`file ${String(hash ?? name)}`, { kind: 'file_parsing', once: null })
    }
    for (const [at, tool] of listed(executed).entries()) {
      const { type, index } = fieldsOf(tool)
      this.#set(`executed ${typeof index === 'number' ? index : at}`, { kind: executedKind(String(type)), once: null })
    }
  }

  /** A candidate of Gemini's, or a part of one: what it searched for, the pages that it read, the code that it ran. */
  addCandidate(candidate: unknown): void {
    const { groundingMetadata, urlContextMetadata, content } = fieldsOf(candidate)
    this.#addGrounding(groundingMetadata)
    for (const page of listed(fieldsOf(urlContextMetadata)['urlMetadata'])) {
      const { retrievedUrl, urlRetrievalStatus: status } = fieldsOf(page)
      this.#hasPages = true
      const isFree = typeof status === 'string' && !status.endsWith('_SUCCESS')
      this.#set(`page ${String(retrievedUrl)}`, isFree ? null : { kind: 'web_fetch', once: null })
    }
    for (const part of listed(fieldsOf(content)['parts'])) {
      const { executableCode } = fieldsOf(part)
      if (executableCode === undefined) continue
      const { id, code } = fieldsOf(executableCode)
      this.#set(`run ${String(id ?? code)}`, { kind: 'code_interpreter', once: null })
    }
  }

  /**
   * `groundingMetadata` of a candidate of Gemini's. It may come in parts, or again and again as a whole, so a query counts once,
   * and an empty one not at all. That Google charges Gemini 3 by the different queries and older models by the prompt is as others
   * report its pages (discuss.ai.google.dev, thread 168136; you.com, "What Is the Gemini Web Search API?", 2026-09).
   */
  #addGrounding(metadata: unknown): void {
    const { webSearchQueries, imageSearchQueries, groundingChunks } = fieldsOf(metadata)
    for (const queries of [webSearchQueries, imageSearchQueries]) {
      for (const query of listed(queries)) {
        if (typeof query === 'string' && query !== '') this.#set(`query ${query}`, { kind: 'web_search', once: null })
      }
    }
    const chunks = listed(groundingChunks).map(fieldsOf)
    this.#namesSources ||= chunks.some((chunk) => chunk['web'] !== undefined)
    if (chunks.some((chunk) => chunk['maps'] !== undefined)) {
      this.#set('maps', { kind: 'maps_grounding', once: null })
    }
    if (chunks.some((chunk) => chunk['retrievedContext'] !== undefined)) {
      this.#set('files', { kind: 'file_search', once: null })
    }
  }

  /**
   * Undefined: there were none. Sources mean that it searched at least once, but for pages that Gemini was sent to, which it
   * need not have searched for.
   */
  get counts(): CallCounts | undefined {
    const counts = this.#counted()
    const namesSources = this.#namesSources && !this.#hasPages
    if (this.#sourcesMean === 'web_search') {
      return callsMade(namesSources && counts.web_search === undefined ? { ...counts, web_search: 1 } : counts)
    }
    return callsMade(namesSources || counts.web_search !== undefined ? { ...counts, grounded_prompt: 1 } : counts)
  }

  #counted(): CallCounts {
    const counts: { [Kind in CallKind]?: number } = {}
    const seen = new Set<string>()
    for (const call of this.#items.values()) {
      if (call === null || (call.once !== null && seen.has(call.once))) continue
      if (this.#isReported && (call.kind === 'web_search' || call.kind === 'web_fetch')) continue
      if (call.once !== null) seen.add(call.once)
      counts[call.kind] = (counts[call.kind] ?? 0) + 1
    }
    return counts
  }

  #set(key: string, call: { readonly kind: CallKind; readonly once: string | null } | null): void {
    if (this.#items.size < ITEMS_LIMIT || this.#items.has(key)) this.#items.set(key, call)
  }
}

/**
 * Calls that a usage object reports: Anthropic's and OpenRouter's `server_tool_use`, xAI's `server_side_tool_usage_details`,
 * Perplexity's `num_search_queries`. Undefined: it says nothing of them, or none.
 */
export function reportedCalls(usage: Readonly<Record<string, unknown>>): CallCounts | undefined {
  const { server_tool_use: ofAnthropic, server_side_tool_usage_details: ofXai, num_search_queries: searches } = usage
  // Nearly every report.
  if (ofAnthropic === undefined && ofXai === undefined && searches === undefined) return undefined
  const counts: { [Kind in CallKind]?: number } = {}
  const add = (name: string, value: unknown): void => {
    const count = tokenCount(value)
    const kind = REPORTED.get(name) ?? (TOKENS_ALONE.test(name) ? null : 'other_tool')
    if (count !== null && count > 0 && kind !== null) counts[kind] = (counts[kind] ?? 0) + count
  }
  for (const details of [ofAnthropic, ofXai]) {
    for (const [name, count] of Object.entries(fieldsOf(details)).slice(0, REPORTED_LIMIT)) {
      const tool = /^(.+)_(?:requests|calls)$/.exec(name)?.[1]
      if (tool !== undefined) add(tool, count)
    }
  }
  if (counts.web_search === undefined) add('web_search', searches)
  return callsMade(counts)
}

/** Tools by the names that reports have for them. */
const REPORTED: ReadonlyMap<string, CallKind> = new Map([
  ['web_search', 'web_search'],
  ['web_fetch', 'web_fetch'],
  ['x_search', 'x_search'],
  ['code_interpreter', 'code_interpreter'],
  ['code_execution', 'code_interpreter'],
  ['file_search', 'file_search'],
  ['collections_search', 'file_search'],
  ['document_search', 'document_search'],
  ['image_generation', 'image_generation'],
])

/** Tools that their providers charge by their tokens alone. */
const TOKENS_ALONE = /^(?:mcp|tool_search|view_)/

/** More tools than any report names. */
const REPORTED_LIMIT = 32

/** What Groq calls the tools that its systems and models run. */
function executedKind(type: string): CallKind {
  if (type.includes('search')) return 'web_search'
  if (type.includes('visit')) return 'web_fetch'
  return type === 'python' || type.includes('code') ? 'code_interpreter' : 'other_tool'
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, CALLS_LIMIT + 1) : []
}

/** Types of items in a response's output that are charged (OpenAI's reference of responses, read 2026-11). */
const ITEMS: ReadonlyMap<string, CallKind> = new Map([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_interpreter'],
  // Of a hosted shell: the container is charged as the code interpreter's.
  ['shell_call', 'code_interpreter'],
  ['x_search_call', 'x_search'],
  ['image_generation_call', 'image_generation'],
])

/** Room for what is believed of each kind, and one more, by which it shows. */
const ITEMS_LIMIT = 8 * (CALLS_LIMIT + 1)
