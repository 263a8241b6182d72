import type { ModelFacts } from '../../models/facts.ts'
import type { ContentPart, FunctionTool, NeutralRequest, Tool, Turn, UserPart } from './neutral-request.ts'
import type { Notes } from './notes.ts'
import { outputSchema } from './output-format.ts'
import { toolSchema } from './tool-schema.ts'

/**
 * The request as a model with these facts takes it, whatever wire it is written on. Throws the fault `request_invalid` for
 * content that the model takes in no form.
 */
export function fitToModel(request: NeutralRequest, facts: ModelFacts, notes: Notes): NeutralRequest {
  const tools = fittedTools(request, facts, notes)
  refusePictures(request.turns, facts, notes)
  const turns = facts.prefill === 'refused' ? withUserAtEnd(request.turns, notes) : request.turns
  return { ...request, tools, turns }
}

function fittedTools({ tools }: NeutralRequest, facts: ModelFacts, notes: Notes): readonly Tool[] {
  if (tools.length > facts.most_tools) {
    const most = facts.most_tools === 0 ? 'no tools' : `${facts.most_tools} tools at most`
    return notes.refuse('tools', `the model takes ${most}`)
  }
  const strict = tools.filter((tool) => tool.kind === 'function' && tool.isStrict === true)
  const mayBeStrict = facts.strict_tools && strict.length <= facts.most_strict_tools
  return tools.map((tool) => (tool.kind === 'function' ? fittedTool(tool, { facts, mayBeStrict, notes }) : tool))
}

interface ToolContext {
  readonly facts: ModelFacts
  readonly mayBeStrict: boolean
  readonly notes: Notes
}

function fittedTool(tool: FunctionTool, { facts, mayBeStrict, notes }: ToolContext): FunctionTool {
  const isLoosened = tool.isStrict === true && !mayBeStrict
  if (isLoosened) notes.drop(`${tool.at}.strict`)
  const isStrict = isLoosened ? null : tool.isStrict
  if (tool.schema === null) return isLoosened ? { ...tool, isStrict } : tool
  let schema = toolSchema(tool.schema, facts.tool_schema)
  if (isStrict === true) {
    const rules = { bounds: facts.schema_bounds, openObjects: facts.open_objects }
    schema = outputSchema(schema, rules, () => notes.drop(`${tool.at}.additionalProperties`))
  }
  return schema === tool.schema && !isLoosened ? tool : { ...tool, schema, isStrict }
}

function refusePictures(turns: readonly Turn[], facts: ModelFacts, notes: Notes): void {
  for (const turn of turns) {
    if (turn.role !== 'user') continue
    for (const part of turn.parts) for (const each of contentOf(part)) refusePicture(each, facts, notes)
  }
}

function contentOf(part: UserPart): readonly ContentPart[] {
  return part.kind === 'tool_result' ? part.parts : [part]
}

function refusePicture(part: ContentPart, { image_types: types }: ModelFacts, notes: Notes): void {
  if (part.kind !== 'image') return
  if (types.length === 0) notes.refuse(part.at, 'the model takes no pictures', OTHER_MODEL)
  const { source } = part
  if (source.kind === 'url' || types.some((type) => type === source.mediaType.toLowerCase())) return
  notes.refuse(part.at, `the model takes pictures as ${types.join(', ')}`, 'Send it in one of these.')
}

const OTHER_MODEL = 'Leave it out, or use a model that takes pictures.'

/** What the user says for the model to go on with an answer that it is not given the beginning of. */
const GO_ON = 'Continue your last message exactly where it ends.'

/** A conversation that ends with the assistant, for a model that wants the user's words last. Calls of tools stay open. */
function withUserAtEnd(turns: readonly Turn[], notes: Notes): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.parts.some((part) => part.kind === 'tool_call')) return turns
  notes.drop(`${last.at}.prefill`)
  return [...turns, { role: 'user', parts: [{ kind: 'text', text: GO_ON, at: last.at }], at: last.at }]
}
