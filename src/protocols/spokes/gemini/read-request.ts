import { FieldReader, missing, wrongKind } from '../../hub/field-reader.ts'
import { isObject, type JsonObject } from '../../json/json-object.ts'
import type { FunctionTool, NeutralRequest, SystemTurn, TextPart, Tool, ToolChoice } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { type Effort, type OutputFormat, type Reasoning, RequestSettings } from '../../hub/request-settings.ts'
import { withCamelNames } from './camel-names.ts'
import { readContents } from './read-contents.ts'

/** See Spoke. Model and stream stand in this wire's path. */
export function readRequest(json: JsonObject, notes: Notes): NeutralRequest {
  const asked = new FieldReader(withCamelNames(json), '', notes)
  // A request to count tokens may hold the whole request that is meant.
  const inner = asked.object('generateContentRequest')
  if (inner !== null) asked.end()
  const body = inner ?? asked
  body.raw('model')
  const settings = new RequestSettings()
  const system = readSystem(body)
  const contents = body.objects('contents')
  if (contents === null) throw missing(body.path('contents'), 'a list')
  const turns = readContents(contents)
  const tools = readTools(body)
  const toolChoice = readToolConfig(body)
  readGenerationConfig(body, settings)
  settings.say('serviceClass', serviceClass(body), body.path('serviceTier'))
  if (body.string('cachedContent') !== null) {
    body.refuse('cachedContent', 'what was stored at Google is not there; send the content itself')
  }
  return body.ended({ turns: system === null ? turns : [system, ...turns], tools, toolChoice, settings })
}

function readSystem(body: FieldReader): SystemTurn | null {
  const content = body.object('systemInstruction')
  if (content === null) return null
  content.raw('role')
  const parts = (content.objects('parts') ?? []).map((part): TextPart => {
    const text = part.requiredString('text')
    return part.ended({ kind: 'text', text, at: part.at })
  })
  content.end()
  return { role: 'system', parts: parts.filter(({ text }) => text !== ''), at: content.at }
}

function serviceClass(body: FieldReader): string | null {
  const wanted = body.string('serviceTier')?.toLowerCase() ?? null
  return wanted === 'standard' || wanted === 'unspecified' || wanted === '' ? null : wanted
}

/**
 * Reads `generationConfig`. What Gemini does by itself says nothing: Gemini CLI sends all of it with every request, and
 * models of other providers refuse some of it.
 */
function readGenerationConfig(body: FieldReader, settings: RequestSettings): void {
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

/** Functions of all entries of the list, and the tools that Google runs, which have an entry or a field each. */
function readTools(body: FieldReader): readonly Tool[] {
  return (body.list('tools') ?? []).flatMap((entry, i) => {
    const at = `${body.path('tools')}[${i}]`
    if (!isObject(entry)) throw wrongKind(at, 'an object')
    const tool = new FieldReader(entry, at, body.notes)
    const functions = (tool.objects('functionDeclarations') ?? []).map(readFunction)
    const hosted = Object.entries(entry).filter(([name, value]) => name !== 'functionDeclarations' && value !== null)
    return [...functions, ...hosted.map(([name]): Tool => ({ kind: 'hosted', name, at: tool.path(name) }))]
  })
}

function readFunction(declaration: FieldReader): FunctionTool {
  const openApi = declaration.rawObject('parameters')
  const schema = declaration.rawObject('parametersJsonSchema') ?? (openApi === null ? null : readJsonSchema(openApi))
  const behavior = declaration.string('behavior')
  if (behavior === 'NON_BLOCKING') declaration.refuse('behavior', 'its models wait for the results of calls')
  return declaration.ended({
    kind: 'function',
    name: declaration.requiredString('name'),
    description: declaration.string('description'),
    schema,
    isStrict: null,
    at: declaration.at,
  })
}

/** `toolConfig`: which functions may or must be called. */
function readToolConfig(body: FieldReader): ToolChoice | null {
  const config = body.object('toolConfig')
  if (config === null) return null
  const calling = config.object('functionCallingConfig')
  return config.ended(calling === null ? null : readCalling(calling))
}

function readCalling(calling: FieldReader): ToolChoice | null {
  const { at } = calling
  const mode = calling.string('mode')?.toUpperCase() ?? 'AUTO'
  const names = calling.strings('allowedFunctionNames') ?? []
  if (mode === 'VALIDATED') calling.notes.drop(calling.path('mode'))
  calling.end()
  const [only] = names
  switch (mode) {
    case 'NONE':
      return { kind: 'none', at }
    case 'ANY':
      if (only !== undefined && names.length === 1) return { kind: 'one', name: only, at }
      return names.length === 0 ? { kind: 'required', at } : { kind: 'some', names, isRequired: true, at }
    case 'AUTO':
    case 'MODE_UNSPECIFIED':
    case 'VALIDATED':
      return names.length === 0 ? { kind: 'auto', at } : { kind: 'some', names, isRequired: false, at }
    default:
      throw wrongKind(calling.path('mode'), '"AUTO", "ANY", "NONE" or "VALIDATED"')
  }
}

/**
 * Google's `Schema`, a part of OpenAPI 3.0 with types in capitals and 64-bit numbers as strings, as JSON Schema. What it
 * does not know it takes over as it is, since clients send JSON Schema in its place.
 */
function readJsonSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([field, value]): [string, unknown] => {
    const name = Object.hasOwn(NAMES, field) ? (NAMES[field] ?? field) : field
    if (name === 'example') return ['examples', [value]]
    return [name, name === 'type' ? typeOf(value) : readField(name, value)]
  })
  const read: JsonObject = Object.fromEntries(entries.filter(([name, value]) => value !== null && !DROPPED.has(name)))
  return schema['nullable'] === true ? withNull(read) : read
}

const NAMES: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  one_of: 'oneOf',
  all_of: 'allOf',
  additional_properties: 'additionalProperties',
  property_ordering: 'propertyOrdering',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_length: 'maxLength',
  min_length: 'minLength',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
}

/** `nullable` is read apart; JSON keeps its order by itself. */
const DROPPED = new Set(['nullable', 'propertyOrdering'])
const COUNTS = new Set(['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const MAPS = new Set(['properties', '$defs', 'defs', 'definitions'])
const SCHEMAS = new Set(['items', 'additionalProperties', 'not'])

function readField(name: string, value: unknown): unknown {
  if (COUNTS.has(name)) return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (LISTS.has(name) && Array.isArray(value)) return value.map(readValue)
  if (SCHEMAS.has(name)) return readValue(value)
  if (!MAPS.has(name) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readValue(each)]))
}

function readValue(value: unknown): unknown {
  return isObject(value) ? readJsonSchema(value) : value
}

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typeOf)
  if (typeof value !== 'string') return value
  return value === 'TYPE_UNSPECIFIED' ? null : value.toLowerCase()
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  const nullable = Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}
  if (typeof type === 'string') return { ...schema, type: [type, 'null'], ...nullable }
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] }
  return { ...schema, ...nullable }
}
