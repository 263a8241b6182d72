import type { HostedTool } from '../../core/calls.ts'
import type { JsonWalk } from '../json/json-walk.ts'
import { signOf, SIGNS } from '../json/nested-tokens/nested-tokens.ts'

/**
 * The closed list of what adds input that is not in a request's bytes, on all chat wires at once, since upstreams take fields
 * of each other's. Each group names its source: the documentation, or the types of the provider's own client, as of
 * November 2026. What is added by providers later belongs here; until then its report is charged up to the model's context.
 */

/** What a name or a type adds: see `OutsideInput`. */
export type Adds = 'refers' | 'loops' | 'media'

/** What a field has to hold and where it has to stand for it to count. */
export interface NameRule {
  readonly adds: Adds
  /**
   * `set`: anything but null, false, "" and []. `object`: an object. `address`: a string, where one that begins with `data:`
   * is a picture or file in the body. `web address`: a string that begins with http. `type`: see `OUTSIDE_TYPES`, which say what it
   * adds.
   */
  readonly value: 'set' | 'object' | 'address' | 'web address' | 'type'
  /** The field at the top below which it stands; empty: the top itself; undefined: anywhere. */
  readonly below?: string
  /** Names what a provider keeps for the holder of its credential, and so for all accounts: see `stored-ids.ts`. */
  readonly kept?: true
  /** Asks for this tool of the provider's that is charged by the call, or for those that the list of plugins has. */
  readonly tool?: HostedTool | 'plugins'
  /** Set where what it names is an answer that was made through this gateway. */
  readonly names?: 'answer'
}

const REFERS: NameRule = { adds: 'refers', value: 'set' }
const KEPT: NameRule = { ...REFERS, kept: true }
const ADDRESS: NameRule = { adds: 'refers', value: 'address' }
const LOOPS: NameRule = { adds: 'loops', value: 'set' }
const MEDIA: NameRule = { adds: 'media', value: 'set' }
const IN_TOOLS: NameRule = { ...LOOPS, below: 'tools' }
const GOOGLE_SEARCH: NameRule = { ...IN_TOOLS, tool: 'google_search' }

/** The field of which the value may be one of `OUTSIDE_TYPES`. */
export const TYPE: NameRule = { adds: 'loops', value: 'type' }

/** Fields, in lowercase. */
export const OUTSIDE_NAMES: Readonly<Record<string, NameRule>> = {
  // OpenAI Responses, "Create a model response" (and openai-node 7.55, `ResponseCreateParams`, `ResponseInputItem`).
  previous_response_id: { ...KEPT, below: '', names: 'answer' },
  conversation: { ...KEPT, below: '' },
  prompt: { adds: 'refers', value: 'object', below: '', kept: true },
  file_id: KEPT,
  file_ids: KEPT,
  file_url: ADDRESS,
  image_url: ADDRESS,
  vector_store_id: KEPT,
  vector_store_ids: KEPT,
  container_id: KEPT,
  skill_id: KEPT,
  connector_id: LOOPS,
  server_url: LOOPS,
  file_data: MEDIA,
  // OpenAI chat completions, "Create chat completion": search, and an earlier answer in sound by its id.
  web_search_options: { ...LOOPS, below: '', tool: 'web_search' },
  audio: { adds: 'refers', value: 'object', below: 'messages', kept: true },
  input_audio: MEDIA,
  // Upstreams that speak it: xAI (Live Search), Alibaba (Qwen), OpenRouter (plugins, presets), Mistral (document_url), vLLM.
  search_parameters: { ...LOOPS, below: '', tool: 'web_search' },
  enable_search: { ...LOOPS, tool: 'web_search' },
  plugins: { ...LOOPS, below: '', tool: 'plugins' },
  preset: { ...KEPT, below: '' },
  document_url: ADDRESS,
  video_url: ADDRESS,
  audio_url: ADDRESS,
  video: REFERS,
  data: { adds: 'refers', value: 'web address' },
  // Anthropic, "Create a Message" and its betas (and @anthropic-ai/sdk 1.11, `beta.messages.MessageCreateParams`).
  url: ADDRESS,
  container: KEPT,
  thread: { adds: 'refers', value: 'object', below: '', kept: true },
  mcp_servers: LOOPS,
  fallbacks: { ...LOOPS, below: '' },
  compaction: { ...LOOPS, below: '' },
  // Gemini, "GenerateContentRequest", "Part" and "Tool"; Vertex AI's tools.
  ...inBothSpellings({
    file_uri: KEPT,
    cached_content: KEPT,
    file_search_store_names: KEPT,
    inline_data: MEDIA,
    google_search: GOOGLE_SEARCH,
    google_search_retrieval: GOOGLE_SEARCH,
    enterprise_web_search: GOOGLE_SEARCH,
    parallel_ai_search: GOOGLE_SEARCH,
    google_maps: { ...IN_TOOLS, tool: 'maps_grounding' },
    url_context: { ...IN_TOOLS, tool: 'web_fetch' },
    code_execution: { ...IN_TOOLS, tool: 'code_interpreter' },
    file_search: { ...IN_TOOLS, tool: 'file_search' },
    retrieval: { ...IN_TOOLS, tool: 'file_search' },
  }),
  mcpservers: IN_TOOLS,
}

/** Google's JSON takes each field in two spellings, of which one has no underscores when it is in lowercase. */
function inBothSpellings(rules: Readonly<Record<string, NameRule>>): Record<string, NameRule> {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) => [
      [name, rule],
      [name.replaceAll('_', ''), rule],
    ]),
  )
}

/** Values of `type`, by how they begin, since Anthropic's end in a date and OpenAI's calls in `_call`. */
export const OUTSIDE_TYPES: Readonly<Record<string, Adds>> = {
  // OpenAI Responses: items, tools and the calls of them that are sent back (openai-node 7.55, `ResponseInputItem`, `Tool`).
  item_reference: 'refers',
  container_reference: 'refers',
  skill_reference: 'refers',
  container_auto: 'loops',
  web_search: 'loops',
  file_search: 'loops',
  code_interpreter: 'loops',
  image_generation: 'loops',
  mcp: 'loops',
  tool_search: 'loops',
  programmatic_tool_calling: 'loops',
  shell: 'loops',
  compact: 'loops',
  // Anthropic: server tools and files (@anthropic-ai/sdk 1.11, `BetaToolUnion`, `BetaContentBlockParam`).
  web_fetch: 'loops',
  code_execution: 'loops',
  advisor: 'loops',
  container_upload: 'refers',
  base64: 'media',
  // Upstreams that speak chat completions: xAI, OpenRouter, Groq, Moonshot, Zhipu, Mistral.
  x_search: 'loops',
  collections_search: 'loops',
  live_search: 'loops',
  'openrouter:': 'loops',
  browser_search: 'loops',
  builtin_function: 'loops',
  retrieval: 'loops',
  document_library: 'refers',
}

/** The rule for the name between `start` and `end`, quotes included; undefined for all others. */
export function nameRule(walk: JsonWalk, start: number, end: number): NameRule | undefined {
  const { bytes } = walk
  const length = end - start - 2
  if (length >= SHORTEST_UNUSUAL && !walk.isPlain(start + 1, end - 1)) {
    return unusualRule(bytes.toString('utf8', start + 1, end - 1))
  }
  if (length > LONGEST || PLAUSIBLE[signOf(length, bytes[start + 1] ?? 0, bytes[end - 2] ?? 0)] !== 1) return undefined
  return NAMES.get(bytes.toString('latin1', start + 1, end - 1).toLowerCase())
}

function unusualRule(written: string): NameRule | undefined {
  const name = withoutCase(decoded(written))
  return name === 'type' ? TYPE : NAMES.get(name)
}

/** What the type at this offset adds; null: nothing. */
export function typeAdds(bytes: Buffer, at: number): Adds | null {
  if (bytes[at] !== QUOTE) return null
  const first = bytes[at + 1] ?? 0
  const second = bytes[at + 2] ?? 0
  if (first === BACKSLASH || second === BACKSLASH) return decodedTypeAdds(bytes, at)
  // `tool_use` and `tool_result`, which a conversation has by the hundred, begin like `tool_search`.
  for (const [beginning, adds] of BEGINNINGS[(first << 8) | second] ?? NO_TYPES) {
    let length = 2
    while (length < beginning.length && bytes[at + 1 + length] === beginning.charCodeAt(length)) length++
    if (length === beginning.length) return adds
    if (bytes[at + 1 + length] === BACKSLASH) return decodedTypeAdds(bytes, at)
  }
  return null
}

function decodedTypeAdds(bytes: Buffer, at: number): Adds | null {
  const type = typeAt(bytes, at)
  return TYPES.find(([beginning]) => type.startsWith(beginning))?.[1] ?? null
}

/** The type at this offset, decoded; of a long one the beginning. */
export function typeAt(bytes: Buffer, at: number): string {
  const written = bytes.toString('latin1', at + 1, at + 1 + LONGEST * ESCAPE_BYTES)
  return decoded(/^(?:[^"\\]|\\.)*/s.exec(written)?.[0] ?? '')
}

/** Text between quotes as a parser reads it, for what has nothing but letters when it is read. */
export function decoded(written: string): string {
  if (!written.includes('\\')) return written
  return written.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, plain: string) =>
    code === undefined ? plain : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Lowers a key by way of its capitals, since some letters share theirs with an ASCII one: the long s (U+017F) is one more s to Go. */
export function withoutCase(key: string): string {
  return key.toUpperCase().toLowerCase()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** A character written as `\uXXXX`. */
const ESCAPE_BYTES = 6

/**
 * Bytes of the shortest name that can be written with an escape, which takes six for a letter; and no shorter name of the list
 * has an s or a k, the letters that have a twin beyond ASCII.
 */
const SHORTEST_UNUSUAL = 7

const NAMES = new Map(Object.entries(OUTSIDE_NAMES))
const TYPES = Object.entries(OUTSIDE_TYPES)
const LONGEST = Math.max(...[...NAMES.keys(), ...TYPES.map(([type]) => type)].map((name) => name.length))

/** 1 for each length, first and last letter that some name has, so that most names need no look-up. */
const PLAUSIBLE = new Uint8Array(SIGNS)
for (const name of NAMES.keys()) {
  PLAUSIBLE[signOf(name.length, name.charCodeAt(0), name.charCodeAt(name.length - 1))] = 1
}

/** What a walk has to show of the names below the top, types included. Of the input of Responses it is all, for `InputItems`. */
export const SHOWN_SIGNS = PLAUSIBLE.slice()
SHOWN_SIGNS[signOf('type'.length, 't'.charCodeAt(0), 'e'.charCodeAt(0))] = 1

/** The types that begin with each pair of letters. */
const BEGINNINGS: (readonly (readonly [string, Adds])[] | undefined)[] = Array.from({ length: 65_536 })
for (const type of TYPES) {
  const pair = (type[0].charCodeAt(0) << 8) | type[0].charCodeAt(1)
  BEGINNINGS[pair] = [...(BEGINNINGS[pair] ?? []), type]
}
const NO_TYPES: readonly (readonly [string, Adds])[] = []
