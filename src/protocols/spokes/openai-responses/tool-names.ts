import type { JsonObject } from '../../hub/json-object.ts'
import type { FunctionTool, Tool } from '../../hub/neutral-request.ts'
import { fieldsOf } from '../../reading/usage-report.ts'

/** The type of Codex's search for tools, and the name that it has as a function. */
export const TOOL_SEARCH = 'tool_search'

/** One name for a tool in a namespace, as models know it that have no namespaces. */
export function toolName(name: string, namespace: string | null): string {
  if (namespace === null) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}

/** How the client itself knows a tool that the model calls. */
export interface ClientTool {
  readonly name: string
  readonly namespace: string | null
  readonly isToolSearch: boolean
  /**
   * OpenAI would encrypt some of its arguments for Codex, which has to learn that they are not: it takes them for cipher
   * text otherwise.
   */
  readonly hasSecretArguments: boolean
}

/** The client's tools by the one name that they have elsewhere. */
export function clientTools(tools: readonly Tool[], asked: JsonObject): ReadonlyMap<string, ClientTool> {
  const searches = askedTools(asked).some((tool) => isClientToolSearch(fieldsOf(tool)))
  const known = new Map<string, ClientTool>()
  for (const tool of tools) {
    if (tool.kind === 'hosted') continue
    known.set(tool.name, {
      name: tool.inNamespace?.name ?? tool.name,
      namespace: tool.inNamespace?.namespace ?? null,
      isToolSearch: searches && tool.name === TOOL_SEARCH,
      hasSecretArguments: tool.kind === 'function' && hasSecrets(tool),
    })
  }
  return known
}

function isClientToolSearch({ type, execution }: JsonObject): boolean {
  return type === TOOL_SEARCH && execution === 'client'
}

/** The items of an input that bring tools, for the answer to be written by. */
export function toolsInInput(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input.filter((item) => fieldsOf(item)['type'] === 'additional_tools') : []
}

/** `tools`, and those in items of the input. */
function askedTools({ tools, input }: JsonObject): readonly unknown[] {
  const items = Array.isArray(input) ? input.map((item) => fieldsOf(item)) : []
  const lists = [tools, ...items.filter(({ type }) => type === 'additional_tools').map((item) => item['tools'])]
  return lists.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
}

function hasSecrets({ schema }: FunctionTool): boolean {
  return Object.values(fieldsOf(schema?.['properties'])).some((property) => fieldsOf(property)['encrypted'] === true)
}
