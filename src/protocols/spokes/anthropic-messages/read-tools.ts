import { type FieldReader, missing, wrongKind } from '../../hub/field-reader.ts'
import type { FunctionTool, ProviderTool, Tool, ToolChoice } from '../../hub/neutral-request.ts'
import { readCacheMark } from './blocks.ts'
import { keepsToStrictRules } from './strict-schema.ts'
import type { RequestSettings } from '../../hub/request-settings.ts'

/** The tools of a request: those of its list, as system messages changed them later on. */
export class OfferedTools {
  /** All that were ever defined, by the name that calls have. */
  readonly #defined = new Map<string, Tool>()
  readonly #offered = new Set<string>()

  constructor(body: FieldReader) {
    for (const tool of body.objects('tools') ?? []) this.#define(tool)
    for (const server of body.objects('mcp_servers') ?? []) {
      const name = server.string('name') ?? ''
      this.#offer(`mcp_servers.${name}`, { kind: 'hosted', name: 'mcp_server', at: server.at })
    }
  }

  get list(): readonly Tool[] {
    return [...this.#offered].flatMap((name) => this.#defined.get(name) ?? [])
  }

  /** The name in the neutral form of what this wire calls so: a hosted tool goes by its type there. */
  nameOf(name: string): string {
    return this.#defined.get(name)?.name ?? name
  }

  /** Reads a block that adds a tool to the list from here on, or takes one out. */
  change(block: FieldReader, type: string): void {
    if (type !== 'tool_addition' && type !== 'tool_removal') {
      block.refuse('type', `it has no blocks of type "${type}" in system messages`)
    }
    const tool = block.object('tool')
    if (tool === null) throw missing(block.path('tool'), 'an object')
    const definition = tool.object('definition')
    const name = tool.string('name') ?? ''
    if (definition !== null) this.#define(definition)
    else if (tool.raw('type') !== 'tool_reference') block.notes.drop(tool.at)
    else if (type === 'tool_removal') this.#offered.delete(name)
    else if (this.#defined.has(name)) this.#offered.add(name)
    readCacheMark(block)
  }

  #define(tool: FieldReader): void {
    const type = tool.string('type') ?? 'custom'
    const name = tool.string('name') ?? type
    this.#offer(name, type === 'custom' ? functionTool(tool) : providersTool(tool, type))
  }

  #offer(name: string, tool: Tool): void {
    this.#defined.set(name, tool)
    this.#offered.add(name)
  }
}

function functionTool(tool: FieldReader): FunctionTool {
  const schema = tool.rawObject('input_schema')
  if (schema === null) throw missing(tool.path('input_schema'), 'a JSON schema')
  const strict = tool.boolean('strict')
  const isStrict = strict === true && !keepsToStrictRules(schema) ? null : strict
  if (isStrict !== strict) tool.notes.drop(tool.path('strict'))
  return tool.ended({
    kind: 'function',
    name: tool.requiredString('name'),
    description: tool.string('description'),
    schema,
    isStrict,
    at: tool.at,
    ...readCacheMark(tool),
  })
}

/** Tools that the client runs, but whose schema only Anthropic's models know. */
const RUN_BY_CLIENT = /^(?:bash|text_editor|computer|memory|browser_toolset|computer_toolset)_\d/

/** A tool with a date in its type. One of the type `function` is another wire’s, and no tool that a provider runs. */
function providersTool(tool: FieldReader, type: string): ProviderTool {
  if (type === 'function') tool.refuse('type', 'it has no tools of this type')
  if (RUN_BY_CLIENT.test(type)) {
    tool.dropOrRefuse(
      'type',
      `only Anthropic’s models know the tool "${type}"; define one with an \`input_schema\` in its place`,
    )
  }
  return { kind: 'hosted', name: type, at: tool.at }
}

/** `tool_choice`, which also says whether several tools may be called at once. */
export function readToolChoice(body: FieldReader, tools: OfferedTools, settings: RequestSettings): ToolChoice | null {
  const choice = body.object('tool_choice')
  if (choice === null) return null
  const parallel = choice.boolean('disable_parallel_tool_use') === true ? false : null
  settings.say('parallelToolCalls', parallel, choice.path('disable_parallel_tool_use'))
  const type = choice.requiredString('type')
  const name = type === 'tool' ? choice.requiredString('name') : ''
  choice.end()
  const { at } = choice
  switch (type) {
    case 'auto':
    case 'none':
      return { kind: type, at }
    case 'any':
      return { kind: 'required', at }
    case 'tool':
      return { kind: 'one', name: tools.nameOf(name), at }
    default:
      throw wrongKind(choice.path('type'), '"auto", "any", "tool" or "none"')
  }
}
