import type { FieldReader } from '../../hub/field-reader.ts'
import { RequestSettings, type OutputFormat } from '../../hub/request-settings.ts'
import { readReasoningWish } from './read-reasoning-wish.ts'

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
  const read: OutputFormat = {
    kind: 'schema',
    name: described.string('name'),
    description: described.string('description'),
    schema,
    isStrict: described.boolean('strict'),
  }
  described.end()
  return read
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
