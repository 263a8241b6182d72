import { fieldsOf, type JsonObject, listOf, parseOrUndefined, textOf } from '../../json/json-object.ts'
import type { FunctionTool, Tool } from '../../hub/neutral-request.ts'

/** The type of Codex's search for tools, and the name that it has as a function. */
export const TOOL_SEARCH = 'tool_search'

/** One name for a tool in a namespace, as models know it that have no namespaces. */
export function toolName(name: string, namespace: string | null): string {
  if (namespace === null) return name
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`
}

/** How the client itself knows a tool that the model calls. */
export interface ClientTool {
  readonly name: string
  readonly namespace: string | null
  /** The items that it is called by have a type of their own. */
  readonly kind: 'plain' | typeof TOOL_SEARCH | ClientRunTool
  /**
   * OpenAI would encrypt some of its arguments for Codex, which has to learn that they are not: it takes them for cipher
   * text otherwise.
   */
  readonly hasSecretArguments: boolean
}

/** The client's tools by the one name that they have elsewhere. */
export function clientTools(tools: readonly Tool[], asked: JsonObject): ReadonlyMap<string, ClientTool> {
  const kinds = new Map(askedTools(asked).flatMap((tool) => kindOf(fieldsOf(tool)) ?? []))
  const known = new Map<string, ClientTool>()
  for (const tool of tools) {
    if (tool.kind === 'hosted') continue
    known.set(tool.name, {
      name: tool.inNamespace?.name ?? tool.name,
      namespace: tool.inNamespace?.namespace ?? null,
      kind: (tool.kind === 'function' ? kinds.get(tool.name) : undefined) ?? 'plain',
      hasSecretArguments: tool.kind === 'function' && hasSecrets(tool),
    })
  }
  return known
}

/** A tool that is defined by its type alone, by the name that it has as a function. Null: another. */
function kindOf(tool: JsonObject): readonly [string, ClientTool['kind']][] | null {
  const { type, execution } = tool
  const kind = type === TOOL_SEARCH && execution === 'client' ? type : clientRunTool(tool)
  return kind === null ? null : [[kind, kind]]
}

/** The items of an input that bring tools, for the answer to be written by. */
export function toolsInInput(input: unknown): readonly unknown[] {
  return listOf(input).filter((item) => fieldsOf(item)['type'] === 'additional_tools')
}

/** `tools`, and those in items of the input. */
function askedTools({ tools, input }: JsonObject): readonly unknown[] {
  return [tools, ...toolsInInput(input).map((item) => fieldsOf(item)['tools'])].flatMap(listOf)
}

function hasSecrets({ schema }: FunctionTool): boolean {
  return Object.values(fieldsOf(schema?.['properties'])).some((property) => fieldsOf(property)['encrypted'] === true)
}

/**
 * Tools that OpenAI defines by their type alone and the client runs itself: patches of files and commands of a shell. Models
 * of other providers get each as a function, by the same name and with what it is to do as its arguments; what they call
 * reaches the client as the item that it knows (openai-node 7, `ResponseApplyPatchToolCall` and the like).
 */
export type ClientRunTool = 'apply_patch' | 'local_shell' | 'shell'

/** The tool that a definition in a request means; null: another, or a shell that runs in the provider's container. */
export function clientRunTool({ type, environment }: JsonObject): ClientRunTool | null {
  if (type === 'apply_patch' || type === 'local_shell') return type
  const isLocal = (fieldsOf(environment)['type'] ?? 'local') === 'local'
  return type === 'shell' && isLocal ? type : null
}

/** The function that stands for it. The skills of a local shell are listed in its description. */
export function functionFor(tool: ClientRunTool, definition: JsonObject, at: string): FunctionTool {
  const { description, schema } = FUNCTIONS[tool]
  const skills = skillsOf(definition)
  const whole = skills === '' ? description : `${description}\n\n${skills}`
  return { kind: 'function', name: tool, description: whole, schema, isStrict: null, at }
}

/** What an item of such a call says beside its type, id and state. `input` is what the model wrote, which may be cut short. */
export function clientRunFields(tool: ClientRunTool, callId: string, input: string): JsonObject {
  return { call_id: callId, ...FUNCTIONS[tool].fieldsOfCall(fieldsOf(parseOrUndefined(input))) }
}

/** What an id of such an item begins with at OpenAI. */
export const CLIENT_RUN_PREFIX = { apply_patch: 'apc', local_shell: 'lsh', shell: 'sh' } as const

interface StandIn {
  readonly description: string
  readonly schema: JsonObject
  /** What a client reads has every field that its SDK promises, whatever the model left out. */
  fieldsOfCall(input: JsonObject): JsonObject
}

const TEXT = { type: 'string' }
const MILLISECONDS = { type: 'integer', description: 'After so many milliseconds it is stopped.' }

const FUNCTIONS: Readonly<Record<ClientRunTool, StandIn>> = {
  apply_patch: {
    description:
      'Creates, updates or deletes one file; call it once for each file. `diff` has one line of the file a line, with a sign in front: ' +
      'a space for a line that stays, `-` for one that goes, `+` for one that comes. Of a new file all lines have `+`. In an ' +
      'update, each changed place begins with a line `@@`, which may name the function or class that it stands in, and has ' +
      'some lines that stay around what changes, so that it can be found. There are no line numbers and no names of files.',
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: { ...TEXT, description: 'The file, relative to the working directory.' },
        diff: { ...TEXT, description: 'Left out where the file is deleted.' },
      },
      required: ['type', 'path'],
      additionalProperties: false,
    },
    fieldsOfCall: (input) => ({ operation: operationOf(fieldsOf(input['operation'] ?? input)) }),
  },
  local_shell: {
    description: 'Runs one command on the user’s machine and returns what it prints.',
    schema: {
      type: 'object',
      properties: {
        command: { type: 'array', items: TEXT, description: 'The program and its arguments, one an entry.' },
        working_directory: TEXT,
        timeout_ms: MILLISECONDS,
      },
      required: ['command'],
      additionalProperties: false,
    },
    fieldsOfCall: (input) => ({ action: execOf(fieldsOf(input['action'] ?? input)) }),
  },
  shell: {
    description: 'Runs commands in the user’s shell and returns what each prints.',
    schema: {
      type: 'object',
      properties: {
        commands: { type: 'array', items: TEXT, description: 'Command lines, which are run one after the other.' },
        timeout_ms: MILLISECONDS,
        max_output_length: { type: 'integer', description: 'Output beyond so many characters is cut.' },
      },
      required: ['commands'],
      additionalProperties: false,
    },
    fieldsOfCall: (input) => ({
      action: commandsOf(fieldsOf(input['action'] ?? input)),
      environment: { type: 'local' },
    }),
  },
}

function operationOf({ type, path, diff }: JsonObject): JsonObject {
  const named = { path: textOf(path) }
  if (type === 'delete_file') return { type, ...named }
  return { type: type === 'create_file' ? type : 'update_file', ...named, diff: textOf(diff) }
}

/** Models slip, and write the whole command as one line. */
function execOf(input: JsonObject): JsonObject {
  const { command, env, timeout_ms: timeout, user, working_directory: directory } = input
  return {
    type: 'exec',
    command: typeof command === 'string' ? ['sh', '-c', command] : textsOf(command),
    env: Object.fromEntries(Object.entries(fieldsOf(env)).filter(([, value]) => typeof value === 'string')),
    timeout_ms: numberOf(timeout),
    user: typeof user === 'string' ? user : null,
    working_directory: typeof directory === 'string' ? directory : null,
  }
}

function commandsOf({ commands, timeout_ms: timeout, max_output_length: most }: JsonObject): JsonObject {
  return {
    commands: typeof commands === 'string' ? [commands] : textsOf(commands),
    timeout_ms: numberOf(timeout),
    max_output_length: numberOf(most),
  }
}

function skillsOf({ environment }: JsonObject): string {
  const { skills } = fieldsOf(environment)
  const lines = listOf(skills).map((skill) => {
    const { name, path, description } = fieldsOf(skill)
    return `- ${textOf(name)} (${textOf(path)}): ${textOf(description)}`
  })
  return lines.length === 0 ? '' : ['Skills, each with instructions in its folder:', ...lines].join('\n')
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String)
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
