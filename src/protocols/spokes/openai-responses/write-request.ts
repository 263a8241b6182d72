import { createHash } from 'node:crypto'
import { WIRES } from '../../../core/wire.ts'
import type { JsonObject } from '../../hub/json-object.ts'
import type { NeutralRequest, Turn } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { effortOf } from '../../hub/reasoning-scale.ts'
import type { Effort, OutputFormat } from '../../hub/request-settings.ts'
import { writeItems } from './write-items.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

/**
 * A request for a responses upstream, which is to store nothing: reasoning then comes with what it needs to be sent back.
 * Fields as in openai-node's `ResponseCreateParams`. Settings that this wire has nothing for (`stop`, `n`, `seed`, penalties
 * and more) stay untaken.
 */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { instructions, rest } = splitInstructions(request.turns, call)
  return withoutNull({
    model: call.model,
    stream: call.isStream ? true : null,
    store: false,
    instructions,
    input: writeItems(rest, call.notes),
    tools: writeTools(request.tools, call.notes),
    tool_choice: writeToolChoice(request),
    ...writeSettings(call),
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
const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
/** Those that every reasoning model has, for clients that count tokens instead. */
const COMMON_EFFORTS: readonly Effort[] = ['low', 'medium', 'high']

function writeSettings(call: UpstreamCall): JsonObject {
  const { settings } = call
  const logprobs = settings.take('logprobs')
  return {
    max_output_tokens: outputLimit(call),
    temperature: settings.take('temperature'),
    top_p: settings.take('topP'),
    top_logprobs: logprobs === 0 ? null : logprobs,
    include: ['reasoning.encrypted_content', ...(logprobs === null ? [] : ['message.output_text.logprobs'])],
    parallel_tool_calls: settings.take('parallelToolCalls'),
    reasoning: writeReasoning(call),
    text: writeText(call),
    safety_identifier: shortened(settings.take('user')),
    prompt_cache_key: shortened(settings.take('cacheKey')),
    service_tier: oneOf('serviceClass', SERVICE_TIERS, call),
    metadata: writeMetadata(call),
  }
}

/** Clients ask for more than a model can write, and mean all that it can. */
function outputLimit({ settings, modelMaxOutputTokens }: UpstreamCall): number | null {
  const limit = settings.take('maxOutputTokens')
  if (limit === null) return null
  if (limit < OUTPUT_LIMIT_FLOOR) settings.refuse('maxOutputTokens', `it takes ${OUTPUT_LIMIT_FLOOR} tokens or more`)
  return Math.min(limit, modelMaxOutputTokens ?? limit)
}

function writeReasoning({ settings }: UpstreamCall): JsonObject | null {
  const reasoning = settings.take('reasoning')
  if (reasoning === null) return null
  const isCounted = reasoning.effort === null && (reasoning.budgetTokens ?? 0) > 0
  const effort = effortOf(reasoning, isCounted ? COMMON_EFFORTS : EFFORTS)
  const written = withoutNull({ effort, summary: reasoning.isShown === true ? 'auto' : null })
  return Object.keys(written).length === 0 ? null : written
}

const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
const SERVICE_TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'])

function writeText(call: UpstreamCall): JsonObject | null {
  const [format, verbosity] = [call.settings.take('format'), oneOf('verbosity', VERBOSITIES, call)]
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
