import type { HubWire } from '../core/wire.ts'
import { EFFORTS, type ModelFacts, type ModelRules, UNBOUNDED } from './facts.ts'

/** What is taken for granted of a model that no row names: what nearly all providers of the wire take. */
const ANYWHERE: ModelFacts = {
  reasoning: 'unknown',
  efforts: ['low', 'medium', 'high'],
  budget_least: 1_024,
  budget_most: UNBOUNDED,
  reasoning_off: 'unknown',
  reasons_unasked: false,
  forced_call: 'taken',
  past_reasoning: 'optional',
  hidden_reasoning: false,
  signed_calls: 'no',
  media_in_results: false,
  temperature: 'taken',
  temperature_least: 0,
  temperature_most: 2,
  top_p: 'taken',
  top_p_least_while_reasoning: 0,
  temperature_with_top_p: true,
  top_k: 'taken',
  penalties: 'taken',
  seed: 'taken',
  logit_bias: 'taken',
  logprobs: 'taken',
  choices: true,
  stops: UNBOUNDED,
  blank_stops: true,
  chat_tools: 'taken',
  tools_with_format: true,
  format_while_reasoning: true,
  most_tools: UNBOUNDED,
  most_strict_tools: UNBOUNDED,
  strict_tools: true,
  parallel_tool_calls: true,
  tool_schema: [],
  call_ids: 'any',
  format: 'schema',
  schema_bounds: true,
  open_objects: true,
  prefill: 'taken',
  system_role: 'system',
  system_messages: 'many',
  empty_content: true,
  image_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/heic', 'image/heif'],
  limit_field: 'max_tokens',
  most_output: UNBOUNDED,
  stream_options: true,
  encrypted_reasoning: true,
  service_tier: false,
  verbosity: false,
  user: true,
  cache_key: false,
  cache_points: 'none',
  extra_fields: 'none',
  streamed_tools: true,
}

/** What the wire itself says: of a model of no known family, its own maker's reference is the best guess. */
const ON_WIRE: Readonly<Record<HubWire, ModelRules>> = {
  'openai-chat': {},
  'openai-responses': {
    reasoning: 'effort',
    efforts: EFFORTS,
    reasoning_off: 'effort_none',
    service_tier: true,
    verbosity: true,
    cache_key: true,
  },
  'anthropic-messages': {
    reasoning: 'budget',
    reasoning_off: 'thinking_disabled',
    forced_call: 'not_while_reasoning',
    temperature: 'not_while_reasoning',
    temperature_most: 1,
    top_p_least_while_reasoning: 0.95,
    top_k: 'not_while_reasoning',
    blank_stops: false,
    service_tier: true,
  },
  gemini: {
    reasoning: 'effort',
    reasoning_off: 'never',
    signed_calls: 'required',
    media_in_results: true,
    image_types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
    stops: 5,
    service_tier: true,
  },
  // The formats of `ImageBlock`; fields of their own are known of some makers alone.
  'bedrock-converse': {
    temperature_most: 1,
    top_k: 'refused',
    blank_stops: false,
    strict_tools: false,
    image_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  },
}

/** What a wire has no field for, whatever the model takes. */
const LACKED: Partial<Record<HubWire, ModelRules>> = {
  'openai-responses': { stops: 0 },
  // `ToolConfiguration` of Bedrock's API reference.
  'bedrock-converse': { parallel_tool_calls: false, user: false },
}

export function lackedBy(wire: HubWire): ModelRules {
  return LACKED[wire] ?? {}
}

/** Nothing is known but the wire. */
export function unknownOn(wire: HubWire): ModelFacts {
  return { ...ANYWHERE, ...ON_WIRE[wire] }
}
