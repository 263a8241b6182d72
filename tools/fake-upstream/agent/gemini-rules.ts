/** What Google refuses of a request to Gemini, in its words. */
import type { Refusal } from '../failures.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { fields, findStranger } from './shape.ts'
import type { Shape } from './shape.ts'
import { isGenuine } from './signature.ts'

/** The first rule that is broken; null when there is none. */
export function judgeGemini(request: JsonFields): Refusal | null {
  const rules = [judgeFields, judgeTools, judgeContents, judgeTurns, judgeSignatures]
  for (const rule of rules) {
    const message = rule(request)
    if (message !== null) return { message }
  }
  return null
}

type Rule = (request: JsonFields) => string | null

const PART: Shape = {
  ...fields('text thought thoughtSignature fileData executableCode codeExecutionResult videoMetadata'),
  ...fields('mediaResolution partMetadata'),
  inlineData: fields('mimeType data displayName'),
  functionCall: fields('id name args'),
  functionResponse: { ...fields('id name response willContinue scheduling'), parts: true },
}

const CONTENT: Shape = { ...fields('role'), parts: PART }

/** Google's own schema language: not all of JSON Schema. `properties` are looked into by `judgeTools`. */
const SCHEMA_FIELDS = Object.keys({
  ...fields('type format title description nullable enum maxItems minItems properties required minProperties'),
  ...fields('maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum'),
  ...fields('maximum'),
})

const GENERATION: Shape = {
  ...fields('stopSequences responseMimeType responseJsonSchema responseModalities candidateCount seed'),
  ...fields('maxOutputTokens temperature topP topK presencePenalty frequencyPenalty responseLogprobs'),
  ...fields('logprobs enableEnhancedCivicAnswers speechConfig imageConfig mediaResolution responseSchema'),
  thinkingConfig: fields('includeThoughts thinkingBudget thinkingLevel'),
}

const REQUEST: Shape = {
  ...fields('safetySettings cachedContent labels model serviceTier store'),
  contents: CONTENT,
  systemInstruction: CONTENT,
  generationConfig: GENERATION,
  toolConfig: {
    functionCallingConfig: fields('mode allowedFunctionNames'),
    ...fields('retrievalConfig includeServerSideToolInvocations'),
  },
  tools: {
    ...fields('googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch'),
    ...fields('googleMaps mcpServers'),
    functionDeclarations: fields(
      'name description behavior parameters parametersJsonSchema response responseJsonSchema',
    ),
  },
}

const judgeFields: Rule = (request) => {
  const stranger = findStranger(request, REQUEST)
  return stranger === null ? null : unknownName(stranger.name, stranger.within)
}

function unknownName(name: string, within: string): string {
  const place = within === '' ? '' : ` at '${within}'`
  return `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`
}

const judgeTools: Rule = (request) => {
  const declared = listOf(request['tools']).flatMap((tool) => listOf(objectOf(tool)['functionDeclarations']))
  const names = new Set<string>()
  for (const [index, one] of declared.map(objectOf).entries()) {
    const name = stringOf(one['name'])
    if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)) {
      return `* GenerateContentRequest.tools[0].function_declarations[${index}].name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`
    }
    if (names.has(name)) return `Duplicate function declaration found: ${name}`
    names.add(name)
    if (one['parameters'] !== undefined && one['parametersJsonSchema'] !== undefined) {
      return '`parameters` and `parameters_json_schema` are mutually exclusive.'
    }
    const place = `tools[0].function_declarations[${index}].parameters`
    const problem = schemaProblem(one['parameters'], place)
    if (problem !== null) return problem
  }
  return null
}

/** The first field of a schema in Google's language that it doesn't have. Bounded by the depth of the JSON. */
function schemaProblem(schema: unknown, place: string): string | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return null
  const known = objectOf(schema)
  const unknown = Object.keys(known).find((name) => !SCHEMA_FIELDS.includes(name))
  if (unknown !== undefined) return unknownName(unknown, place)
  if (Array.isArray(known['type']))
    return `Invalid value at '${place}.type' (type): Proto field is not repeating, cannot start list.`
  const below = [
    ...Object.entries(objectOf(known['properties'])).map(
      ([name, one]) => [one, `${place}.properties[${name}].value`] as const,
    ),
    [known['items'], `${place}.items`] as const,
    ...listOf(known['anyOf']).map((one, index) => [one, `${place}.any_of[${index}]`] as const),
  ]
  for (const [one, at] of below) {
    const problem = schemaProblem(one, at)
    if (problem !== null) return problem
  }
  return null
}

const judgeContents: Rule = (request) => {
  const contents = listOf(request['contents']).map(objectOf)
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified'
  for (const [index, content] of contents.entries()) {
    const role = content['role'] ?? 'user'
    if (role !== 'user' && role !== 'model' && role !== 'function') return 'Please use a valid role: user, model.'
    const parts = listOf(content['parts']).map(objectOf)
    if (parts.length === 0)
      return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`
    for (const [at, part] of parts.entries()) {
      const data = Object.keys(part).filter((name) => DATA.includes(name))
      if (data.length !== 1)
        return `* GenerateContentRequest.contents[${index}].parts[${at}].data: required oneof field 'data' must have one initialized field`
      const { args = {} } = objectOf(part['functionCall'])
      const { response = {} } = objectOf(part['functionResponse'])
      if (!isStruct(args) || !isStruct(response))
        return `Invalid value at 'contents[${index}].parts[${at}]' (type.googleapis.com/google.protobuf.Struct)`
    }
  }
  const system = listOf(objectOf(request['systemInstruction'])['parts']).map(objectOf)
  return system.some((part) => typeof part['text'] !== 'string') ? 'System instruction must be text.' : null
}

const DATA = [
  'text',
  'inlineData',
  'functionCall',
  'functionResponse',
  'fileData',
  'executableCode',
  'codeExecutionResult',
]

function isStruct(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const judgeTurns: Rule = (request) => {
  const contents = merged(request)
  if (contents[0]?.role === 'model') return 'Please ensure that multiturn requests begin with a user turn.'
  for (const [index, { parts }] of contents.entries()) {
    const calls = namesIn(parts, 'functionCall')
    const results = namesIn(parts, 'functionResponse')
    const asked = namesIn(contents[index - 1]?.parts ?? [], 'functionCall')
    if (calls.length > 0 && contents[index - 1]?.role !== 'user') {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    }
    if (results.length > 0 && asked.length === 0) {
      return 'Please ensure that function response turn comes immediately after a function call turn.'
    }
    if (results.length !== asked.length) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    }
    if (results.some((name) => !asked.includes(name))) {
      return `Please ensure that function response names match the function call names: ${results.join(', ')}`
    }
  }
  const open = namesIn(contents.at(-1)?.parts ?? [], 'functionCall')
  return open.length === 0
    ? null
    : 'Please ensure that single turn requests end with a user role or the role field is empty.'
}

interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: JsonFields[]
}

/** Contents of one side that follow each other are one turn. */
function merged(request: JsonFields): Turn[] {
  const turns: Turn[] = []
  for (const content of listOf(request['contents']).map(objectOf)) {
    const role = content['role'] === 'model' ? 'model' : 'user'
    const parts = listOf(content['parts']).map(objectOf)
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts: [...parts] })
  }
  return turns
}

function namesIn(parts: readonly JsonFields[], field: string): string[] {
  return parts.filter((part) => part[field] !== undefined).map((part) => stringOf(objectOf(part[field])['name']))
}

/** What Google's documentation gives for calls that another model made. */
const WAIVERS = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** The first call of each step since the user last spoke needs its signature; none anywhere may be broken. */
const judgeSignatures: Rule = (request) => {
  const turns = merged(request)
  const spoken = turns.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some((part) => part['functionResponse'] === undefined),
  )
  for (const [index, { role, parts }] of turns.entries()) {
    for (const part of parts) {
      const signature = part['thoughtSignature']
      if (signature === undefined) continue
      const known = typeof signature === 'string' && (WAIVERS.includes(signature) || isGenuine('gemini', signature))
      if (!known) return 'Corrupted thought signature.'
    }
    const first = parts.find((part) => part['functionCall'] !== undefined)
    if (role !== 'model' || index < spoken || first === undefined || first['thoughtSignature'] !== undefined) continue
    const name = stringOf(objectOf(first['functionCall'])['name'])
    return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`
  }
  return null
}
