/**
 * What requests only wish for, by the names under which an upstream or target is set not to take it, with the fields that say
 * it on all chat wires at once, since upstreams take fields of each other's (the API references of OpenAI, Anthropic and
 * Google, November 2026; Google's JSON takes two spellings). None of them is part of what is asked or bounds what is written.
 * `max_tool_calls` bounds calls of the provider's tools: where it is not taken, more may be made than are held for.
 */
export const DROPPABLE_SETTINGS = {
  temperature: ['temperature', ...ofGemini('temperature')],
  top_p: ['top_p', ...ofGemini('topP', 'top_p')],
  top_k: ['top_k', ...ofGemini('topK', 'top_k')],
  seed: ['seed', ...ofGemini('seed')],
  presence_penalty: ['presence_penalty', ...ofGemini('presencePenalty', 'presence_penalty')],
  frequency_penalty: ['frequency_penalty', ...ofGemini('frequencyPenalty', 'frequency_penalty')],
  logit_bias: ['logit_bias'],
  logprobs: ['logprobs', 'top_logprobs', ...ofGemini('responseLogprobs', 'response_logprobs', 'logprobs')],
  parallel_tool_calls: ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  prompt_cache_key: ['prompt_cache_key', 'prompt_cache_retention'],
  verbosity: ['verbosity', 'text.verbosity'],
  reasoning_effort: [
    'reasoning_effort',
    'reasoning.effort',
    'output_config.effort',
    ...ofGemini('thinkingConfig.thinkingLevel', 'thinking_config.thinking_level'),
  ],
  /** All of it, the effort as well. */
  reasoning: [
    'reasoning',
    'reasoning_effort',
    'thinking',
    'output_config.effort',
    ...ofGemini('thinkingConfig', 'thinking_config'),
  ],
  reasoning_summary: ['reasoning.summary', 'reasoning.generate_summary'],
  stream_options: ['stream_options'],
  include: ['include'],
  user: ['user', 'safety_identifier', 'metadata.user_id'],
  metadata: ['metadata'],
  service_tier: ['service_tier'],
  store: ['store'],
  max_tool_calls: ['max_tool_calls'],
} as const satisfies Record<string, readonly string[]>

export type DroppableSetting = keyof typeof DROPPABLE_SETTINGS

export const DROPPABLE_SETTING_NAMES = Object.keys(DROPPABLE_SETTINGS) as readonly DroppableSetting[] as readonly [
  DroppableSetting,
  ...DroppableSetting[],
]

function ofGemini(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`generationConfig.${name}`, `generation_config.${name}`])
}
