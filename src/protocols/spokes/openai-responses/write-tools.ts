import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, Tool } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'

/** Null where there are none. Tools that another provider runs have been left out before. */
export function writeTools(tools: readonly Tool[], notes: Notes): readonly JsonObject[] | null {
  const written = tools.flatMap((tool) => (tool.kind === 'hosted' ? [] : [writeTool(tool, notes)]))
  return written.length === 0 ? null : written
}

function writeTool(tool: Exclude<Tool, { kind: 'hosted' }>, notes: Notes): JsonObject {
  const common = {
    type: tool.kind,
    name: tool.name,
    ...(tool.description === null ? {} : { description: tool.description }),
  }
  if (tool.kind === 'custom')
    return tool.grammar === null ? common : { ...common, format: { type: 'grammar', ...tool.grammar } }
  notes.dropCache(tool)
  // Strictness has to be said: functions are strict here when it is not.
  return { ...common, parameters: tool.schema ?? { type: 'object', properties: {} }, strict: tool.isStrict ?? false }
}

export function writeToolChoice({ toolChoice, tools }: NeutralRequest): string | JsonObject | null {
  if (toolChoice === null) return null
  if (toolChoice.kind === 'one') return chosen(toolChoice.name, tools)
  if (toolChoice.kind !== 'some') return toolChoice.kind
  const mode = toolChoice.isRequired ? 'required' : 'auto'
  return { type: 'allowed_tools', mode, tools: toolChoice.names.map((name) => chosen(name, tools)) }
}

function chosen(name: string, tools: readonly Tool[]): JsonObject {
  const isCustom = tools.some((tool) => tool.kind === 'custom' && tool.name === name)
  return { type: isCustom ? 'custom' : 'function', name }
}
