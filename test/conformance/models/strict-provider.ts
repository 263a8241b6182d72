import type { HubWire } from '../../../src/core/wire.ts'
import type { FactName, ModelFacts, ToolSchemaRule, When } from '../../../src/models/facts.ts'
import { isObject, type JsonObject } from '../../../src/protocols/json/json-object.ts'
import { READERS, type SentMessage, type SentReasoning, type SentRequest } from './sent-request.ts'

/** What a provider looks at that serves a model with these facts, and refuses all that they say it refuses. */
interface Judged {
  readonly sent: SentRequest
  readonly facts: ModelFacts
  readonly wire: HubWire
  readonly reasons: boolean
}

/**
 * The facts for which a provider refuses a body on its wire with 400. Written after the table alone: it reads the body anew and
 * shares no code with the writers.
 */
export function refusedFor(body: JsonObject, facts: ModelFacts, wire: HubWire): readonly FactName[] {
  const sent = READERS[wire](body)
  const judged: Judged = { sent, facts, wire, reasons: reasonsIn(sent.reasoning, facts, wire) }
  return (Object.keys(JUDGES) as FactName[]).filter((name) => JUDGES[name](judged))
}

const OFF: Readonly<Record<string, readonly (readonly [keyof SentReasoning, unknown])[]>> = {
  effort_none: [['effort', 'none']],
  thinking_disabled: [['turned', 'disabled']],
  between_tools: [
    ['turned', 'between_tools'],
    ['turned', 'disabled'],
  ],
  enable_thinking_false: [['turned', 'enable_thinking_false']],
  budget_zero: [['budget', 0]],
}

function isOff({ effort, budget, turned }: SentReasoning): boolean {
  return effort === 'none' || budget === 0 || (turned !== null && turned !== 'adaptive')
}

/** Whether it reasons. On Anthropic's wire an effort is no more than a length; thinking has a field of its own. */
function reasonsIn(sent: SentReasoning, facts: ModelFacts, wire: HubWire): boolean {
  if (facts.reasoning === 'none' || isOff(sent)) return false
  const isEffort = sent.effort !== null && wire !== 'anthropic-messages'
  return isEffort || sent.budget !== null || sent.turned === 'adaptive' || facts.reasons_unasked
}

function isRefused(when: When, reasons: boolean): boolean {
  return when === 'refused' || (when === 'not_while_reasoning' && reasons)
}

/** Every fact, judged by itself; a fact of another wire refuses nothing. */
const JUDGES: Readonly<Record<FactName, (judged: Judged) => boolean>> = {
  reasoning: ({ sent: { reasoning: sent }, facts, wire }) => {
    const isSaid = sent.effort !== null || sent.budget !== null || sent.turned !== null
    if (facts.reasoning === 'none') return isSaid
    if (wire !== 'anthropic-messages') return false
    return facts.reasoning === 'adaptive' ? (sent.budget ?? 0) > 0 : sent.turned === 'adaptive'
  },
  efforts: ({ sent, facts }) =>
    sent.reasoning.effort !== null && !facts.efforts.some((effort) => effort === sent.reasoning.effort),
  budget_least: ({ sent, facts }) =>
    (sent.reasoning.budget ?? 0) > 0 && Number(sent.reasoning.budget) < facts.budget_least,
  budget_most: ({ sent, facts, wire }) => {
    const budget = sent.reasoning.budget ?? 0
    return budget > facts.budget_most || (wire === 'anthropic-messages' && budget >= (sent.output?.tokens ?? Infinity))
  },
  reasoning_off: ({ sent: { reasoning: sent }, facts }) => {
    if (!isOff(sent)) return false
    return !(OFF[facts.reasoning_off] ?? []).some(([field, value]) => sent[field] === value)
  },
  reasons_unasked: () => false,
  forced_call: ({ sent, facts, reasons }) => sent.isCallForced && isRefused(facts.forced_call, reasons),
  past_reasoning: ({ sent, facts, wire }) => {
    if (wire !== 'openai-chat') return false
    if (facts.past_reasoning === 'refused') return sent.messages.some(({ hasReasoning }) => hasReasoning)
    const lacksIt = ({ calls, hasReasoning }: SentMessage): boolean => calls.length > 0 && !hasReasoning
    return facts.past_reasoning === 'with_tools' && sent.messages.some(lacksIt)
  },
  hidden_reasoning: ({ sent, facts }) =>
    sent.reasoning.hasDisplay && sent.reasoning.budget !== null && !facts.hidden_reasoning,
  signed_calls: ({ sent, facts, wire }) => {
    if (wire !== 'gemini' || facts.signed_calls !== 'required') return false
    const begins = sent.messages.findLastIndex(({ role, resultIds }) => role === 'user' && resultIds.length === 0)
    return sent.messages.slice(begins + 1).some(({ calls }) => calls[0]?.isSigned === false)
  },
  media_in_results: ({ sent, facts }) =>
    !facts.media_in_results && sent.messages.some((each) => each.hasMediaInResults),
  temperature: ({ sent, facts, reasons }) => sent.temperature !== null && isRefused(facts.temperature, reasons),
  temperature_least: ({ sent, facts }) => sent.temperature !== null && sent.temperature < facts.temperature_least,
  temperature_most: ({ sent, facts }) => sent.temperature !== null && sent.temperature > facts.temperature_most,
  top_p: ({ sent, facts, reasons }) => sent.topP !== null && isRefused(facts.top_p, reasons),
  top_p_least_while_reasoning: ({ sent, facts, reasons }) =>
    reasons && sent.topP !== null && sent.topP < facts.top_p_least_while_reasoning,
  temperature_with_top_p: ({ sent, facts }) =>
    !facts.temperature_with_top_p && sent.temperature !== null && sent.topP !== null,
  top_k: ({ sent, facts, reasons }) => sent.topK !== null && isRefused(facts.top_k, reasons),
  penalties: ({ sent, facts, reasons }) => sent.penalties.length > 0 && isRefused(facts.penalties, reasons),
  seed: ({ sent, facts, reasons }) => sent.seed !== null && isRefused(facts.seed, reasons),
  logit_bias: ({ sent, facts, reasons }) => sent.logitBias && isRefused(facts.logit_bias, reasons),
  logprobs: ({ sent, facts, reasons }) => sent.logprobs && isRefused(facts.logprobs, reasons),
  choices: ({ sent, facts }) => !facts.choices && sent.choices > 1,
  stops: ({ sent, facts }) => sent.stops.length > facts.stops,
  blank_stops: ({ sent, facts }) => !facts.blank_stops && sent.stops.some((stop) => stop.trim() === ''),
  chat_tools: ({ sent, facts, wire, reasons }) =>
    wire === 'openai-chat' && sent.tools.length > 0 && isRefused(facts.chat_tools, reasons),
  tools_with_format: ({ sent, facts }) => !facts.tools_with_format && sent.tools.length > 0 && sent.format !== null,
  format_while_reasoning: ({ sent, facts, reasons }) =>
    !facts.format_while_reasoning && sent.format !== null && reasons,
  most_tools: ({ sent, facts }) => sent.tools.length > facts.most_tools,
  most_strict_tools: ({ sent, facts }) =>
    sent.tools.filter(({ isStrict }) => isStrict).length > facts.most_strict_tools,
  strict_tools: ({ sent, facts }) => !facts.strict_tools && sent.tools.some(({ isStrict }) => isStrict),
  parallel_tool_calls: ({ sent, facts }) => !facts.parallel_tool_calls && sent.isParallelSaid,
  tool_schema: ({ sent, facts }) =>
    sent.tools.some(({ schema }) => facts.tool_schema.some((rule) => breaks(rule, schema, true))),
  call_ids: ({ sent, facts, wire }) => {
    if (facts.call_ids !== 'nine' || wire === 'gemini') return false
    const ids = sent.messages.flatMap(({ calls, resultIds }) => [...calls.map(({ id }) => id ?? ''), ...resultIds])
    return ids.some((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
  },
  format: ({ sent: { format }, facts }) =>
    format !== null && (facts.format === 'none' || (facts.format === 'json' && format.kind === 'schema')),
  schema_bounds: (judged) =>
    !judged.facts.schema_bounds && heldSchemas(judged).some((schema) => has(schema, isBounded)),
  open_objects: (judged) => !judged.facts.open_objects && heldSchemas(judged).some((schema) => has(schema, isOpen)),
  prefill: ({ sent, facts, wire }) => {
    const last = sent.messages.findLast(({ role }) => role !== 'reasoning')
    if (last?.role !== 'assistant' || last.calls.length > 0) return false
    if (facts.prefill === 'refused') return true
    return wire === 'openai-chat' && facts.prefill !== 'taken' && last.mark !== facts.prefill
  },
  system_role: ({ sent, facts, wire }) =>
    wire === 'openai-chat' && facts.system_role !== 'system' && sent.messages.some(({ role }) => role === 'system'),
  system_messages: ({ sent, facts, wire }) => {
    if (wire !== 'openai-chat') return false
    const at = sent.messages.flatMap(({ role }, index) => (role === 'system' ? [index] : []))
    return facts.system_messages === 'one' && (at.length > 1 || (at[0] ?? 0) > 0)
  },
  empty_content: ({ sent, facts }) =>
    !facts.empty_content && sent.messages.some(({ calls, lacksContent }) => calls.length > 0 && lacksContent),
  image_types: ({ sent, facts }) =>
    sent.messages.some(({ imageTypes }) =>
      imageTypes.some((type) => !facts.image_types.some((taken) => taken === type)),
    ),
  limit_field: ({ sent, facts, wire }) =>
    wire === 'openai-chat' && sent.output !== null && sent.output.field !== facts.limit_field,
  most_output: ({ sent, facts }) => (sent.output?.tokens ?? 0) > facts.most_output,
  stream_options: ({ sent, facts }) => !facts.stream_options && sent.fields.has('stream_options'),
  encrypted_reasoning: ({ sent, facts }) =>
    !facts.encrypted_reasoning && sent.include.includes('reasoning.encrypted_content'),
  service_tier: ({ sent, facts }) => !facts.service_tier && sent.fields.has('service_tier'),
  verbosity: ({ sent, facts }) => !facts.verbosity && sent.fields.has('verbosity'),
  user: ({ sent, facts }) => !facts.user && sent.fields.has('user'),
  cache_key: ({ sent, facts }) => !facts.cache_key && sent.fields.has('prompt_cache_key'),
  cache_points: ({ sent, facts }) => {
    if (facts.cache_points === 'none') return sent.cachePoints !== undefined && sent.cachePoints.length > 0
    return facts.cache_points === 'not_in_tools' && sent.cachePoints?.includes('tools') === true
  },
  extra_fields: ({ sent, facts }) => sent.extra?.some((name) => !EXTRA[facts.extra_fields].includes(name)) === true,
  streamed_tools: () => false,
}

/** The fields of `additionalModelRequestFields` that the models of each maker take. */
const EXTRA: Readonly<Record<ModelFacts['extra_fields'], readonly string[]>> = {
  none: [],
  anthropic: ['thinking', 'output_config', 'top_k'],
  nova: ['reasoningConfig', 'inferenceConfig'],
  reasoning: ['reasoning'],
  reasoning_effort: ['reasoning_effort'],
  mistral: ['top_k'],
  cohere: ['k'],
}

/** The schemas that the model is held to. */
function heldSchemas({ sent }: Judged): readonly unknown[] {
  const strict = sent.tools.filter(({ isStrict }) => isStrict).map(({ schema }) => schema)
  return sent.format === null ? strict : [...strict, sent.format.schema]
}

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'multipleOf']

function isBounded(schema: JsonObject): boolean {
  return BOUNDS.some((key) => key in schema)
}

function isOpen(schema: JsonObject): boolean {
  return (schema['type'] === 'object' || 'properties' in schema) && schema['additionalProperties'] !== false
}

function breaks(rule: ToolSchemaRule, schema: unknown, isRoot: boolean): boolean {
  if (!isObject(schema)) return isRoot && rule === 'properties'
  if (isRoot && rule === 'properties' && !isObject(schema['properties'])) return true
  if (isRoot && rule === 'no_top_level_choice') return ['anyOf', 'oneOf', 'allOf'].some((key) => key in schema)
  return has(schema, (each) => FLAWS[rule](each))
}

const FLAWS: Readonly<Record<ToolSchemaRule, (schema: JsonObject) => boolean>> = {
  properties: (schema) => schema['type'] === 'object' && !isObject(schema['properties']),
  items: (schema) => schema['type'] === 'array' && !('items' in schema),
  no_ref_siblings: (schema) => '$ref' in schema && Object.keys(schema).length > 1,
  no_type_beside_any_of: (schema) => 'type' in schema && Array.isArray(schema['anyOf']),
  no_tuples: (schema) => Array.isArray(schema['items']) || 'prefixItems' in schema,
  no_top_level_choice: () => false,
}

/** Whether any schema within this one, itself included, is of the kind; what stands under names of properties is looked at too. */
function has(schema: unknown, isKind: (schema: JsonObject) => boolean): boolean {
  if (Array.isArray(schema)) return schema.some((each) => has(each, isKind))
  if (!isObject(schema)) return false
  return isKind(schema) || Object.values(schema).some((each) => has(each, isKind))
}
