import type { ModelFacts } from '../../../models/facts.ts'
import { portableFormatName, takeFormat } from '../../hub/format-to-write.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { ReasoningPlan } from '../../hub/reasoning-plan.ts'
import type { OutputFormat, SettingsToWrite } from '../../hub/request-settings.ts'
import { SamplingToWrite, takeOutputLimit } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { writeReasoningWish } from './write-reasoning-wish.ts'

/** Everything of a chat request beside its messages and tools. */
export function writeSettings(call: UpstreamCall, plan: ReasoningPlan, hasTools: boolean): JsonObject {
  const { settings, facts } = call
  const sampling = new SamplingToWrite(call, plan.reasons)
  const [limit, stop] = [takeOutputLimit(call), settings.take('stop')]
  const sampled = samplingFields(sampling, settings)
  const format = takeFormat(call, hasTools)
  return {
    ...withoutNull({ [facts.limit_field]: limit, stop, ...sampled }),
    ...(format === null ? {} : { response_format: writeFormat(format) }),
    ...writeReasoningWish(plan, facts, settings),
    ...hints(settings, facts),
  }
}

/** Fields of sampling on a wire that has no `top_k`. */
function samplingFields(sampling: SamplingToWrite, settings: SettingsToWrite): JsonObject {
  settings.takeWhere('topK', () => false)
  const sampled = {
    temperature: sampling.take('temperature'),
    top_p: sampling.take('topP'),
    frequency_penalty: sampling.take('frequencyPenalty'),
    presence_penalty: sampling.take('presencePenalty'),
    seed: sampling.take('seed'),
    logit_bias: sampling.takeLogitBias(),
  }
  const logprobs = sampling.takeLogprobs()
  return {
    ...sampled,
    n: sampling.takeChoices(),
    logprobs: logprobs === null ? null : true,
    top_logprobs: logprobs === 0 ? null : logprobs,
  }
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, description, schema, isStrict } = format
  return {
    type: 'json_schema',
    json_schema: withoutNull({ name: portableFormatName(name), description, schema, strict: isStrict }),
  }
}

/** OpenAI refuses longer ones. Claude Code’s is a JSON text with three ids in it. */
const USER_CHARACTERS_LIMIT = 64

const SERVICE_CLASSES: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])
const VERBOSITIES: ReadonlySet<string> = new Set(['low', 'medium', 'high'])

/**
 * Hints that many providers refuse as unknown fields; whatever is not taken is left out and named. `metadata` is never
 * taken: OpenAI refuses it unless the answer is stored.
 */
function hints(settings: SettingsToWrite, facts: ModelFacts): JsonObject {
  return withoutNull({
    user: settings.takeWhere('user', ({ length }) => facts.user && length <= USER_CHARACTERS_LIMIT),
    service_tier: settings.takeWhere('serviceClass', (value) => facts.service_tier && SERVICE_CLASSES.has(value)),
    verbosity: settings.takeWhere('verbosity', (value) => facts.verbosity && VERBOSITIES.has(value)),
    prompt_cache_key: settings.takeWhere(
      'cacheKey',
      ({ length }) => facts.cache_key && length <= USER_CHARACTERS_LIMIT,
    ),
  })
}
