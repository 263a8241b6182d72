import type { JsonObject } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'

/**
 * `tools`, `tool_choice` and `parallel_tool_calls`; nothing at all without tools, since OpenAI refuses the other two then.
 * A choice among some tools is written as these tools alone: few providers know `allowed_tools`.
 */
export function writeTools(
  { tools, toolChoice }: NeutralRequest,
  { settings, notes, facts }: UpstreamCall,
): JsonObject {
  const parallel = settings.take('parallelToolCalls')
  const allowed = toolChoice?.kind === 'some' ? new Set(toolChoice.names) : null
  const functions = tools.filter((tool) => tool.kind === 'function')
  const written = functions.filter(({ name }) => allowed?.has(name) ?? true)
  for (const tool of functions) notes.dropCache(tool)
  if (written.length === 0) return {}
  if (parallel === false && !facts.parallel_tool_calls) settings.drop('parallelToolCalls')
  const choice = writeChoice(toolChoice)
  return {
    tools: written.map(writeFunction),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(parallel === false && facts.parallel_tool_calls ? { parallel_tool_calls: false } : {}),
  }
}

/** `strict` is off where nothing is said, and not every provider knows it. */
function writeFunction({ name, description, schema, isStrict }: FunctionTool): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description === null ? {} : { description }),
      parameters: schema ?? { type: 'object', properties: {} },
      ...(isStrict === true ? { strict: true } : {}),
    },
  }
}

function writeChoice(choice: ToolChoice | null): unknown {
  switch (choice?.kind) {
    case undefined:
    case 'auto':
      return null
    case 'none':
    case 'required':
      return choice.kind
    case 'one':
      return { type: 'function', function: { name: choice.name } }
    case 'some':
      return choice.isRequired ? 'required' : null
  }
}
