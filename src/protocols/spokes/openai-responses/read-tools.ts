import type { FieldReader } from '../../hub/field-reader.ts'
import type { CustomTool, FunctionTool, ProviderTool, Tool } from '../../hub/neutral-request.ts'
import { clientRunTool, functionFor, TOOL_SEARCH, toolName } from './tool-names.ts'

/** Where a tool stands in a namespace, and what the first tool of one has to say about all of them. */
interface Within {
  readonly namespace: string
  readonly about: string | null
}

/**
 * The tools of one request: those in `tools`, those that Codex puts into items of the input, and those that a search of
 * the past has found. The last definition of a tool holds.
 */
export class RequestTools {
  readonly #own = new Map<string, FunctionTool | CustomTool>()
  readonly #hosted: ProviderTool[] = []

  get all(): readonly Tool[] {
    return [...this.#own.values(), ...this.#hosted]
  }

  /** Adds what stands in `tools` and returns the names. */
  addFrom(reader: FieldReader): readonly string[] {
    return (reader.objects('tools') ?? []).flatMap((tool) => this.#add(tool, null))
  }

  #add(tool: FieldReader, within: Within | null): readonly string[] {
    const type = tool.requiredString('type')
    if (type === 'namespace' && within === null) return this.#addNamespace(tool)
    if (type === 'function') return this.#addOwn(readFunction(tool, within), tool)
    if (type === 'custom') return this.#addOwn(readCustom(tool, within), tool)
    if (type === TOOL_SEARCH && tool.string('execution') === 'client') return this.#addOwn(readToolSearch(tool), tool)
    const clientRun = readClientRun(tool)
    if (clientRun !== null) return this.#addOwn(clientRun, tool)
    this.#hosted.push({ kind: 'hosted', name: type, at: tool.at })
    return [type]
  }

  #addNamespace(tool: FieldReader): readonly string[] {
    const [namespace, description] = [tool.requiredString('name'), tool.string('description')]
    const members = tool.objects('tools') ?? []
    tool.end()
    const about = description === null ? null : `About the tools whose names begin with ${namespace}: ${description}`
    return members.flatMap((member, i) => this.#add(member, { namespace, about: i === 0 ? about : null }))
  }

  #addOwn(own: FunctionTool | CustomTool, tool: FieldReader): readonly string[] {
    const before = this.#own.get(own.name)
    if (before !== undefined && before.inNamespace?.namespace !== own.inNamespace?.namespace) {
      tool.refuse('name', `there the tool would have the same name as another, "${own.name}"`)
    }
    this.#own.set(own.name, own)
    return [own.name]
  }
}

function readFunction(tool: FieldReader, within: Within | null): FunctionTool {
  const named = readNames(tool, within)
  const [schema, isStrict] = [tool.rawObject('parameters'), tool.boolean('strict')]
  return tool.ended({ kind: 'function', ...named, schema, isStrict, at: tool.at })
}

function readCustom(tool: FieldReader, within: Within | null): CustomTool {
  const named = readNames(tool, within)
  const format = tool.object('format')
  tool.end()
  return { kind: 'custom', ...named, grammar: format === null ? null : readGrammar(format), at: tool.at }
}

function readGrammar(format: FieldReader): CustomTool['grammar'] {
  const type = format.requiredString('type')
  if (type !== 'grammar' && type !== 'text') format.refuse('type', `it has no format of the type "${type}"`)
  return format.ended(
    type === 'text'
      ? null
      : { syntax: format.requiredString('syntax'), definition: format.requiredString('definition') },
  )
}

/** Null: another tool. */
function readClientRun(tool: FieldReader): FunctionTool | null {
  const definition = { type: tool.raw('type'), environment: tool.raw('environment') }
  const name = clientRunTool(definition)
  if (name === null) return null
  tool.end()
  return functionFor(name, definition, tool.at)
}

/** A search that the client itself runs is a function in all but its name. */
function readToolSearch(tool: FieldReader): FunctionTool {
  const [description, schema] = [tool.string('description'), tool.rawObject('parameters')]
  return tool.ended({ kind: 'function', name: TOOL_SEARCH, description, schema, isStrict: null, at: tool.at })
}

function readNames(
  tool: FieldReader,
  within: Within | null,
): Pick<FunctionTool, 'name' | 'description' | 'inNamespace'> {
  const [name, own] = [tool.requiredString('name'), tool.string('description')]
  if (within === null) return { name, description: own }
  const { namespace, about } = within
  const description = [own, about].filter((each) => each !== null && each !== '').join('\n\n') || null
  return { name: toolName(name, namespace), description, inNamespace: { namespace, name } }
}
