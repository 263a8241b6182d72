import type { ModelFacts } from '../../../models/facts.ts'
import { arrangeTurns } from '../../hub/arranged-turns.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { portableFormatName, takeFormat } from '../../hub/output-format.ts'
import { planRequest } from '../../hub/reasoning-plan.ts'
import { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { lacksThinking } from '../../hub/thinking-budget.ts'
import { writeJson } from '../../json/exact-json.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import { writeMessages, writeSystem } from './write-messages.ts'
import { writeReasoning } from './write-reasoning.ts'
import { writeToolConfig } from './write-tools.ts'

/** What can be said to turn reasoning off, in the words of the models' makers. */
const WAYS_OFF: Readonly<Record<ModelFacts['extra_fields'], ReadonlySet<ModelFacts['reasoning_off']>>> = {
  none: new Set(['omit']),
  anthropic: new Set(['omit', 'thinking_disabled']),
  nova: new Set(['omit']),
  reasoning: new Set(['omit', 'effort_none']),
  reasoning_effort: new Set(['omit', 'effort_none']),
  mistral: new Set(['omit']),
  cohere: new Set(['omit']),
}

/** See Spoke. The model and whether it streams stand in the path. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { facts, notes } = call
  const arranged = arrangeTurns(request.turns, { notes, isReadable: ({ vendor }) => vendor === 'bedrock' })
  const waysOff = WAYS_OFF[facts.extra_fields]
  const { plan, toolChoice } = planRequest(request, call, { toolsBesideReasoning: true, waysOff })
  const reasoning = writeReasoning(call, { plan, lacksThinking: lacksThinking(arranged.turns) })
  const { system, messages } = withSystem(arranged, call)
  const sampling = new SamplingToWrite(call, reasoning.thinks || (!plan.isOff && facts.reasons_unasked))
  const inference = withoutNull({
    maxTokens: reasoning.maxTokens,
    temperature: boundedTemperature(sampling.take('temperature'), call),
    topP: sampling.take('topP'),
    stopSequences: call.settings.take('stop'),
  })
  const extra = { ...reasoning.fields, ...topK(sampling.take('topK'), facts) }
  return {
    messages,
    ...system,
    ...some('inferenceConfig', inference),
    ...writeToolConfig({ ...request, toolChoice }, call),
    ...some('additionalModelRequestFields', extra),
    ...writeFormat(call, request.tools.length > 0),
    ...writeService(call),
  }
}

/** `InferenceConfiguration` goes to 1, whatever the model takes elsewhere. */
function boundedTemperature(temperature: number | null, { settings }: UpstreamCall): number | null {
  if (temperature === null || temperature <= 1) return temperature
  settings.drop('temperature')
  return 1
}

/** The system prompt in its field; at the front of what the user says where the model takes none. */
function withSystem(
  { system, turns }: ReturnType<typeof arrangeTurns>,
  { facts, notes }: UpstreamCall,
): { readonly system: JsonObject; readonly messages: readonly JsonObject[] } {
  const context = { facts, notes }
  const [first, ...rest] = turns
  if (facts.system_role === 'system' || system.length === 0 || first?.role !== 'user') {
    return { system: writeSystem(system, context), messages: writeMessages(turns, context) }
  }
  return { system: {}, messages: writeMessages([{ ...first, parts: [...system, ...first.parts] }, ...rest], context) }
}

/**
 * The field for `top_k` of a model's maker: AWS, "Inference request parameters" of Anthropic's and Mistral's models, "Complete
 * request schema" of Nova, and Cohere's `k`. Other makers have none, and the fact `top_k` says so.
 */
function topK(value: number | null, { extra_fields: maker }: ModelFacts): JsonObject {
  if (value === null) return {}
  if (maker === 'nova') return { inferenceConfig: { topK: value } }
  return maker === 'cohere' ? { k: value } : { top_k: value }
}

/** `outputConfig`, whose schema is a text (`JsonSchemaDefinition` of the SDK). */
function writeFormat(call: UpstreamCall, hasTools: boolean): JsonObject {
  const format = takeFormat(call, hasTools)
  if (format === null) return {}
  if (format.kind === 'json') {
    return call.settings.refuse('format', 'it writes JSON by a schema only; ask for `json_schema`, with one')
  }
  const { name, description, schema } = format
  const jsonSchema = withoutNull({
    schema: writeJson(() => schema),
    name: name === null ? null : portableFormatName(name),
    description,
  })
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } }
}

/** The classes of service that `ServiceTier` names. */
const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved'])

function writeService({ settings, facts }: UpstreamCall): JsonObject {
  const type = settings.takeWhere('serviceClass', (value) => facts.service_tier && TIERS.has(value))
  return type === null ? {} : { serviceTier: { type } }
}

function some(name: string, fields: JsonObject): JsonObject {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields }
}
