import type { JsonObject } from '../../hub/json-object.ts'
import type { OutputFormat, SettingsToWrite } from '../../hub/request-settings.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import type { ModelFamily } from './model-name.ts'
import { writeReasoningWish } from './write-reasoning-wish.ts'

/** Everything of a chat request beside its messages and tools. */
export function writeSettings(call: UpstreamCall, family: ModelFamily): JsonObject {
  const { settings } = call
  return {
    ...limits(call, family),
    ...sampling(settings, family),
    ...alternatives(settings),
    ...withFormat(settings),
    ...writeReasoningWish(settings, family),
    ...aboutCaller(settings),
    ...onlyAtOpenai(settings, family),
  }
}

/**
 * OpenAI's reasoning models refuse `max_tokens`; of the others' providers many know no `max_completion_tokens`, and some
 * then write without a limit. Clients ask for more than a model can write: that is no more than all it can.
 */
function limits({ settings, modelMaxOutputTokens }: UpstreamCall, family: ModelFamily): JsonObject {
  const asked = settings.take('maxOutputTokens')
  const stop = settings.take('stop')
  const name = family === 'openai-reasoning' ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...(asked === null ? {} : { [name]: Math.min(asked, modelMaxOutputTokens ?? asked) }),
    ...(stop === null ? {} : { stop }),
  }
}

/**
 * OpenAI's models that reason take no `temperature` or `top_p` but 1: these are left out, because clients of other wires
 * send them with every request. This wire has no `top_k`.
 */
function sampling(settings: SettingsToWrite, family: ModelFamily): JsonObject {
  const isFixed = family === 'openai-reasoning' && settings.take('reasoning')?.effort !== 'none'
  const taken = (name: 'temperature' | 'topP'): number | null => {
    const value = settings.take(name)
    if (!isFixed || value === null) return value
    if (value !== 1) settings.drop(name)
    return null
  }
  if (settings.take('topK') !== null) settings.drop('topK')
  return said({
    temperature: taken('temperature'),
    top_p: taken('topP'),
    frequency_penalty: settings.take('frequencyPenalty'),
    presence_penalty: settings.take('presencePenalty'),
    seed: settings.take('seed'),
    logit_bias: settings.take('logitBias'),
  })
}

function alternatives(settings: SettingsToWrite): JsonObject {
  const choices = settings.take('choices')
  const logprobs = settings.take('logprobs')
  return said({
    n: choices,
    logprobs: logprobs === null ? null : true,
    top_logprobs: logprobs === 0 ? null : logprobs,
  })
}

function withFormat(settings: SettingsToWrite): JsonObject {
  const format = settings.take('format')
  return format === null ? {} : { response_format: writeFormat(format) }
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = format
  return {
    type: 'json_schema',
    json_schema: {
      name: formatName(name),
      ...said({ description }),
      schema,
      ...said({ strict: isStrict }),
    },
  }
}

/** The name is required, and of letters, digits, `_` and `-`, 64 at most. */
function formatName(name: string | null): string {
  const portable = name?.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) ?? ''
  return portable === '' ? 'answer' : portable
}

/** OpenAI refuses longer ones. Claude Code’s is a JSON text with three ids in it. */
const USER_CHARACTERS_LIMIT = 64

function aboutCaller(settings: SettingsToWrite): JsonObject {
  const user = settings.take('user')
  if (user === null) return {}
  if (user.length <= USER_CHARACTERS_LIMIT) return { user }
  settings.drop('user')
  return {}
}

const SERVICE_CLASSES: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])
const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])

/**
 * Hints that other providers refuse as unknown fields; whatever is not taken is left out and named. `metadata` is never
 * taken: OpenAI refuses it unless the answer is stored.
 */
function onlyAtOpenai(settings: SettingsToWrite, family: ModelFamily): JsonObject {
  if (family !== 'openai-reasoning' && family !== 'openai-plain') return {}
  const known = (
    name: 'serviceClass' | 'verbosity' | 'cacheKey',
    isKnown: (value: string) => boolean,
  ): string | null => {
    const value = settings.take(name)
    if (value === null || isKnown(value)) return value
    settings.drop(name)
    return null
  }
  return said({
    service_tier: known('serviceClass', (value) => SERVICE_CLASSES.has(value)),
    verbosity: known('verbosity', (value) => family === 'openai-reasoning' && VERBOSITIES.has(value)),
    prompt_cache_key: known('cacheKey', ({ length }) => length <= USER_CHARACTERS_LIMIT),
  })
}

/** The fields that have a value. */
function said(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
