import type { JsonObject } from '../../hub/json-object.ts'
import type { Reasoning } from '../../hub/request-settings.ts'
import { budgetOf, effortOf } from '../../hub/reasoning-scale.ts'
import type { SettingsToWrite } from '../../hub/request-settings.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import type { ModelFamily } from './model-family.ts'
import { withoutDialect } from './write-tools.ts'

/** `generationConfig`, and what stands beside it. */
export function writeSettings({ settings }: UpstreamCall, family: ModelFamily): JsonObject {
  const { serviceTier, ...config } = given({
    maxOutputTokens: settings.take('maxOutputTokens'),
    temperature: settings.take('temperature'),
    topP: settings.take('topP'),
    topK: settings.take('topK'),
    frequencyPenalty: settings.take('frequencyPenalty'),
    presencePenalty: settings.take('presencePenalty'),
    seed: seedOf(settings),
    stopSequences: stopOf(settings),
    candidateCount: settings.take('choices'),
    ...logprobsOf(settings),
    ...formatOf(settings),
    thinkingConfig: thinkingOf(settings, family),
    serviceTier: serviceTierOf(settings),
  })
  // Google's models call one function or several as they like.
  if (settings.take('parallelToolCalls') === false) settings.drop('parallelToolCalls')
  return {
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  }
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}

/** A signed number of 32 bits on this wire. */
function seedOf(settings: SettingsToWrite): number | null {
  const seed = settings.take('seed')
  if (seed === null || (seed | 0) === seed) return seed
  settings.drop('seed')
  return null
}

function stopOf(settings: SettingsToWrite): readonly string[] | null {
  const stop = settings.take('stop')
  return stop === null || stop.length === 0 ? null : stop
}

function logprobsOf(settings: SettingsToWrite): JsonObject {
  const logprobs = settings.take('logprobs')
  if (logprobs === null) return {}
  return { responseLogprobs: true, ...(logprobs > 0 ? { logprobs } : {}) }
}

function formatOf(settings: SettingsToWrite): JsonObject {
  const format = settings.take('format')
  if (format === null) return {}
  const json = { responseMimeType: 'application/json' }
  return format.kind === 'json' ? json : { ...json, responseJsonSchema: withoutDialect(format.schema) }
}

const SERVICE_TIERS: ReadonlySet<string> = new Set(['flex', 'priority', 'standard'])

function serviceTierOf(settings: SettingsToWrite): string | null {
  const wanted = settings.take('serviceClass')
  if (wanted === null || SERVICE_TIERS.has(wanted)) return wanted
  settings.drop('serviceClass')
  return null
}

/** Whether it thinks, how much and whether that is shown. Where a model cannot stop thinking, it thinks the least it can. */
function thinkingOf(settings: SettingsToWrite, family: ModelFamily): JsonObject | null {
  const reasoning = settings.take('reasoning')
  if (reasoning === null) return null
  if (family.thinking === 'none') {
    if (budgetOf(reasoning) !== 0) settings.drop('reasoning')
    return null
  }
  const shown = reasoning.isShown === true ? { includeThoughts: true } : {}
  const amount =
    family.thinking === 'level' ? levelOf(reasoning, settings, family) : budgetIn(reasoning, settings, family)
  const config = { ...shown, ...amount }
  return Object.keys(config).length === 0 ? null : config
}

function levelOf(reasoning: Reasoning, settings: SettingsToWrite, { levels }: ModelFamily): JsonObject {
  if (budgetOf(reasoning) === 0) settings.drop('reasoning')
  const level = effortOf(reasoning, levels)
  return level === null ? {} : { thinkingLevel: level.toUpperCase() }
}

function budgetIn(reasoning: Reasoning, settings: SettingsToWrite, { budget }: ModelFamily): JsonObject {
  const wanted = budgetOf(reasoning)
  if (wanted === null) return {}
  if (wanted === 0 && budget.canBeOff) return { thinkingBudget: 0 }
  if (wanted === 0) settings.drop('reasoning')
  return { thinkingBudget: Math.min(budget.most, Math.max(budget.least, wanted)) }
}
