import { createHash } from 'node:crypto'
import { WIRES } from '../../../core/wire.ts'
import type { ModelFacts } from '../../../models/facts.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, Turn } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { takeFormat } from '../../hub/format-to-write.ts'
import { planRequest, type ReasoningPlan } from '../../hub/reasoning-plan.ts'
import { effortOf } from '../../hub/reasoning-scale.ts'
import type { Effort, OutputFormat, ClientSettings } from '../../hub/request-settings.ts'
import { SamplingToWrite } from '../../hub/sampling.ts'
import { writeItems } from './write-items.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['effort_none'])

/**
 * A request for a responses upstream, which is to store nothing: reasoning then comes with what it needs to be sent back.
 * Fields as in openai-node's `ResponseCreateParams`. Settings that this wire has nothing for (`stop`, `n`, `seed`, penalties
 * and more) stay untaken.
 */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { instructions, rest } = splitInstructions(request.turns, call)
  const { plan, toolChoice } = planRequest(request, call, {
    hasFormat: request.settings.get('format') !== null,
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
    ...writeSettings(call, { plan, hasTools: request.tools.length > 0, field: request.settings.fieldOf('format') }),
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
      if (part.cache !== undefined) notes.drop(`${part.at}.cache_control`)
      texts.push(part.text)
    }
  }
  return { instructions: texts.join('\n\n'), rest: turns.slice(begin) }
}

const OUTPUT_LIMIT_FLOOR = WIRES['openai-responses'].leastOutputTokens
/** Efforts that every reasoning model has, for clients that count tokens instead. */
const COMMON_EFFORTS: ReadonlySet<Effort> = new Set(['low', 'medium', 'high'])

interface ResponsesSettingsContext {
  readonly plan: ReasoningPlan
  readonly hasTools: boolean
  /** Where the client asked for a format. */
  readonly field: string
}

function writeSettings(call: UpstreamCall, { plan, hasTools, field }: ResponsesSettingsContext): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(settings, facts, plan.reasons)
  const logprobs = sampling.takeLogprobs()
  const include = [
    ...(facts.encrypted_reasoning ? ['reasoning.encrypted_content'] : []),
    ...(logprobs === null ? [] : ['message.output_text.logprobs']),
  ]
  return {
    max_output_tokens: outputLimit(call),
    temperature: sampling.take('temperature'),
    top_p: sampling.take('topP'),
    top_logprobs: logprobs === 0 ? null : logprobs,
    include: include.length === 0 ? null : include,
    parallel_tool_calls: takenWhere('parallelToolCalls', facts.parallel_tool_calls, call),
    reasoning: writeReasoning(plan, call),
    text: writeText(takeFormat(call, { hasTools, field }), call),
    safety_identifier: shortened(takenWhere('user', facts.user, call)),
    prompt_cache_key: shortened(takenWhere('cacheKey', facts.cache_key, call)),
    service_tier: oneOf('serviceClass', facts.service_tier ? SERVICE_TIERS : NONE, call),
    metadata: writeMetadata(call),
  }
}

/** The setting, or nothing where the model does not take it. */
function takenWhere<Name extends 'parallelToolCalls' | 'user' | 'cacheKey'>(
  name: Name,
  isTaken: boolean,
  { settings }: UpstreamCall,
): ClientSettings[Name] | null {
  const value = settings.take(name)
  if (value === null || isTaken) return value
  settings.drop(name)
  return null
}

/** Clients ask for more than a model can write, and mean all that it can. */
function outputLimit({ settings, facts, modelMaxOutputTokens }: UpstreamCall): number | null {
  const limit = settings.take('maxOutputTokens')
  if (limit === null) return null
  if (limit < OUTPUT_LIMIT_FLOOR) settings.refuse('maxOutputTokens', `it takes ${OUTPUT_LIMIT_FLOOR} tokens or more`)
  return Math.min(limit, modelMaxOutputTokens ?? facts.most_output)
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
const NONE: ReadonlySet<string> = new Set()
const SERVICE_TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'])

function writeText(format: OutputFormat | null, call: UpstreamCall): JsonObject | null {
  const verbosity = oneOf('verbosity', call.facts.verbosity ? VERBOSITIES : NONE, call)
  if (format === null && verbosity === null) return null
  return withoutNull({ format: format === null ? null : writeFormat(format), verbosity })
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = format
  const portable = (name ?? '').replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer'
  return withoutNull({ type: 'json_schema', name: portable, description, schema, strict: isStrict ?? false })
}

/** A word that this wire knows; others are another provider's, and left out. */
function oneOf(
  name: 'verbosity' | 'serviceClass',
  known: ReadonlySet<string>,
  { settings }: UpstreamCall,
): string | null {
  const value = settings.take(name)
  if (value === null || known.has(value)) return value
  settings.drop(name)
  return null
}

const IDENTIFIER_LIMIT = 64

/** Longer names are refused. What stands for one is always the same. */
function shortened(identifier: string | null): string | null {
  if (identifier === null || identifier.length <= IDENTIFIER_LIMIT) return identifier
  return createHash('sha256').update(identifier).digest('base64url')
}

/** OpenAI takes 16 pairs of strings, 64 and 512 characters long. */
function writeMetadata({ settings }: UpstreamCall): JsonObject | null {
  const metadata = settings.take('metadata')
  if (metadata === null) return null
  const pairs = Object.entries(metadata)
  const fits = pairs.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512)
  if (fits && pairs.length <= 16) return metadata
  settings.drop('metadata')
  return null
}

function withoutNull(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
