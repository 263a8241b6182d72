import { takeFormat } from '../../hub/format-to-write.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'

/** Temperature, top_p and top_k. */
export function writeSampling(sampling: SamplingToWrite): JsonObject {
  const [temperature, topP, topK] = [sampling.take('temperature'), sampling.take('topP'), sampling.take('topK')]
  return withoutNull({ temperature, top_p: topP, top_k: topK })
}

/** `format` of `output_config`. */
export function writeFormat(call: UpstreamCall, hasTools: boolean): JsonObject {
  const format = takeFormat(call, hasTools)
  if (format === null) return {}
  if (format.kind === 'json') {
    return call.settings.refuse('format', 'it writes JSON by a schema only; ask for `json_schema`, with one')
  }
  if (format.description !== null) call.settings.drop('format', '.description')
  return { format: { type: 'json_schema', schema: format.schema } }
}

/** Anthropic's bound. */
const USER_LIMIT_CHARACTERS = 256

/** Who asks, and by which class of service. */
export function writeService({ settings, facts }: UpstreamCall): JsonObject {
  const user = settings.takeWhere('user', ({ length }) => facts.user && length <= USER_LIMIT_CHARACTERS)
  const tier = settings.takeWhere('serviceClass', (value) => facts.service_tier && /^(?:default|auto)$/.test(value))
  return {
    ...(user === null || user === '' ? {} : { metadata: { user_id: user } }),
    ...(tier === null ? {} : { service_tier: tier === 'default' ? 'standard_only' : tier }),
  }
}
