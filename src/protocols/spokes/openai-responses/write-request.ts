import { createHash } from 'node:crypto'
import { WIRES } from '../../../core/wire.ts'
import type { ModelFacts } from '../../../models/facts.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { NeutralRequest, Tool, Turn } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { portableFormatName, takeFormat } from '../../hub/output-format.ts'
import { effortOf, planRequest, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { Effort, OutputFormat } from '../../hub/request-settings.ts'
import { SamplingToWrite, takeOutputLimit } from '../../hub/sampling.ts'
import { writeItems } from './write-items.ts'
import type { Notes } from '../../hub/notes.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['effort_none'])

/**
 * A request for a responses upstream, which is to store nothing: reasoning then comes with what it needs to be sent back.
 * Fields as in openai-node's `ResponseCreateParams`. Settings that this wire has nothing for (`stop`, `n`, `seed`, penalties
 * and more) stay untaken.
 */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { instructions, rest } = splitInstructions(request.turns, call)
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: true,
    waysOff: WAYS_OFF,
  })
  return withoutNull({
    model: call.model,
    stream: call.isStream ? true : null,
    store: false,
    instructions,
    input: writeItems(rest, call.notes),
    tools: writeTools(request.tools, call.notes),
    tool_choice: writeToolChoice({ ...request, toolChoice }),
    ...writeSettings(call, plan, request.tools.length > 0),
  })
}

/** The system text in front; without any other input it stays in the input, which may not be empty. */
function splitInstructions(
  turns: readonly Turn[],
  { notes }: UpstreamCall,
): { instructions: string | null; rest: readonly Turn[] } {
  const begin = turns.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (begin <= 0) return { instructions: null, rest: turns }
  const texts: string[] = []
  for (const turn of turns.slice(0, begin)) {
    for (const part of turn.role === 'user' || turn.role === 'assistant' ? [] : turn.parts) {
      notes.dropCache(part)
      texts.push(part.text)
    }
  }
  return { instructions: texts.join('\n\n'), rest: turns.slice(begin) }
}

const OUTPUT_LIMIT_FLOOR = WIRES['openai-responses'].leastOutputTokens
/** Efforts that every reasoning model has, for clients that count tokens instead. */
const COMMON_EFFORTS: ReadonlySet<Effort> = new Set(['low', 'medium', 'high'])

function writeSettings(call: UpstreamCall, plan: ReasoningPlan, hasTools: boolean): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(call, plan.reasons)
  const logprobs = sampling.takeLogprobs()
  const include = [
    ...(facts.encrypted_reasoning ? ['reasoning.encrypted_content'] : []),
    ...(logprobs === null ? [] : ['message.output_text.logprobs']),
  ]
  return {
    max_output_tokens: takeOutputLimit(call, OUTPUT_LIMIT_FLOOR),
    temperature: sampling.take('temperature'),
    top_p: sampling.take('topP'),
    top_logprobs: logprobs === 0 ? null : logprobs,
    include: include.length === 0 ? null : include,
    parallel_tool_calls: settings.takeWhere('parallelToolCalls', () => facts.parallel_tool_calls),
    reasoning: writeReasoning(plan, call),
    text: writeText(takeFormat(call, hasTools), call),
    safety_identifier: shortened(settings.takeWhere('user', () => facts.user)),
    prompt_cache_key: shortened(settings.takeWhere('cacheKey', () => facts.cache_key)),
    service_tier: settings.takeWhere('serviceClass', (value) => facts.service_tier && SERVICE_TIERS.has(value)),
    metadata: settings.takeWhere('metadata', isTakenMetadata),
  }
}

function writeReasoning({ wish, isOff }: ReasoningPlan, { settings, facts }: UpstreamCall): JsonObject | null {
  if (isOff) return { effort: 'none' }
  if (wish === null) return null
  const isCounted = wish.effort === null && (wish.budgetTokens ?? 0) > 0
  const common = facts.efforts.filter((effort) => COMMON_EFFORTS.has(effort))
  const effort = effortOf(wish, isCounted && common.length > 0 ? common : facts.efforts)
  if (effort === null && (wish.effort !== null || wish.budgetTokens !== null)) settings.drop('reasoning')
  const written = withoutNull({ effort, summary: wish.isShown === true ? 'auto' : null })
  return Object.keys(written).length === 0 ? null : written
}

const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
const SERVICE_TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'])

function writeText(format: OutputFormat | null, { settings, facts }: UpstreamCall): JsonObject | null {
  const verbosity = settings.takeWhere('verbosity', (value) => facts.verbosity && VERBOSITIES.has(value))
  if (format === null && verbosity === null) return null
  return withoutNull({ format: format === null ? null : writeFormat(format), verbosity })
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = format
  const named = { type: 'json_schema', name: portableFormatName(name) }
  return withoutNull({ ...named, description, schema, strict: isStrict ?? false })
}

const IDENTIFIER_LIMIT = 64

/** Longer names are refused. What stands for one is always the same. */
function shortened(identifier: string | null): string | null {
  if (identifier === null || identifier.length <= IDENTIFIER_LIMIT) return identifier
  return createHash('sha256').update(identifier).digest('base64url')
}

/** OpenAI takes 16 pairs of strings, 64 and 512 characters long. */
function isTakenMetadata(metadata: JsonObject): boolean {
  const pairs = Object.entries(metadata)
  const fits = pairs.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512)
  return fits && pairs.length <= 16
}

/** Null where there are none. Tools that another provider runs have been left out before. */
function writeTools(tools: readonly Tool[], notes: Notes): readonly JsonObject[] | null {
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

function writeToolChoice({ toolChoice, tools }: NeutralRequest): string | JsonObject | null {
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
