import { takeFormat } from '../../hub/format-to-write.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { RequestSettings, SettingsToWrite } from '../../hub/request-settings.ts'
import type { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'

/** Temperature, top_p and top_k. */
export function writeSampling(sampling: SamplingToWrite): JsonObject {
  const temperature = sampling.take('temperature')
  const topP = sampling.take('topP')
  const topK = sampling.take('topK')
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(topK === null ? {} : { top_k: topK }),
  }
}

/** `format` of `output_config`. */
export function writeFormat(
  call: UpstreamCall,
  { said, hasTools }: { readonly said: RequestSettings; readonly hasTools: boolean },
): JsonObject {
  const format = takeFormat(call, { hasTools, field: said.fieldOf('format') })
  if (format === null) return {}
  if (format.kind === 'json') {
    return call.settings.refuse('format', 'it writes JSON by a schema only; ask for `json_schema`, with one')
  }
  if (format.description !== null) call.notes.drop(`${said.fieldOf('format')}.description`)
  return { format: { type: 'json_schema', schema: format.schema } }
}

export function writeStopSequences(settings: SettingsToWrite): JsonObject {
  const stop = settings.take('stop')
  return stop === null || stop.length === 0 ? {} : { stop_sequences: stop }
}

/** Anthropic's bound. */
const USER_LIMIT_CHARACTERS = 256

/** Who asks, and by which class of service. */
export function writeService({ settings, facts }: UpstreamCall): JsonObject {
  const user = settings.take('user')
  const serviceClass = settings.take('serviceClass')
  const isLeft = user !== null && (!facts.user || user.length > USER_LIMIT_CHARACTERS)
  if (isLeft) settings.drop('user')
  const written = serviceClass === 'default' ? 'standard_only' : 'auto'
  const isKnown = facts.service_tier && (serviceClass === 'default' || serviceClass === 'auto')
  if (serviceClass !== null && !isKnown) settings.drop('serviceClass')
  return {
    ...(user === null || user === '' || isLeft ? {} : { metadata: { user_id: user } }),
    ...(isKnown ? { service_tier: written } : {}),
  }
}
