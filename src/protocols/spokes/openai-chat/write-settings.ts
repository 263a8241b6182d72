import type { ModelFacts } from '../../../models/facts.ts'
import { takeFormat } from '../../hub/format-to-write.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { OutputFormat, SettingsToWrite } from '../../hub/request-settings.ts'
import { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { writeReasoningWish } from './write-reasoning-wish.ts'

interface ChatSettingsContext {
  readonly plan: ReasoningPlan
  readonly hasTools: boolean
  /** Where the client asked for a format. */
  readonly field: string
}

/** Everything of a chat request beside its messages and tools. */
export function writeSettings(call: UpstreamCall, { plan, hasTools, field }: ChatSettingsContext): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(settings, facts, plan.reasons)
  return {
    ...limits(call),
    ...samplingFields(sampling, settings),
    ...alternatives(sampling),
    ...withFormat(takeFormat(call, { hasTools, field })),
    ...writeReasoningWish(plan, facts, settings),
    ...aboutCaller(settings, facts),
    ...hints(settings, facts),
  }
}

/** Clients ask for more than a model can write: that is no more than all it can. */
function limits({ settings, facts, modelMaxOutputTokens }: UpstreamCall): JsonObject {
  const asked = settings.take('maxOutputTokens')
  const stop = settings.take('stop')
  return {
    ...(asked === null ? {} : { [facts.limit_field]: Math.min(asked, modelMaxOutputTokens ?? facts.most_output) }),
    ...(stop === null ? {} : { stop }),
  }
}

/** Fields of sampling on a wire that has no `top_k`. */
function samplingFields(sampling: SamplingToWrite, settings: SettingsToWrite): JsonObject {
  if (settings.take('topK') !== null) settings.drop('topK')
  return said({
    temperature: sampling.take('temperature'),
    top_p: sampling.take('topP'),
    frequency_penalty: sampling.take('frequencyPenalty'),
    presence_penalty: sampling.take('presencePenalty'),
    seed: sampling.take('seed'),
    logit_bias: sampling.takeLogitBias(),
  })
}

function alternatives(sampling: SamplingToWrite): JsonObject {
  const logprobs = sampling.takeLogprobs()
  return said({
    n: sampling.takeChoices(),
    logprobs: logprobs === null ? null : true,
    top_logprobs: logprobs === 0 ? null : logprobs,
  })
}

function withFormat(format: OutputFormat | null): JsonObject {
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

function aboutCaller(settings: SettingsToWrite, facts: ModelFacts): JsonObject {
  const user = settings.take('user')
  if (user === null) return {}
  if (facts.user && user.length <= USER_CHARACTERS_LIMIT) return { user }
  settings.drop('user')
  return {}
}

const SERVICE_CLASSES: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])
const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])

/**
 * Hints that many providers refuse as unknown fields; whatever is not taken is left out and named. `metadata` is never
 * taken: OpenAI refuses it unless the answer is stored.
 */
function hints(settings: SettingsToWrite, facts: ModelFacts): JsonObject {
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
    service_tier: known('serviceClass', (value) => facts.service_tier && SERVICE_CLASSES.has(value)),
    verbosity: known('verbosity', (value) => facts.verbosity && VERBOSITIES.has(value)),
    prompt_cache_key: known('cacheKey', ({ length }) => facts.cache_key && length <= USER_CHARACTERS_LIMIT),
  })
}

/** The fields that have a value. */
function said(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
