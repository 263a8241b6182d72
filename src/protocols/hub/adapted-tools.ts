import { createHash } from 'node:crypto'
import type { NeutralAnswer, StreamPart } from './neutral-answer.ts'
import type {
  AnswerBlock,
  CustomTool,
  FunctionTool,
  NeutralRequest,
  Tool,
  ToolCallBlock,
  ToolChoice,
  Turn,
} from './neutral-request.ts'
import type { Notes } from './notes.ts'
import type { ToolAbilities } from './spoke.ts'
import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'

/** A request as the tools of one wire's upstreams allow it, and the way back for what the model calls. */
interface AdaptedTools {
  readonly request: NeutralRequest
  readonly names: ClientToolNames
}

/** What the client calls the tools that were changed on the way to the upstream. */
export class ClientToolNames {
  readonly #byUpstreamName: ReadonlyMap<string, { readonly name: string; readonly isCustom: boolean }>

  constructor(byUpstreamName: ReadonlyMap<string, { readonly name: string; readonly isCustom: boolean }>) {
    this.#byUpstreamName = byUpstreamName
  }

  /** The tool that the model means; what it made up stays as it is. */
  of(upstreamName: string): { readonly name: string; readonly isCustom: boolean } | null {
    return this.#byUpstreamName.get(upstreamName) ?? null
  }

  /** A whole answer with the client's tools in it. */
  restored(answer: NeutralAnswer): NeutralAnswer {
    if (this.#byUpstreamName.size === 0) return answer
    const restoredBlock = (block: AnswerBlock): AnswerBlock => {
      const tool = block.kind === 'tool_call' ? this.of(block.name) : null
      if (block.kind !== 'tool_call' || tool === null) return block
      const wasAdapted = tool.isCustom && !block.isCustom
      return { ...block, ...tool, input: wasAdapted ? customInputOf(block.input) : block.input }
    }
    return { choices: answer.choices.map((choice) => ({ ...choice, blocks: choice.blocks.map(restoredBlock) })) }
  }
}

/** Throws the fault `request_invalid` for tools that no other provider can run, where the answer hangs on them. */
export function adaptTools(request: NeutralRequest, can: ToolAbilities, notes: Notes): AdaptedTools {
  const tools = withoutHosted(request, notes)
  const adapted = tools.map((tool) => adaptedTool(tool, can))
  const byUpstreamName = new Map<string, { name: string; isCustom: boolean }>()
  adapted.forEach((tool, i) => {
    const before = tools[i]
    if (before === undefined || (before.name === tool.name && before.kind === tool.kind)) return
    byUpstreamName.set(tool.name, { name: before.name, isCustom: before.kind === 'custom' })
  })
  return {
    request: {
      ...request,
      tools: adapted,
      toolChoice: tools.length === 0 && request.tools.length > 0 ? null : adaptedChoice(request.toolChoice, can),
      turns: request.turns.map((turn) => adaptedTurn(turn, can)),
    },
    names: new ClientToolNames(byUpstreamName),
  }
}

/**
 * A tool that its provider runs is left out where the model has others and is free to choose: it then works with those.
 * Alone or forced it is what the request is about.
 */
function withoutHosted(
  { tools, toolChoice }: NeutralRequest,
  notes: Notes,
): readonly Exclude<Tool, { kind: 'hosted' }>[] {
  const own: Exclude<Tool, { kind: 'hosted' }>[] = []
  for (const tool of tools) if (tool.kind !== 'hosted') own.push(tool)
  for (const tool of tools) {
    if (tool.kind !== 'hosted') continue
    const isForced = toolChoice?.kind === 'one' && toolChoice.name === tool.name
    const isAlone = own.length === 0 && toolChoice?.kind !== 'none'
    if (isForced || isAlone) notes.refuse(tool.at, `the tool "${tool.name}" runs at its own provider only`)
    notes.drop(`${tool.at}.${tool.name}`)
  }
  return own
}

function adaptedTool(tool: Exclude<Tool, { kind: 'hosted' }>, can: ToolAbilities): Exclude<Tool, { kind: 'hosted' }> {
  const name = adaptedName(tool.name, can)
  if (tool.kind === 'custom' && !can.customTools) return { ...customToolAsFunction(tool), name }
  return name === tool.name ? tool : { ...tool, name }
}

function adaptedChoice(choice: ToolChoice | null, can: ToolAbilities): ToolChoice | null {
  if (choice?.kind === 'one') return { ...choice, name: adaptedName(choice.name, can) }
  if (choice?.kind === 'some') return { ...choice, names: choice.names.map((name) => adaptedName(name, can)) }
  return choice
}

function adaptedTurn(turn: Turn, can: ToolAbilities): Turn {
  if (turn.role !== 'assistant' || !turn.parts.some((part) => part.kind === 'tool_call')) return turn
  return { ...turn, parts: turn.parts.map((part) => (part.kind === 'tool_call' ? adaptedCall(part, can) : part)) }
}

function adaptedCall<Call extends ToolCallBlock>(call: Call, can: ToolAbilities): Call {
  const name = adaptedName(call.name, can)
  if (call.isCustom && !can.customTools) {
    return { ...call, name, isCustom: false, input: inputAsArguments(call.input) }
  }
  return name === call.name ? call : { ...call, name }
}

const KEPT_CHARACTERS = 48

/** The name itself where the wire takes it, else one made from it, always the same. */
function adaptedName(name: string, can: ToolAbilities): string {
  if (can.toolName.test(name)) return name
  const mark = createHash('sha256')
    .update(name)
    .digest('base64url')
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, 8)
  return `t_${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, KEPT_CHARACTERS)}_${mark}`
}

/**
 * A custom tool as a function, for upstreams that know functions only: its text is the one argument. The grammar cannot be
 * enforced there, so it is given to the model as text.
 */
function customToolAsFunction({ name, description, grammar, at }: CustomTool): FunctionTool {
  const rule =
    grammar === null ? '' : `\n\nThe input has to match this ${grammar.syntax} grammar:\n${grammar.definition}`
  return {
    kind: 'function',
    name,
    description: `${description ?? ''}${rule}`.trim() || null,
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
    isStrict: null,
    at,
  }
}

/** The text for a custom tool as the arguments of the function that stands in for it. */
function inputAsArguments(input: string): string {
  return JSON.stringify({ input })
}

/** The text out of such arguments; anything else is taken as the text itself, since models slip. */
function customInputOf(args: string): string {
  const { input } = fieldsOf(parseOrUndefined(args))
  return typeof input === 'string' ? input : args
}

/**
 * Gives the calls in a stream the client's tools back. The input of a custom tool that went as a function comes when it is
 * whole, since half of the JSON around it cannot be taken off.
 */
export class PartRestorer {
  readonly #names: ClientToolNames
  /** Arguments so far of blocks that are custom calls to the client. */
  readonly #custom = new Map<number, string>()

  constructor(names: ClientToolNames) {
    this.#names = names
  }

  restore(part: StreamPart): readonly StreamPart[] {
    if (part.kind === 'begin' && part.of.kind === 'tool_call') {
      const tool = this.#names.of(part.of.name)
      if (tool === null) return [part]
      if (tool.isCustom && !part.of.isCustom) this.#custom.set(part.block, '')
      return [{ ...part, of: { ...part.of, ...tool } }]
    }
    if (part.kind !== 'delta' && part.kind !== 'end') return [part]
    const before = this.#custom.get(part.block)
    if (before === undefined) return [part]
    if (part.kind === 'delta') {
      this.#custom.set(part.block, before + part.text)
      return []
    }
    this.#custom.delete(part.block)
    const text = customInputOf(before)
    return text === '' ? [part] : [{ kind: 'delta', block: part.block, text }, part]
  }
}
