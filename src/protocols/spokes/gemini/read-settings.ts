import { type FieldReader, wrongKind } from '../../hub/field-reader.ts'
import type { Effort, OutputFormat, Reasoning, RequestSettings } from '../../hub/request-settings.ts'
import { readJsonSchema } from './read-json-schema.ts'

/**
 * Reads `generationConfig`. What Gemini does by itself says nothing: Gemini CLI sends all of it with every request, and
 * models of other providers refuse some of it.
 */
export function readGenerationConfig(body: FieldReader, settings: RequestSettings): void {
  const config = body.object('generationConfig')
  if (config === null) return
  settings.say('maxOutputTokens', config.number('maxOutputTokens'), config.path('maxOutputTokens'))
  readSampling(config, settings)
  const choices = config.number('candidateCount')
  settings.say('choices', choices === 1 ? null : choices, config.path('candidateCount'))
  const stop = config.strings('stopSequences') ?? []
  settings.say('stop', stop.length === 0 ? null : stop, config.path('stopSequences'))
  settings.say('seed', config.number('seed'), config.path('seed'))
  const alternatives = config.number('logprobs')
  if (config.boolean('responseLogprobs') === true) {
    settings.say('logprobs', alternatives ?? 0, config.path('responseLogprobs'))
  }
  settings.say('format', readFormat(config), config.path('responseMimeType'))
  settings.say('reasoning', readThinking(config), config.path('thinkingConfig'))
  refuseOtherThanText(config)
  config.end()
}

const DEFAULT_TOP_P = 0.95
const DEFAULT_TOP_K = 64

function readSampling(config: FieldReader, settings: RequestSettings): void {
  settings.say('temperature', notThe(config.number('temperature'), 1), config.path('temperature'))
  const [topP, topK] = [config.number('topP'), config.number('topK')]
  if (topP === DEFAULT_TOP_P) config.notes.drop(config.path('topP'))
  else settings.say('topP', notThe(topP, 1), config.path('topP'))
  if (topK === DEFAULT_TOP_K) config.notes.drop(config.path('topK'))
  else settings.say('topK', notThe(topK, 0), config.path('topK'))
  for (const name of ['frequencyPenalty', 'presencePenalty'] as const) {
    settings.say(name, notThe(config.number(name), 0), config.path(name))
  }
}

/** Null for the value that changes nothing, with any provider. */
function notThe(value: number | null, idle: number): number | null {
  return value === idle ? null : value
}

function readFormat(config: FieldReader): OutputFormat | null {
  const mime = config.string('responseMimeType')
  const openApi = config.rawObject('responseSchema')
  const schema =
    config.rawObject('responseJsonSchema') ??
    config.rawObject('_responseJsonSchema') ??
    (openApi === null ? null : readJsonSchema(openApi))
  if (mime !== null && mime !== 'application/json' && mime !== 'text/plain' && mime !== '') {
    config.refuse('responseMimeType', 'it answers in text or JSON')
  }
  if (schema !== null) return { kind: 'schema', name: null, description: null, schema, isStrict: null }
  return mime === 'application/json' ? { kind: 'json' } : null
}

const LEVELS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high'])

function readThinking(config: FieldReader): Reasoning | null {
  const thinking = config.object('thinkingConfig')
  if (thinking === null) return null
  const isShown = thinking.boolean('includeThoughts')
  const level = thinking.string('thinkingLevel')?.toLowerCase() ?? null
  const budget = thinking.number('thinkingBudget')
  thinking.end()
  const isLevel = level !== null && level !== 'thinking_level_unspecified'
  if (isLevel && !LEVELS.has(level)) throw wrongKind(thinking.path('thinkingLevel'), 'MINIMAL, LOW, MEDIUM or HIGH')
  // -1 leaves it to the model.
  const budgetTokens = budget === null || budget < 0 ? null : budget
  if (isShown === null && !isLevel && budgetTokens === null) return null
  return { effort: isLevel ? (level as Effort) : null, budgetTokens, isShown }
}

function refuseOtherThanText(config: FieldReader): void {
  const modalities = config.strings('responseModalities') ?? []
  if (modalities.some((each) => each.toUpperCase() !== 'TEXT')) {
    config.refuse('responseModalities', 'it answers in text')
  }
  for (const name of ['speechConfig', 'imageConfig']) {
    if (config.raw(name) !== null) config.refuse(name, 'it answers in text')
  }
}
