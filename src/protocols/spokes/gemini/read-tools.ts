import { FieldReader, wrongKind } from '../../hub/field-reader.ts'
import { isObject } from '../../json/json-object.ts'
import type { FunctionTool, Tool, ToolChoice } from '../../hub/neutral-request.ts'
import { readJsonSchema } from './read-json-schema.ts'

/** Functions of all entries of the list, and the tools that Google runs, which have an entry or a field each. */
export function readTools(body: FieldReader): readonly Tool[] {
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
  const tool: FunctionTool = {
    kind: 'function',
    name: declaration.requiredString('name'),
    description: declaration.string('description'),
    schema,
    isStrict: null,
    at: declaration.at,
  }
  declaration.end()
  return tool
}

/** `toolConfig`: which functions may or must be called. */
export function readToolConfig(body: FieldReader): ToolChoice | null {
  const config = body.object('toolConfig')
  if (config === null) return null
  const calling = config.object('functionCallingConfig')
  const choice = calling === null ? null : readCalling(calling)
  config.end()
  return choice
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
