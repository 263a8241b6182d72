import { wrongKind, type FieldReader } from '../../hub/field-reader.ts'
import type { CustomTool, FunctionTool, ProviderTool, Tool, ToolChoice } from '../../hub/neutral-request.ts'
import { readCache } from './read-content.ts'

/** The tools of a request and which of them must or may be called, in today's form and in that of 2023 (`functions`). */
export function readTools(fields: FieldReader): {
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice | null
} {
  const tools = (fields.objects('tools') ?? []).map((tool) => {
    const read = readTool(tool)
    // The fields of a hosted tool are its provider's affair.
    if (read.kind !== 'hosted') tool.end()
    return read
  })
  const functions = (fields.objects('functions') ?? []).map((tool) => readFunction(tool, tool))
  return {
    tools: [...tools, ...functions, ...readSearch(fields)],
    toolChoice: readChoice(fields) ?? readLegacyChoice(fields),
  }
}

function readTool(tool: FieldReader): Tool {
  const type = tool.string('type') ?? 'function'
  if (type === 'function') return readFunction(tool, required(tool, 'function'))
  if (type === 'custom') return readCustom(tool, required(tool, 'custom'))
  return { kind: 'hosted', name: type.slice(0, 64), at: tool.at }
}

function readFunction(tool: FieldReader, body: FieldReader): FunctionTool {
  const cache = readCache(tool)
  return body.ended({
    kind: 'function',
    name: body.requiredString('name'),
    description: body.string('description'),
    schema: body.rawObject('parameters'),
    isStrict: body.boolean('strict'),
    at: tool.at,
    ...(cache === null ? {} : { cache }),
  })
}

function readCustom(tool: FieldReader, body: FieldReader): CustomTool {
  const format = body.object('format')
  const grammar = format?.requiredString('type') === 'grammar' ? required(format, 'grammar') : null
  format?.end()
  const read: CustomTool = {
    kind: 'custom',
    name: body.requiredString('name'),
    description: body.string('description'),
    grammar:
      grammar === null
        ? null
        : { syntax: grammar.requiredString('syntax'), definition: grammar.requiredString('definition') },
    at: tool.at,
  }
  grammar?.end()
  body.end()
  return read
}

/** A search by the provider: OpenAI's and xAI's requests have it beside the tools. */
function readSearch(fields: FieldReader): readonly ProviderTool[] {
  const found: ProviderTool[] = []
  if (fields.rawObject('web_search_options') !== null) {
    found.push({ kind: 'hosted', name: 'web_search_options', at: 'web_search_options' })
  }
  const search = fields.rawObject('search_parameters')
  if (search !== null && search['mode'] !== 'off') {
    found.push({ kind: 'hosted', name: 'search_parameters', at: 'search_parameters' })
  }
  return found
}

function readChoice(fields: FieldReader): ToolChoice | null {
  const at = 'tool_choice'
  const choice = fields.raw(at)
  if (choice === null || choice === 'auto') return null
  if (choice === 'none') return { kind: 'none', at }
  // `any` is Mistral's word for it.
  if (choice === 'required' || choice === 'any') return { kind: 'required', at }
  if (typeof choice === 'string') throw wrongKind(at, 'none, auto, required or an object')
  const named = required(fields, at)
  const type = named.requiredString('type')
  if (type === 'allowed_tools') return readAllowed(named)
  if (type !== 'function' && type !== 'custom') return named.refuse('type', 'it has no such choice')
  return named.ended({ kind: 'one', name: nameIn(named, type), at })
}

function readAllowed(choice: FieldReader): ToolChoice {
  const allowed = required(choice, 'allowed_tools')
  const mode = allowed.requiredString('mode')
  const names = (allowed.objects('tools') ?? []).map((tool) => {
    const type = tool.requiredString('type')
    if (type !== 'function' && type !== 'custom') tool.refuse('type', 'it has no such tool')
    return tool.ended(nameIn(tool, type))
  })
  allowed.end()
  return choice.ended({ kind: 'some', names, isRequired: mode === 'required', at: choice.at })
}

function readLegacyChoice(fields: FieldReader): ToolChoice | null {
  const at = 'function_call'
  const choice = fields.raw(at)
  if (choice === null || choice === 'auto') return null
  if (choice === 'none') return { kind: 'none', at }
  if (typeof choice === 'string') throw wrongKind(at, 'none, auto or an object')
  const named = required(fields, at)
  return named.ended({ kind: 'one', name: named.requiredString('name'), at })
}

function nameIn(fields: FieldReader, type: string): string {
  const body = required(fields, type)
  return body.ended(body.requiredString('name'))
}

function required(fields: FieldReader, name: string): FieldReader {
  const found = fields.object(name)
  if (found === null) throw wrongKind(fields.path(name), 'an object')
  return found
}
