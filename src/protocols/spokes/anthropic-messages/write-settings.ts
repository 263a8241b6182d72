import type { JsonObject } from '../../hub/json-object.ts'
import type { RequestSettings, SettingsToWrite } from '../../hub/request-settings.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import type { ClaudeModel } from './claude-model.ts'

/**
 * Temperature, top_p and top_k. What a model refuses is left out: the newest take none, some only one of the first two, and
 * with thinking the temperature is 1 and top_p near it.
 */
export function writeSampling(settings: SettingsToWrite, model: ClaudeModel, thinks: boolean): JsonObject {
  const kept = (name: 'temperature' | 'topP' | 'topK', mayStay: (value: number) => boolean): number | null => {
    const value = settings.take(name)
    if (value === null || mayStay(value)) return value
    // 1 is what a model does by itself.
    if (value !== 1 || name === 'topK') settings.drop(name)
    return null
  }
  const isFree = model.sampling !== 'none'
  const temperature = kept('temperature', () => isFree && !thinks)
  const isAlone = model.sampling === 'both' || temperature === null
  const topP = kept('topP', (value) => isFree && isAlone && (!thinks || value >= LEAST_TOP_P))
  const topK = kept('topK', () => isFree && !thinks)
  if (temperature !== null && temperature > 1) settings.drop('temperature')
  return {
    ...(temperature === null ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(topK === null ? {} : { top_k: topK }),
  }
}

/** Anthropic's bound with extended thinking. */
const LEAST_TOP_P = 0.95

/** `format` of `output_config`. */
export function writeFormat({ settings, notes }: UpstreamCall, said: RequestSettings): JsonObject {
  const format = settings.take('format')
  if (format === null) return {}
  if (format.kind === 'json') {
    return settings.refuse('format', 'it writes JSON by a schema only; ask for `json_schema`, with one')
  }
  if (format.description !== null) notes.drop(`${said.fieldOf('format')}.description`)
  return { format: { type: 'json_schema', schema: format.schema } }
}

export function writeStopSequences(settings: SettingsToWrite): JsonObject {
  const stop = settings.take('stop')
  return stop === null || stop.length === 0 ? {} : { stop_sequences: stop }
}

/** Anthropic's bound. */
const USER_LIMIT_CHARACTERS = 256

/** Who asks, and by which class of service. */
export function writeService(settings: SettingsToWrite): JsonObject {
  const user = settings.take('user')
  const serviceClass = settings.take('serviceClass')
  const isLong = user !== null && user.length > USER_LIMIT_CHARACTERS
  if (isLong) settings.drop('user')
  const written = serviceClass === 'default' ? 'standard_only' : 'auto'
  const isKnown = serviceClass === 'default' || serviceClass === 'auto'
  if (serviceClass !== null && !isKnown) settings.drop('serviceClass')
  return {
    ...(user === null || user === '' || isLong ? {} : { metadata: { user_id: user } }),
    ...(isKnown ? { service_tier: written } : {}),
  }
}
