import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import { forcesCall } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { writeCachePoint } from './cache-point.ts'

/**
 * `toolConfig`. A conversation with calls in it is refused without one (anomalyco/opencode #10259, langchain-ai/langchain-aws
 * #591), so that where the request has no tools any more, those that were called stand there by name.
 */
export function writeToolConfig(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { settings, notes, facts } = call
  if (settings.take('parallelToolCalls') === false) settings.drop('parallelToolCalls')
  const called = namesOfCalls(request)
  const isNone = request.toolChoice?.kind === 'none'
  const tools = isNone && called.size === 0 ? [] : chosenTools(request)
  if (tools.length === 0 && called.size === 0) return {}
  // The wire has no word for it (boto/boto3 #4687).
  if (isNone && tools.length > 0) notes.drop(request.toolChoice?.at ?? '')
  const written = tools.flatMap((tool) => [toolSpec(tool), ...cachePointOf(tool, call)])
  return {
    toolConfig: {
      tools: written.length > 0 ? written : [...called].map((name) => ({ toolSpec: formerTool(name) })),
      ...(tools.length === 0 ? {} : toolChoice(request.toolChoice, facts.extra_fields === 'mistral')),
    },
  }
}

function namesOfCalls({ turns }: NeutralRequest): ReadonlySet<string> {
  const names = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const part of turn.parts) if (part.kind === 'tool_call') names.add(part.name)
  }
  return names
}

const FORMER = 'A tool of an earlier part of the conversation. It cannot be called any more.'

function formerTool(name: string): JsonObject {
  return { name, description: FORMER, inputSchema: { json: { type: 'object', properties: {} } } }
}

/** The tools that the model may choose from. This wire has no choice of some, so only those are sent, but for a single one. */
function chosenTools({ tools, toolChoice: choice }: NeutralRequest): readonly FunctionTool[] {
  const names = choice?.kind === 'some' && onlyOne(choice) === null ? new Set(choice.names) : null
  return tools.filter((tool) => tool.kind === 'function').filter((tool) => names?.has(tool.name) !== false)
}

function toolSpec({ name, description, schema, isStrict }: FunctionTool): JsonObject {
  return {
    toolSpec: {
      name,
      // A blank one is refused (`ToolSpecification`, a length of 1 at least).
      ...(description === null || description.trim() === '' ? {} : { description }),
      inputSchema: { json: inputSchema(schema) },
      ...(isStrict === true ? { strict: true } : {}),
    },
  }
}

/** The schema of an input, which has to say that it is one of an object. */
function inputSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: 'object', properties: {} }
  const { $schema: _dialect, ...rest } = schema
  return rest['type'] === 'object' ? rest : { ...rest, type: 'object' }
}

function cachePointOf(tool: FunctionTool, { facts, notes }: UpstreamCall): readonly JsonObject[] {
  if (facts.cache_points === 'taken') return writeCachePoint(tool)
  notes.dropCache(tool)
  return []
}

/**
 * The choice among the tools; left out where it is the model's. `hasNoTool`: a single tool cannot be named, as of Mistral's
 * models (API reference, `ToolChoice`).
 */
function toolChoice(choice: ToolChoice | null, hasNoTool: boolean): JsonObject {
  const name = onlyOne(choice)
  if (name !== null && !hasNoTool) return { toolChoice: { tool: { name } } }
  return forcesCall(choice) ? { toolChoice: { any: {} } } : {}
}

/** The tool that is the only one to call, and has to be called; null: there is more to choose. */
function onlyOne(choice: ToolChoice | null): string | null {
  if (choice?.kind === 'one') return choice.name
  const isSingle = choice?.kind === 'some' && choice.isRequired && choice.names.length === 1
  return isSingle ? (choice.names[0] ?? null) : null
}
