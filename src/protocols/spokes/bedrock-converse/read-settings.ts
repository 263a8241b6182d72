import type { FieldReader } from '../../hub/field-reader.ts'
import { type Effort, type OutputFormat, type Reasoning, RequestSettings } from '../../hub/request-settings.ts'
import { fieldsOf, isObject, parseOrUndefined, textOf } from '../../json/json-object.ts'

/** Everything beside the conversation and the tools. */
export function readSettings(body: FieldReader): RequestSettings {
  const settings = new RequestSettings()
  const config = body.object('inferenceConfig')
  if (config !== null) {
    const stop = config.strings('stopSequences')
    settings.say('maxOutputTokens', config.number('maxTokens'), config.path('maxTokens'))
    settings.say('temperature', config.number('temperature'), config.path('temperature'))
    settings.say('topP', config.number('topP'), config.path('topP'))
    settings.say('stop', stop?.length === 0 ? null : stop, config.path('stopSequences'))
    config.end()
  }
  readExtraFields(body, settings)
  settings.say('format', readFormat(body.rawObject('outputConfig')), 'outputConfig.textFormat')
  const tier = fieldsOf(body.raw('serviceTier'))['type']
  settings.say('serviceClass', typeof tier === 'string' ? tier : null, 'serviceTier')
  for (const name of ['requestMetadata', 'performanceConfig', 'additionalModelResponseFieldPaths']) body.raw(name)
  return settings
}

/** The fields of the models' makers that `write-request.ts` knows. */
function readExtraFields(body: FieldReader, settings: RequestSettings): void {
  const at = 'additionalModelRequestFields'
  const extra = fieldsOf(body.raw(at))
  const topK = extra['top_k'] ?? extra['k'] ?? fieldsOf(extra['inferenceConfig'])['topK']
  settings.say('topK', typeof topK === 'number' ? topK : null, at)
  settings.say('reasoning', reasoningIn(extra), at)
}

function reasoningIn(extra: Readonly<Record<string, unknown>>): Reasoning | null {
  const { type, budget_tokens: budget } = fieldsOf(extra['thinking'])
  if (type === 'enabled' && typeof budget === 'number') return { effort: null, budgetTokens: budget, isShown: true }
  if (type === 'disabled') return { effort: 'none', budgetTokens: null, isShown: null }
  const effort =
    extra['reasoning_effort'] ??
    fieldsOf(extra['reasoning'])['effort'] ??
    fieldsOf(extra['reasoningConfig'])['maxReasoningEffort'] ??
    fieldsOf(extra['output_config'])['effort']
  if (typeof effort === 'string') return { effort: effort as Effort, budgetTokens: null, isShown: null }
  return type === 'adaptive' ? { effort: null, budgetTokens: null, isShown: null } : null
}

function readFormat(config: Readonly<Record<string, unknown>> | null): OutputFormat | null {
  const { jsonSchema } = fieldsOf(fieldsOf(fieldsOf(config)['textFormat'])['structure'])
  const { schema, name, description } = fieldsOf(jsonSchema)
  const parsed = parseOrUndefined(textOf(schema))
  if (!isObject(parsed)) return null
  return {
    kind: 'schema',
    name: typeof name === 'string' ? name : null,
    description: typeof description === 'string' ? description : null,
    schema: parsed,
    isStrict: null,
  }
}
