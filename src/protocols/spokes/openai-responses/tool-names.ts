import { fieldsOf, type JsonObject, listOf } from '../../json/json-object.ts'
import type { FunctionTool, Tool } from '../../hub/neutral-request.ts'
import { clientRunTool, type ClientRunTool } from './client-run-tools.ts'

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
  /** The items that it is called by have a type of their own. */
  readonly kind: 'plain' | typeof TOOL_SEARCH | ClientRunTool
  /**
   * OpenAI would encrypt some of its arguments for Codex, which has to learn that they are not: it takes them for cipher
   * text otherwise.
   */
  readonly hasSecretArguments: boolean
}

/** The client's tools by the one name that they have elsewhere. */
export function clientTools(tools: readonly Tool[], asked: JsonObject): ReadonlyMap<string, ClientTool> {
  const kinds = new Map(askedTools(asked).flatMap((tool) => kindOf(fieldsOf(tool)) ?? []))
  const known = new Map<string, ClientTool>()
  for (const tool of tools) {
    if (tool.kind === 'hosted') continue
    known.set(tool.name, {
      name: tool.inNamespace?.name ?? tool.name,
      namespace: tool.inNamespace?.namespace ?? null,
      kind: (tool.kind === 'function' ? kinds.get(tool.name) : undefined) ?? 'plain',
      hasSecretArguments: tool.kind === 'function' && hasSecrets(tool),
    })
  }
  return known
}

/** A tool that is defined by its type alone, by the name that it has as a function. Null: another. */
function kindOf(tool: JsonObject): readonly [string, ClientTool['kind']][] | null {
  const { type, execution } = tool
  const kind = type === TOOL_SEARCH && execution === 'client' ? type : clientRunTool(tool)
  return kind === null ? null : [[kind, kind]]
}

/** The items of an input that bring tools, for the answer to be written by. */
export function toolsInInput(input: unknown): readonly unknown[] {
  return listOf(input).filter((item) => fieldsOf(item)['type'] === 'additional_tools')
}

/** `tools`, and those in items of the input. */
function askedTools({ tools, input }: JsonObject): readonly unknown[] {
  return [tools, ...toolsInInput(input).map((item) => fieldsOf(item)['tools'])].flatMap(listOf)
}

function hasSecrets({ schema }: FunctionTool): boolean {
  return Object.values(fieldsOf(schema?.['properties'])).some((property) => fieldsOf(property)['encrypted'] === true)
}
