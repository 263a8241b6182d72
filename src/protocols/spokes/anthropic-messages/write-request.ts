import type { ModelFacts } from '../../../models/facts.ts'
import { arrangeTurns } from '../../hub/arranged-turns.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, ToolChoice } from '../../hub/neutral-request.ts'
import { forcesCall, planRequest } from '../../hub/reasoning-plan.ts'
import { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { lacksThinking } from '../../hub/thinking-budget.ts'
import { writeReasoning } from './write-reasoning.ts'
import { writeMessages, writeSystem } from './write-messages.ts'
import { takeFormat } from '../../hub/output-format.ts'
import { writeCacheMark } from './blocks.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['omit', 'thinking_disabled', 'between_tools'])

/** See Spoke. `max_tokens` is in every request of this wire. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { notes, settings } = call
  const { system, turns } = arrangeTurns(request.turns, {
    notes,
    isReadable: ({ vendor }) => vendor === 'anthropic',
  })
  const tools = chosenTools(request)
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: true,
    waysOff: WAYS_OFF,
  })
  const reasoning = writeReasoning(call, { plan, lacksThinking: lacksThinking(turns) })
  const { thinks } = reasoning
  const config = { ...reasoning.effort, ...writeFormat(call, tools.length > 0) }
  return {
    model: call.model,
    max_tokens: reasoning.maxTokens,
    ...writeSystem(system),
    messages: writeMessages(turns, { thinks, notes }),
    ...writeTools(tools),
    ...writeToolChoice(toolChoice, tools, call),
    ...reasoning.thinking,
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...writeSampling(new SamplingToWrite(call, thinks || (plan.wish === null && plan.reasons))),
    ...withoutNull({ stop_sequences: settings.take('stop') }),
    ...writeService(call),
    ...(call.isStream ? { stream: true } : {}),
  }
}

/** Temperature, top_p and top_k. */
function writeSampling(sampling: SamplingToWrite): JsonObject {
  const [temperature, topP, topK] = [sampling.take('temperature'), sampling.take('topP'), sampling.take('topK')]
  return withoutNull({ temperature, top_p: topP, top_k: topK })
}

/** `format` of `output_config`. */
function writeFormat(call: UpstreamCall, hasTools: boolean): JsonObject {
  const format = takeFormat(call, hasTools)
  if (format === null) return {}
  if (format.kind === 'json') {
    return call.settings.refuse('format', 'it writes JSON by a schema only; ask for `json_schema`, with one')
  }
  if (format.description !== null) call.settings.drop('format', '.description')
  return { format: { type: 'json_schema', schema: format.schema } }
}

/** Anthropic's bound. */
const USER_LIMIT_CHARACTERS = 256

/** Who asks, and by which class of service. */
function writeService({ settings, facts }: UpstreamCall): JsonObject {
  const user = settings.takeWhere('user', ({ length }) => facts.user && length <= USER_LIMIT_CHARACTERS)
  const tier = settings.takeWhere('serviceClass', (value) => facts.service_tier && /^(?:default|auto)$/.test(value))
  return {
    ...(user === null || user === '' ? {} : { metadata: { user_id: user } }),
    ...(tier === null ? {} : { service_tier: tier === 'default' ? 'standard_only' : tier }),
  }
}

/** The tools that the model may choose from. This wire has no choice of some, so only those are sent, but for a single one. */
function chosenTools({ tools, toolChoice }: NeutralRequest): readonly FunctionTool[] {
  const names = toolChoice?.kind === 'some' && onlyOne(toolChoice) === null ? new Set(toolChoice.names) : null
  const chosen: FunctionTool[] = []
  for (const tool of tools) if (tool.kind === 'function' && names?.has(tool.name) !== false) chosen.push(tool)
  return chosen
}

function writeTools(tools: readonly FunctionTool[]): JsonObject {
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
function writeToolChoice(
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
