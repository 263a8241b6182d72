import { FieldReader } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, Tool, ToolChoice, Turn } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { readInput } from './read-input.ts'
import { RequestTools } from './read-tools.ts'
import { type Effort, type OutputFormat, RequestSettings } from '../../hub/request-settings.ts'
import { toolName } from './tool-names.ts'

/**
 * Reads the body of `POST /v1/responses`. The fields are those of openai-node's `ResponseCreateParams`, of the Open Responses
 * specification, and what Codex sends beside them.
 */
export function readRequest(body: JsonObject, notes: Notes): NeutralRequest {
  const top = new FieldReader(body, '', notes)
  for (const field of READ_BEFORE) top.raw(field)
  for (const [field, why] of STATEFUL) if (top.raw(field) !== null) top.refuse(field, why)
  const settings = readSettings(top)
  const tools = new RequestTools()
  tools.addFrom(top)
  const turns = [...readInstructions(top), ...readInput(top, tools)]
  const toolChoice = readToolChoice(top, tools.all)
  return top.ended({ turns, tools: tools.all, toolChoice, settings })
}

/** What the request's head has; `background` is refused there. */
const READ_BEFORE = ['model', 'stream', 'background']

const NOTHING_KEPT = 'it keeps nothing between two requests, so the whole conversation has to be sent each time'

const STATEFUL = [
  ['previous_response_id', NOTHING_KEPT],
  ['conversation', NOTHING_KEPT],
  ['prompt', 'it keeps no prompts, so the text itself has to be sent'],
] as const

function readInstructions(top: FieldReader): readonly Turn[] {
  const text = top.string('instructions')
  if (text === null || text === '') return []
  return [{ role: 'system', parts: [{ kind: 'text', text, at: 'instructions' }], at: 'instructions' }]
}

/** Everything a request sets beside its conversation and tools. What says no more than the default is not said. */
function readSettings(top: FieldReader): RequestSettings {
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
  return format.ended({ kind: 'schema', name, description, schema, isStrict })
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

/** `tool_choice`: a word, one tool, or a list of allowed ones. Null where the model is free, as it is unasked. */
function readToolChoice(top: FieldReader, tools: readonly Tool[]): ToolChoice | null {
  const value = top.raw('tool_choice')
  if (value === null || value === 'auto') return null
  const at = top.path('tool_choice')
  if (value === 'none' || value === 'required') return { kind: value, at }
  if (typeof value === 'string') return top.refuse('tool_choice', `it has no choice "${value}"`)
  const choice = new FieldReader(value, at, top.notes)
  if (choice.string('type') === 'allowed_tools') return readAllowed(choice, tools)
  const names = namesOf(choice, tools)
  const only = names.length === 1 ? names[0] : undefined
  return only === undefined ? { kind: 'some', names, isRequired: true, at } : { kind: 'one', name: only, at }
}

function readAllowed(choice: FieldReader, tools: readonly Tool[]): ToolChoice {
  const mode = choice.string('mode')
  const names = (choice.objects('tools') ?? []).flatMap((each) => namesOf(each, tools))
  return choice.ended({ kind: 'some', names, isRequired: mode === 'required', at: choice.at })
}

/** The tools that one choice means: a named one, all of a namespace, or one that its provider runs, by its type. */
function namesOf(choice: FieldReader, tools: readonly Tool[]): readonly string[] {
  const type = choice.requiredString('type')
  if (type !== 'function' && type !== 'custom' && type !== 'namespace') return [type]
  const [name, namespace] = [choice.requiredString('name'), choice.string('namespace')]
  choice.end()
  if (type !== 'namespace') return [toolName(name, namespace)]
  return tools.flatMap((tool) => (tool.kind !== 'hosted' && tool.inNamespace?.namespace === name ? [tool.name] : []))
}
