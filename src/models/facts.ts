/** A word for how much a model is to think, from none to the most. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** The kinds of value that a fact has. */
type FactKind =
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly isWhole: boolean }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }

/** One thing that models differ in: what its value may be, and what it means, as docs/models.md and the API print it. */
type Fact = FactKind & { readonly means: string }

/** When a setting is taken; where it is not, it is left out and named. */
const WHEN = ['taken', 'not_while_reasoning', 'refused'] as const
export type When = (typeof WHEN)[number]

const TOOL_SCHEMA_RULES = [
  'properties',
  'items',
  'no_ref_siblings',
  'no_type_beside_any_of',
  'no_tuples',
  'no_top_level_choice',
] as const
export type ToolSchemaRule = (typeof TOOL_SCHEMA_RULES)[number]

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/heic', 'image/heif'] as const

/** The most that a number stands for where nothing bounds it. */
export const UNBOUNDED = 1_000_000_000

const count = { kind: 'number', least: 0, most: UNBOUNDED, isWhole: true } as const
const fraction = { kind: 'number', least: 0, most: 2, isWhole: false } as const
const flag = { kind: 'flag' } as const
const when = { kind: 'word', words: WHEN } as const

/**
 * Everything that models differ in, as the writers of requests ask for it: the columns of the table of models. The names are
 * those of `rules` in the file, the API and the console.
 */
export const FACTS = {
  reasoning: {
    kind: 'word',
    words: ['unknown', 'none', 'effort', 'budget', 'adaptive'],
    means:
      'how reasoning is asked for: not at all, by a word, by a budget of tokens, or left to the model with a word beside it',
  },
  efforts: { kind: 'words', words: EFFORTS, means: 'the words for an effort, from low to high' },
  budget_least: { ...count, means: 'the least budget of reasoning, in tokens' },
  budget_most: { ...count, means: 'the largest budget of reasoning, in tokens' },
  reasoning_off: {
    kind: 'word',
    words: [
      'unknown',
      'omit',
      'effort_none',
      'thinking_disabled',
      'between_tools',
      'enable_thinking_false',
      'budget_zero',
      'never',
    ],
    means:
      'what turns reasoning off: to ask for none, the effort `none`, `thinking.type`, `enable_thinking`, a budget of 0, or nothing',
  },
  reasons_unasked: { ...flag, means: 'whether it reasons when a request says nothing of it' },
  forced_call: {
    kind: 'word',
    words: WHEN,
    means:
      'whether a call of a tool may be required; else reasoning is turned off for that request, and where it cannot be, the choice is left to the model',
  },
  past_reasoning: {
    kind: 'word',
    words: ['optional', 'with_tools', 'refused'],
    means: 'whether past answers carry their `reasoning_content`: as they come, always where there are tools, or never',
  },
  hidden_reasoning: { ...flag, means: 'whether `thinking.display` may be said' },
  signed_calls: {
    kind: 'word',
    words: ['no', 'carried', 'required'],
    means: 'the thought signatures of calls: none, sent back where there are some, or required in the present turn',
  },
  media_in_results: { ...flag, means: 'whether pictures and files may stand within the result of a tool (Gemini)' },
  temperature: { ...when, means: '`temperature`' },
  temperature_least: { ...fraction, means: 'the least `temperature`' },
  temperature_most: { ...fraction, means: 'the largest `temperature`' },
  top_p: { ...when, means: '`top_p`' },
  top_p_least_while_reasoning: { ...fraction, means: 'the least `top_p` while it reasons' },
  temperature_with_top_p: { ...flag, means: 'whether `temperature` and `top_p` may stand side by side' },
  top_k: { ...when, means: '`top_k`' },
  penalties: { ...when, means: '`frequency_penalty` and `presence_penalty`' },
  seed: { ...when, means: '`seed`' },
  logit_bias: { ...when, means: '`logit_bias`' },
  logprobs: { ...when, means: '`logprobs` and `top_logprobs`' },
  choices: { ...flag, means: 'whether several answers may be asked for at once (`n`)' },
  stops: { ...count, means: 'the most stop sequences; the gateway itself stops at those beyond' },
  blank_stops: { ...flag, means: 'whether a stop sequence may be white space alone' },
  chat_tools: {
    kind: 'word',
    words: WHEN,
    means: 'tools on chat completions; where they are refused, the model is asked by responses',
  },
  tools_with_format: { ...flag, means: 'whether tools and a format of the answer may stand side by side' },
  format_while_reasoning: {
    ...flag,
    means: 'whether a format of the answer may be asked for while it reasons; else reasoning is turned off',
  },
  most_tools: { ...count, means: 'the most tools of a request' },
  most_strict_tools: { ...count, means: 'the most `strict` tools; with more, none is strict' },
  strict_tools: { ...flag, means: 'whether tools may be `strict`' },
  parallel_tool_calls: { ...flag, means: 'whether `parallel_tool_calls` may be said' },
  tool_schema: {
    kind: 'words',
    words: TOOL_SCHEMA_RULES,
    means:
      'what the schema of a tool must keep to: objects have `properties`, arrays have `items`, nothing stands beside `$ref`, no `type` beside `anyOf`, no tuples, no `anyOf`, `oneOf` or `allOf` at its top',
  },
  call_ids: {
    kind: 'word',
    words: ['any', 'nine'],
    means: 'the form of the ids of calls: any of 40 letters, digits, `_` and `-`, or exactly nine letters and digits',
  },
  format: {
    kind: 'word',
    words: ['schema', 'json', 'none'],
    means: 'the format of an answer that may be asked for: by a JSON schema, JSON alone, or none',
  },
  schema_bounds: {
    ...flag,
    means: 'whether schemas of answers and strict tools may have bounds (`minimum`, `maxLength`, `maxItems` …)',
  },
  open_objects: { ...flag, means: 'whether objects in such schemas may be open' },
  prefill: {
    kind: 'word',
    words: ['taken', 'refused', 'prefix', 'partial'],
    means:
      'a conversation that ends with the assistant: taken, refused, or taken with `prefix: true` or `partial: true` on that message',
  },
  system_role: {
    kind: 'word',
    words: ['system', 'user'],
    means: 'the role in which instructions are sent on chat completions',
  },
  system_messages: {
    kind: 'word',
    words: ['many', 'one'],
    means: 'whether instructions may stand in several messages on chat completions, or in one at the beginning',
  },
  empty_content: {
    ...flag,
    means:
      'whether the content of an answer of calls alone may be `null` on chat completions; else it is an empty text',
  },
  image_types: { kind: 'words', words: IMAGE_TYPES, means: 'the pictures it takes by their bytes' },
  limit_field: {
    kind: 'word',
    words: ['max_tokens', 'max_completion_tokens'],
    means: 'the field of the output limit on chat completions',
  },
  most_output: { ...count, means: 'the most tokens of output, where the model here does not say it' },
  stream_options: { ...flag, means: 'whether `stream_options` may be sent' },
  encrypted_reasoning: { ...flag, means: 'whether `include: ["reasoning.encrypted_content"]` may be sent' },
  service_tier: { ...flag, means: 'whether `service_tier` may be sent' },
  verbosity: { ...flag, means: 'whether `verbosity` may be sent' },
  user: { ...flag, means: 'whether `user` may be sent' },
  cache_key: { ...flag, means: 'whether `prompt_cache_key` may be sent' },
  cache_points: {
    kind: 'word',
    words: ['none', 'not_in_tools', 'taken'],
    means: 'where `cachePoint` may stand on Converse: nowhere, not among the tools, or anywhere',
  },
  extra_fields: {
    kind: 'word',
    words: ['none', 'anthropic', 'nova', 'reasoning', 'reasoning_effort', 'mistral', 'cohere'],
    means:
      'what `additionalModelRequestFields` may hold on Converse: nothing, what Anthropic’s or Nova’s models take (thinking, `top_k`), `reasoning`, `reasoning_effort`, or the `top_k` of Mistral or Cohere',
  },
  streamed_tools: {
    ...flag,
    means:
      'whether a request with tools may be streamed; else the answer is asked for whole, and streamed to the client',
  },
} as const satisfies Readonly<Record<string, Fact>>

export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[] as readonly [FactName, ...FactName[]]

/** The value that a fact of this kind has. */
type ValueOf<F extends FactKind> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'number' }
    ? number
    : F extends { kind: 'word'; words: readonly (infer W)[] }
      ? W
      : F extends { kind: 'words'; words: readonly (infer W)[] }
        ? readonly W[]
        : never

/** What one model takes on one wire. */
export type ModelFacts = { readonly [Name in FactName]: ValueOf<(typeof FACTS)[Name]> }
export type FactValue = ModelFacts[FactName]

/** What an admin says of a model or a target in place of the table. */
export type ModelRules = Partial<ModelFacts>

/** A fact by the common type of all. */
export function factOf(name: FactName): Fact {
  return FACTS[name]
}

/** Some of these words, each once and in their own order: the writers of requests go by it, as from a low effort to a high one. */
export function inOrder(words: readonly string[], some: readonly string[]): readonly string[] {
  return words.filter((word) => some.includes(word))
}
