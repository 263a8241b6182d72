/** The agent model: calls one tool that reads a file, and quotes what the tool answered. */
import { exampleOf } from '../answer.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import type { CallableTool } from '../../../src/upstreams/demo/question.ts'
import type { Ask } from '../ask.ts'

/** More of a tool's result than this is not repeated. */
const MOST_QUOTED_CHARACTERS = 2_000

/** A user who says this gets a plain answer, though coding agents offer their tools with every call. */
const NO_TOOLS = /without (?:any )?tools/i

/** A file that a user speaks of. Agents speak of others (`.md`) in what they add themselves. */
const FILE = /(?:[\w.~-]*\/)*[\w-]+\.txt\b/g

interface AgentCall {
  readonly tool: CallableTool
  /** Arguments as JSON, or the text for a custom tool. */
  readonly input: string
}

/** The words of the agent. */
export interface Turn {
  /** Null: it does not think. */
  readonly thought: string | null
  readonly text: string
  readonly call: AgentCall | null
}

export function takeTurn(ask: Ask, { id, thinks }: { readonly id: string; readonly thinks: boolean }): Turn {
  const { toolResult, spoken } = ask
  const thought = thinks ? `Thought ${id}: what was asked is clear, and one step brings it.` : null
  if (toolResult !== null) {
    return { thought, text: `The tool said: ${toolResult.slice(0, MOST_QUOTED_CHARACTERS)}`, call: null }
  }
  const call = spoken.some((text) => NO_TOOLS.test(text)) ? null : chooseCall(ask)
  if (call !== null) return { thought, text: `I am going to use ${ownName(call.tool)}.`, call }
  return { thought, text: `Hello, I am the agent of the fake upstream, and this is a plain answer.`, call: null }
}

/** The name of a tool without the namespace that it stands in. */
function ownName({ inNamespace, name }: CallableTool): string {
  return inNamespace?.name ?? name
}

/** Names that coding agents give to tools, or a gateway with a namespace before them. A file's reader is tried before a shell. */
const WANTED = [
  /^(?:\w+__)?(?:read|read_?file|view)$/i,
  /^(?:\w+__)?(?:bash|shell|shell_command|exec_command|run_shell_command|exec)$/i,
]

function chooseCall({ tools, spoken }: Ask): AgentCall | null {
  const named = WANTED.map((wanted) => tools.find(({ name }) => wanted.test(name))).find((tool) => tool !== undefined)
  const tool = named ?? tools.find(({ kind }) => kind === 'function')
  if (tool === undefined) return null
  const file = spoken.flatMap((text) => text.match(FILE) ?? []).at(-1) ?? 'note.txt'
  return { tool, input: tool.kind === 'custom' ? script(file) : JSON.stringify(argumentsOf(tool, file)) }
}

/** A command in the JavaScript in which Codex lets newer models run them. */
function script(file: string): string {
  return `const result = await tools.exec_command({ cmd: ${JSON.stringify(`cat ${file}`)} });\ntext(result.output);`
}

const PATHS = /^(?:file_?path|absolute_path|target_file|path|file|filename)$/i
const COMMANDS = /^(?:command|cmd)$/i

/** What is required, and the path or the command even where it is not. */
function argumentsOf(tool: Extract<CallableTool, { kind: 'function' }>, file: string): JsonFields {
  const properties = objectOf(tool.schema?.['properties'])
  const required = listOf(tool.schema?.['required']).map(String)
  const names = Object.keys(properties)
  const main = names.find((name) => COMMANDS.test(name)) ?? names.find((name) => PATHS.test(name)) ?? names[0]
  const filled = [...new Set([...required, ...(main === undefined ? [] : [main])])]
  return Object.fromEntries(filled.map((name) => [name, valueOf(name, objectOf(properties[name]), { tool, file })]))
}

function valueOf(name: string, schema: JsonFields, about: { tool: CallableTool; file: string }): unknown {
  const { tool, file } = about
  // A wrapped custom tool takes its text in one string.
  if (name === 'input' && tool.name.endsWith('exec')) return script(file)
  if (PATHS.test(name)) return file
  if (COMMANDS.test(name)) return isList(schema) ? ['cat', file] : `cat ${file}`
  if (name === 'description') return 'Reads the file'
  return exampleOf(schema)
}

function isList(schema: JsonFields): boolean {
  return stringOf(schema['type']).toLowerCase() === 'array'
}
