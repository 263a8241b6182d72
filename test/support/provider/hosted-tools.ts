/** Tools that a provider runs by itself within one answer: each call reads pages, and then everything is read again. */
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'

/** How often each kind was called, as the provider bills it. */
export interface HostedCalls {
  readonly webSearch: number
  readonly fileSearch: number
  readonly codeInterpreter: number
  readonly webFetch: number
  readonly imageGeneration: number
  readonly xSearch: number
  /** Answers with places of a map. */
  readonly maps: number
  /** Remote MCP servers, searches of tools and the like: they cost what they read. */
  readonly others: number
}

type Kind = keyof HostedCalls

/** Beginnings of `type` in OpenAI's and Anthropic's tools, the latter ending in a date. */
const TYPES: readonly (readonly [string, Kind])[] = [
  ['web_search', 'webSearch'],
  ['file_search', 'fileSearch'],
  ['code_interpreter', 'codeInterpreter'],
  ['code_execution', 'codeInterpreter'],
  ['web_fetch', 'webFetch'],
  ['tool_search', 'others'],
  ['mcp', 'others'],
  ['shell', 'others'],
  ['image_generation', 'imageGeneration'],
  ['x_search', 'xSearch'],
]

/** Fields that turn a tool on: Google's tools are objects by name; the last are of makers that follow OpenAI's wire. */
const FIELDS: readonly (readonly [string, Kind])[] = [
  ['googleSearch', 'webSearch'],
  ['google_search', 'webSearch'],
  ['googleSearchRetrieval', 'webSearch'],
  ['google_search_retrieval', 'webSearch'],
  ['enterpriseWebSearch', 'webSearch'],
  ['googleMaps', 'maps'],
  ['google_maps', 'maps'],
  ['fileSearch', 'fileSearch'],
  ['file_search', 'fileSearch'],
  ['codeExecution', 'codeInterpreter'],
  ['code_execution', 'codeInterpreter'],
  ['urlContext', 'webFetch'],
  ['url_context', 'webFetch'],
]
const SWITCHES: readonly (readonly [string, Kind])[] = [
  ['web_search_options', 'webSearch'],
  ['search_parameters', 'webSearch'],
  ['enable_search', 'webSearch'],
  ['plugins', 'webSearch'],
  ['mcp_servers', 'others'],
]

/** How often tools were called in all. */
export function roundsOf(calls: HostedCalls): number {
  return Object.values(calls).reduce((sum: number, count: number) => sum + count, 0)
}

const NO_CALLS: HostedCalls = {
  webSearch: 0,
  fileSearch: 0,
  codeInterpreter: 0,
  webFetch: 0,
  imageGeneration: 0,
  xSearch: 0,
  maps: 0,
  others: 0,
}

/** `times`: how often the prompt asks for each; the request's own bounds hold (`max_tool_calls`, `max_uses`). */
export function hostedCalls(body: JsonFields, times: number): HostedCalls {
  const calls: Record<Kind, number> = { ...NO_CALLS }
  const bound = numberOf(body['max_tool_calls']) ?? Infinity
  let made = 0
  for (const { kind, most } of offered(body)) {
    // However many places a map has, it is one answer.
    const count = Math.min(kind === 'maps' ? 1 : times, most, bound - made)
    calls[kind] += count
    made += count
  }
  return calls
}

function offered(body: JsonFields): { kind: Kind; most: number }[] {
  const tools = listOf(body['tools']).map(objectOf)
  const ofTools = tools.flatMap((tool) => {
    const most = numberOf(tool['max_uses']) ?? Infinity
    const type = stringOf(tool['type'])
    const byType = TYPES.find(([begin]) => type.startsWith(begin))
    const byField = FIELDS.filter(([field]) => tool[field] !== undefined)
    const found = byType === undefined ? byField : [byType, ...byField]
    return found.map(([, kind]) => ({ kind, most }))
  })
  const ofBody = SWITCHES.filter(([field]) => isOn(body[field])).map(([, kind]) => ({ kind, most: Infinity }))
  return [...ofTools, ...ofBody]
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
