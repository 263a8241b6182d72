import type { FieldReader } from '../../hub/field-reader.ts'
import { RequestSettings, type Effort, type OutputFormat } from '../../hub/request-settings.ts'

/** Everything a request sets beside its conversation and tools. What says no more than the default is not said. */
export function readSettings(top: FieldReader): RequestSettings {
  const settings = new RequestSettings()
  settings.say('maxOutputTokens', top.number('max_output_tokens'), 'max_output_tokens')
  settings.say('temperature', top.number('temperature'), 'temperature')
  settings.say('topP', unless(1, top.number('top_p')), 'top_p')
  // Not of OpenAI's own, but of the Open Responses specification.
  settings.say('frequencyPenalty', unless(0, top.number('frequency_penalty')), 'frequency_penalty')
  settings.say('presencePenalty', unless(0, top.number('presence_penalty')), 'presence_penalty')
  settings.say('parallelToolCalls', unless(true, top.boolean('parallel_tool_calls')), 'parallel_tool_calls')
  settings.say('serviceClass', unless('auto', top.string('service_tier')), 'service_tier')
  settings.say('cacheKey', top.string('prompt_cache_key'), 'prompt_cache_key')
  settings.say('metadata', top.rawObject('metadata'), 'metadata')
  readUser(top, settings)
  readText(top, settings)
  readReasoning(top, settings)
  readLogprobs(top, settings)
  if (top.boolean('store') === true) top.notes.drop('store')
  if (unless('disabled', top.string('truncation')) !== null) top.notes.drop('truncation')
  return settings
}

function unless<Value>(byDefault: Value, value: Value | null): Value | null {
  return value === byDefault ? null : value
}

/** `safety_identifier` is the newer name of `user`. */
function readUser(top: FieldReader, settings: RequestSettings): void {
  const [user, identifier] = [top.string('user'), top.string('safety_identifier')]
  if (identifier === null) return settings.say('user', user, 'user')
  settings.say('user', identifier, 'safety_identifier')
  if (user !== null && user !== identifier) top.notes.drop('user')
}

function readText(top: FieldReader, settings: RequestSettings): void {
  const text = top.object('text')
  if (text === null) return
  settings.say('verbosity', unless('medium', text.string('verbosity')), 'text.verbosity')
  const format = text.object('format')
  text.end()
  if (format !== null) settings.say('format', readFormat(format), 'text.format')
}

function readFormat(format: FieldReader): OutputFormat | null {
  const type = format.requiredString('type')
  if (type !== 'json_schema') {
    format.end()
    if (type === 'text') return null
    return type === 'json_object' ? { kind: 'json' } : format.refuse('type', `it has no format of the type "${type}"`)
  }
  const schema = format.rawObject('schema') ?? {}
  const [name, description] = [format.string('name'), format.string('description')]
  const isStrict = format.boolean('strict')
  format.end()
  return { kind: 'schema', name, description, schema, isStrict }
}

const EFFORTS: ReadonlySet<string> = new Set([
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] satisfies Effort[])

function readReasoning(top: FieldReader, settings: RequestSettings): void {
  const reasoning = top.object('reasoning')
  if (reasoning === null) return
  const [effort, summary] = [
    reasoning.string('effort'),
    reasoning.string('summary') ?? reasoning.string('generate_summary'),
  ]
  if (effort !== null && !EFFORTS.has(effort)) reasoning.refuse('effort', `it has no effort "${effort}"`)
  reasoning.end()
  if (effort === null && summary === null) return
  const isShown = summary === null ? null : summary !== 'none'
  settings.say('reasoning', { effort: effort as Effort | null, budgetTokens: null, isShown }, 'reasoning')
}

/** What else may be wanted is about tools that the provider runs, but for reasoning, which always comes. */
const INCLUDABLE: ReadonlySet<string> = new Set([
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
])

function readLogprobs(top: FieldReader, settings: RequestSettings): void {
  const [alternatives, include] = [top.number('top_logprobs'), top.strings('include') ?? []]
  for (const each of include) {
    if (INCLUDABLE.has(each)) top.notes.drop(`include.${each}`)
    else if (each !== LOGPROBS && each !== 'reasoning.encrypted_content') top.refuse('include', `it has no "${each}"`)
  }
  if (include.includes(LOGPROBS)) settings.say('logprobs', alternatives ?? 0, 'include')
  else settings.say('logprobs', unless(0, alternatives), 'top_logprobs')
}

const LOGPROBS = 'message.output_text.logprobs'
