import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import { type Effort, type OutputFormat, type Reasoning, RequestSettings } from '../../hub/request-settings.ts'

/** Everything that a chat request sets beside its messages and tools. Defaults say nothing. */
export function readSettings(fields: FieldReader): RequestSettings {
  const settings = new RequestSettings()
  readLimits(fields, settings)
  readSampling(fields, settings)
  readAlternatives(fields, settings)
  settings.say('format', readFormat(fields), 'response_format')
  readReasoningWish(fields, settings)
  settings.say('verbosity', fields.string('verbosity'), 'verbosity')
  if (fields.boolean('parallel_tool_calls') === false) settings.say('parallelToolCalls', false, 'parallel_tool_calls')
  readAboutCaller(fields, settings)
  readWithoutCounterpart(fields)
  return settings
}

/** Both limits mean the same; the newer name is the one that counts reasoning in its own words. */
function readLimits(fields: FieldReader, settings: RequestSettings): void {
  settings.say('maxOutputTokens', fields.number('max_tokens'), 'max_tokens')
  settings.say('maxOutputTokens', fields.number('max_completion_tokens'), 'max_completion_tokens')
  const stop = fields.raw('stop')
  const sequences = typeof stop === 'string' ? [stop] : fields.strings('stop')
  if (sequences !== null && sequences.length > 0) settings.say('stop', sequences, 'stop')
}

function readSampling(fields: FieldReader, settings: RequestSettings): void {
  settings.say('temperature', fields.number('temperature'), 'temperature')
  settings.say('topP', fields.number('top_p'), 'top_p')
  settings.say('topK', fields.number('top_k'), 'top_k')
  const frequency = fields.number('frequency_penalty')
  if (frequency !== 0) settings.say('frequencyPenalty', frequency, 'frequency_penalty')
  const presence = fields.number('presence_penalty')
  if (presence !== 0) settings.say('presencePenalty', presence, 'presence_penalty')
  settings.say('seed', fields.number('seed'), 'seed')
  settings.say('seed', fields.number('random_seed'), 'random_seed')
  const bias = fields.rawObject('logit_bias')
  if (bias !== null && Object.keys(bias).length > 0) settings.say('logitBias', bias, 'logit_bias')
}

function readAlternatives(fields: FieldReader, settings: RequestSettings): void {
  const choices = fields.number('n')
  if (choices !== null && choices !== 1) settings.say('choices', choices, 'n')
  const alternatives = fields.number('top_logprobs') ?? 0
  if (fields.boolean('logprobs') === true || alternatives > 0) settings.say('logprobs', alternatives, 'logprobs')
}

function readFormat(fields: FieldReader): OutputFormat | null {
  const format = fields.object('response_format')
  if (format === null) return null
  const type = format.requiredString('type')
  const described = type === 'json_schema' ? format.object('json_schema') : null
  format.end()
  if (type === 'text') return null
  if (type === 'json_object') return { kind: 'json' }
  if (described === null) return fields.refuse('response_format', 'it gives text, JSON or JSON of a schema')
  const schema = described.rawObject('schema') ?? {}
  return described.ended({
    kind: 'schema',
    name: described.string('name'),
    description: described.string('description'),
    schema,
    isStrict: described.boolean('strict'),
  })
}

function readAboutCaller(fields: FieldReader, settings: RequestSettings): void {
  settings.say('user', fields.string('user'), 'user')
  settings.say('user', fields.string('safety_identifier'), 'safety_identifier')
  settings.say('metadata', fields.rawObject('metadata'), 'metadata')
  settings.say('cacheKey', fields.string('prompt_cache_key'), 'prompt_cache_key')
  const serviceClass = fields.string('service_tier')
  // What is served unasked says nothing.
  if (serviceClass !== 'auto' && serviceClass !== 'default') settings.say('serviceClass', serviceClass, 'service_tier')
}

/** Fields that no other protocol has: carried only where they ask for nothing. */
function readWithoutCounterpart(fields: FieldReader): void {
  if (fields.raw('store') === true) fields.notes.drop('store')
  const modalities = fields.strings('modalities') ?? []
  if (modalities.some((each) => each !== 'text')) fields.refuse('modalities', 'it answers in text only')
  for (const [name, neutral] of NEUTRAL_VALUES) {
    const value = fields.number(name)
    if (value !== null && value !== neutral) fields.refuse(name, 'it has nothing of the kind')
  }
  const provider = fields.object('provider')
  if (provider === null) return
  const collection = provider.string('data_collection')
  if (collection !== null && collection !== 'allow') provider.refuse('data_collection', 'it has no field for that')
  provider.end()
}

/** Sampling of open models' servers, with the value that changes nothing. */
const NEUTRAL_VALUES = [
  ['repetition_penalty', 1],
  ['min_p', 0],
  ['top_a', 0],
] as const

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies Effort[]

/** What OpenRouter takes for a reasoning that is only switched on. */
const SWITCHED_ON: Effort = 'medium'

/**
 * How much a chat request wants to be thought. OpenAI has `reasoning_effort`, OpenRouter `reasoning: {effort, max_tokens,
 * enabled, exclude}` and `include_reasoning`, DeepSeek, Kimi and GLM `thinking: {type}`, Qwen `enable_thinking` and
 * `thinking_budget`, Google's compatible endpoint `extra_body.google.thinking_config`. Clients send several at once.
 */
function readReasoningWish(fields: FieldReader, settings: RequestSettings): void {
  // The most precise field wins, and is the one that a refusal names.
  const wishes: readonly (readonly [string, Partial<Reasoning> | null])[] = [
    ['chat_template_kwargs', templateWish(fields)],
    ['enable_thinking', switchWish(fields)],
    ['thinking', thinkingWish(fields)],
    ['extra_body', googleWish(fields)],
    ['reasoning', openrouterWish(fields)],
    ['reasoning_effort', effortWish(fields.string('reasoning_effort'), 'reasoning_effort')],
  ]
  const include = fields.boolean('include_reasoning')
  let wish: Reasoning | null = include === null ? null : { effort: null, budgetTokens: null, isShown: include }
  let field = 'include_reasoning'
  for (const [name, said] of wishes) {
    if (said === null) continue
    wish = merged(wish, said)
    field = name
  }
  if (wish === null) return
  if (wish.effort === 'none' || wish.budgetTokens === 0) wish = { ...wish, effort: 'none', budgetTokens: null }
  settings.say('reasoning', wish, field)
}

function merged(past: Reasoning | null, said: Partial<Reasoning>): Reasoning {
  return {
    // Reasoning that is switched off stays off, whatever else is set.
    effort: past?.effort === 'none' ? 'none' : (said.effort ?? past?.effort ?? null),
    budgetTokens: said.budgetTokens ?? past?.budgetTokens ?? null,
    isShown: said.isShown ?? past?.isShown ?? null,
  }
}

/** `auto` and `default` leave it to the model. */
function effortWish(effort: string | null, at: string): Partial<Reasoning> | null {
  if (effort === null || effort === 'auto' || effort === 'default') return null
  return { effort: oneOf(at, effort, EFFORTS) }
}

function openrouterWish(fields: FieldReader): Partial<Reasoning> | null {
  const reasoning = fields.object('reasoning')
  if (reasoning === null) return null
  const effort = effortWish(reasoning.string('effort'), reasoning.path('effort'))?.effort ?? null
  const budgetTokens = reasoning.number('max_tokens')
  const enabled = reasoning.boolean('enabled')
  const exclude = reasoning.boolean('exclude')
  reasoning.end()
  return {
    effort: effort ?? switched(enabled, budgetTokens),
    budgetTokens,
    isShown: exclude === null ? null : !exclude,
  }
}

function thinkingWish(fields: FieldReader): Partial<Reasoning> | null {
  const thinking = fields.object('thinking')
  if (thinking === null) return null
  const type = oneOf(thinking.path('type'), thinking.requiredString('type'), [
    'enabled',
    'disabled',
    'adaptive',
    'auto',
  ])
  const budgetTokens = thinking.number('budget_tokens')
  thinking.end()
  const isOn = type === 'enabled' ? true : type === 'disabled' ? false : null
  return { effort: switched(isOn, budgetTokens), budgetTokens: isOn === false ? null : budgetTokens }
}

function switchWish(fields: FieldReader): Partial<Reasoning> | null {
  const enabled = fields.boolean('enable_thinking')
  const budgetTokens = fields.number('thinking_budget')
  if (enabled === null && budgetTokens === null) return null
  return { effort: switched(enabled, budgetTokens), budgetTokens: enabled === false ? null : budgetTokens }
}

function templateWish(fields: FieldReader): Partial<Reasoning> | null {
  const template = fields.object('chat_template_kwargs')
  if (template === null) return null
  const enabled = template.boolean('enable_thinking') ?? template.boolean('thinking')
  template.end()
  return enabled === null ? null : { effort: switched(enabled, null) }
}

function googleWish(fields: FieldReader): Partial<Reasoning> | null {
  const extra = fields.object('extra_body')
  const google = extra?.object('google') ?? null
  extra?.end()
  const config = google?.object('thinking_config') ?? null
  google?.end()
  if (config === null) return null
  const level = config.string('thinking_level')?.toLowerCase() ?? null
  const budgetTokens = config.number('thinking_budget')
  const isShown = config.boolean('include_thoughts')
  const effort = effortWish(level, config.path('thinking_level'))?.effort ?? null
  config.end()
  // -1 leaves the budget to the model.
  return { effort, budgetTokens: budgetTokens === -1 ? null : budgetTokens, isShown }
}

function switched(isOn: boolean | null, budgetTokens: number | null): Effort | null {
  if (isOn === false) return 'none'
  return isOn === true && budgetTokens === null ? SWITCHED_ON : null
}

/** The value if it is one of a list; throws the fault `request_invalid` otherwise. */
function oneOf<Value extends string>(at: string, value: string, known: readonly Value[]): Value {
  const found = known.find((each) => each === value)
  if (found === undefined) throw wrongKind(at, `one of ${known.join(', ')}`)
  return found
}
