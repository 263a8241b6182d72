import type { JsonObject } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import { forcesCall } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { writeCacheMark } from './cache-mark.ts'

/** The tools that the model may choose from. This wire has no choice of some, so only those are sent, but for a single one. */
export function chosenTools({ tools, toolChoice }: NeutralRequest): readonly FunctionTool[] {
  const names = toolChoice?.kind === 'some' && onlyOne(toolChoice) === null ? new Set(toolChoice.names) : null
  const chosen: FunctionTool[] = []
  for (const tool of tools) if (tool.kind === 'function' && names?.has(tool.name) !== false) chosen.push(tool)
  return chosen
}

export function writeTools(tools: readonly FunctionTool[]): JsonObject {
  if (tools.length === 0) return {}
  return {
    tools: tools.map((tool) => ({
      name: tool.name,
      ...(tool.description === null ? {} : { description: tool.description }),
      input_schema: inputSchema(tool.schema),
      ...(tool.isStrict === true ? { strict: true } : {}),
      ...writeCacheMark(tool),
    })),
  }
}

/** Writes the choice of tools. Without tools there is nothing to choose, and Anthropic refuses the field. */
export function writeToolChoice(
  choice: ToolChoice | null,
  tools: readonly FunctionTool[],
  { settings, facts }: UpstreamCall,
): JsonObject {
  const wantsSingle = settings.take('parallelToolCalls') === false
  const isSingle = wantsSingle && facts.parallel_tool_calls
  if (wantsSingle && !isSingle) settings.drop('parallelToolCalls')
  if (tools.length === 0 || (choice === null && !isSingle)) return {}
  const written = writtenChoice(choice)
  const single = isSingle && written['type'] !== 'none' ? { disable_parallel_tool_use: true } : {}
  return { tool_choice: { ...written, ...single } }
}

function writtenChoice(choice: ToolChoice | null): JsonObject {
  const name = onlyOne(choice)
  if (name !== null) return { type: 'tool', name }
  if (choice?.kind === 'none') return { type: 'none' }
  return { type: forcesCall(choice) ? 'any' : 'auto' }
}

/** The tool that is the only one to call, and has to be called; null: there is more to choose. */
function onlyOne(choice: ToolChoice | null): string | null {
  if (choice?.kind === 'one') return choice.name
  const isSingle = choice?.kind === 'some' && choice.isRequired && choice.names.length === 1
  return isSingle ? (choice.names[0] ?? null) : null
}

/** The schema of an input, which has to say that it is one of an object. */
function inputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: 'object', properties: {} }
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' }
}
