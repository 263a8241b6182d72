import type { HostedTool } from '../../core/calls.ts'

/**
 * A `type` within a list of tools that asks the provider to run one that some provider charges for by the call, by how it begins:
 * Anthropic's end in a date, OpenAI's previews in a version. Sources as in `outside-names.ts`, which has the fields that ask for
 * a tool by being set; and the providers' price lists, as of November 2026. Tools that every provider charges by their tokens
 * alone are not in it: `mcp`, `tool_search`, tools for computers, shells and memory that the client runs.
 */
const TOOL_TYPES: readonly (readonly [string, HostedTool])[] = [
  // OpenAI Responses; Anthropic; Mistral (`web_search_premium`); Zhipu.
  ['web_search', 'web_search'],
  ['web_fetch', 'web_fetch'],
  ['file_search', 'file_search'],
  ['code_interpreter', 'code_interpreter'],
  ['code_execution', 'code_interpreter'],
  // The container of a hosted shell; the shell of a client has none.
  ['container_auto', 'code_interpreter'],
  ['image_generation', 'image_generation'],
  // Another model that Anthropic's asks, at that model's prices.
  ['advisor', 'other_tool'],
  // xAI, Groq, Moonshot (whose one is its search), Zhipu, Mistral.
  ['x_search', 'x_search'],
  ['collections_search', 'file_search'],
  ['live_search', 'web_search'],
  ['browser_search', 'web_search'],
  ['builtin_function', 'web_search'],
  ['retrieval', 'file_search'],
  ['document_library', 'file_search'],
  ['openrouter:web_search', 'web_search'],
  ['openrouter:web_fetch', 'web_fetch'],
  ['openrouter:image_generation', 'image_generation'],
]

/** The tool that this type in a list of tools asks for; null: none that is charged by the call. */
export function toolOfType(type: string): HostedTool | null {
  if (IN_HISTORY.test(type)) return null
  return TOOL_TYPES.find(([beginning]) => type.startsWith(beginning))?.[1] ?? null
}

/** Types of what earlier calls left behind, which clients send back. */
const IN_HISTORY = /_(?:call|call_output|result|error)$/

/**
 * The tools that OpenRouter's `plugins` ask for, of which `written` is the value, as JSON. What is not easily read asks for both
 * that are charged.
 */
export function toolsOfPlugins(written: string | null): readonly HostedTool[] {
  if (written === null || written.includes('\\')) return ['web_search', 'file_parsing']
  const ids = [...written.matchAll(/"id"\s*:\s*"([^"]*)"/g)].map(([, id]) => id)
  // Engines that OpenRouter charges nothing for.
  const isRead = /"engine"\s*:\s*"(?!(?:pdf-text|cloudflare-ai|native)")/.test(written)
  return [
    ...(ids.includes('web') ? (['web_search'] as const) : []),
    ...(ids.includes('file-parser') && isRead ? (['file_parsing'] as const) : []),
  ]
}
