import { type FieldReader, missing, wrongKind } from '../../hub/field-reader.ts'
import { type Effort, type OutputFormat, type Reasoning, RequestSettings } from '../../hub/request-settings.ts'
import { keepsToStrictRules } from './strict-schema.ts'

/** Everything beside the conversation and the tools. */
export function readSettings(body: FieldReader): RequestSettings {
  const settings = new RequestSettings()
  const limit = body.number('max_tokens')
  if (limit === 0) body.refuse('max_tokens', 'it has no requests that only fill a cache')
  settings.say('maxOutputTokens', limit, 'max_tokens')
  settings.say('temperature', body.number('temperature'), 'temperature')
  settings.say('topP', body.number('top_p'), 'top_p')
  settings.say('topK', body.number('top_k'), 'top_k')
  const stop = body.strings('stop_sequences')
  settings.say('stop', stop?.length === 0 ? null : stop, 'stop_sequences')
  if (body.string('speed') === 'fast') body.notes.drop('speed')
  readServiceClass(body, settings)
  readMetadata(body, settings)
  readOutput(body, settings)
  return settings
}

/** `standard_only` is what others call their default; `auto` says nothing. */
function readServiceClass(body: FieldReader, settings: RequestSettings): void {
  const named = body.string('service_tier')
  settings.say('serviceClass', named === 'standard_only' ? 'default' : named === 'auto' ? null : named, 'service_tier')
}

function readMetadata(body: FieldReader, settings: RequestSettings): void {
  const metadata = body.object('metadata')
  settings.say('user', metadata?.string('user_id') ?? null, 'metadata.user_id')
  metadata?.end()
}

function readOutput(body: FieldReader, settings: RequestSettings): void {
  const config = body.object('output_config')
  const effort = config === null ? null : readEffort(config)
  readReasoning(body, effort, settings)
  for (const format of [body.object('output_format'), config?.object('format') ?? null]) {
    if (format !== null) settings.say('format', readFormat(format), format.at)
  }
  config?.end()
}

const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max'] satisfies Effort[])

function readEffort(config: FieldReader): Effort | null {
  const effort = config.string('effort')
  if (effort !== null && !EFFORTS.has(effort))
    throw wrongKind(config.path('effort'), 'one of low, medium, high, xhigh, max')
  return effort as Effort | null
}

function readReasoning(body: FieldReader, effort: Effort | null, settings: RequestSettings): void {
  const thinking = body.object('thinking')
  if (thinking === null) {
    const reasoning: Reasoning | null = effort === null ? null : { effort, budgetTokens: null, isShown: null }
    settings.say('reasoning', reasoning, 'output_config.effort')
    return
  }
  settings.say('reasoning', readThinking(thinking, effort), 'thinking')
  thinking.end()
}

function readThinking(thinking: FieldReader, effort: Effort | null): Reasoning {
  const display = thinking.string('display')
  const isShown = display === null ? null : display !== 'omitted'
  const type = thinking.requiredString('type')
  switch (type) {
    case 'disabled':
      if (effort !== null) thinking.notes.drop('output_config.effort')
      return { effort: 'none', budgetTokens: null, isShown: null }
    case 'enabled': {
      const budgetTokens = thinking.number('budget_tokens')
      if (budgetTokens === null) throw missing(thinking.path('budget_tokens'), 'a number')
      // Models that think by a budget show it unless the request turns that off.
      return { effort, budgetTokens, isShown: isShown ?? true }
    }
    case 'adaptive':
      return { effort, budgetTokens: null, isShown }
    case 'between_tools':
      thinking.notes.drop(thinking.path('type'))
      return { effort: 'low', budgetTokens: null, isShown }
    default:
      throw wrongKind(thinking.path('type'), '"enabled", "disabled", "adaptive" or "between_tools"')
  }
}

/** Anthropic keeps to every schema; others promise it only for those that follow their rules. */
function readFormat(format: FieldReader): OutputFormat {
  if (format.requiredString('type') !== 'json_schema') throw wrongKind(format.path('type'), '"json_schema"')
  const schema = format.rawObject('schema')
  if (schema === null) throw missing(format.path('schema'), 'a JSON schema')
  format.end()
  return { kind: 'schema', name: null, description: null, schema, isStrict: keepsToStrictRules(schema) ? true : null }
}
