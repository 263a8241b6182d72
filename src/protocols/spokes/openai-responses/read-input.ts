import { type FieldReader, missing } from '../../hub/field-reader.ts'
import type { AssistantPart, ToolResultPart, Turn } from '../../hub/neutral-request.ts'
import { readAnswerContent, readContent, readTextContent } from './read-content.ts'
import { ITEMS_OF_HOSTED_TOOLS } from './hints.ts'
import type { RequestTools } from './read-tools.ts'
import { inputText } from '../../hub/call-input.ts'
import { type ClientRunTool, TOOL_SEARCH, toolName } from './tool-names.ts'
import { writeJson } from '../../json/exact-json.ts'
import { openOpaque } from '../../hub/opaque-reasoning.ts'

/** `input`: a text, or a list of items. Tools that stand in items are added to `tools`. */
export function readInput(top: FieldReader, tools: RequestTools): readonly Turn[] {
  const input = top.raw('input')
  if (input === null) throw missing('input', 'a string or a list of items')
  if (typeof input === 'string') {
    return [{ role: 'user', parts: [{ kind: 'text', text: input, at: 'input' }], at: 'input' }]
  }
  const turns = new TurnList()
  const items = top.objects('input') ?? []
  const besideCalls = areBesideCalls(items)
  for (const [i, item] of items.entries()) {
    const type = typeOf(item)
    const read = READERS.get(type)
    // An item's own id and state mean nothing where no answer is stored.
    item.raw('id')
    item.raw('status')
    if (read !== undefined) {
      read(item, turns, tools)
      item.end()
    } else if (type === REFERENCE) readReference(item, besideCalls[i] === true)
    else if (ITEMS_OF_HOSTED_TOOLS.has(type)) item.notes.drop(`${item.at}.${type}`)
    else item.refuse('type', REFUSED.get(type) ?? `it has no items of the type "${type}"`)
  }
  return turns.all
}

function typeOf(item: FieldReader): string {
  const type = item.string('type')
  if (type !== null) return type
  return item.raw('role') === null ? REFERENCE : 'message'
}

const REFERENCE = 'item_reference'

type ReadItem = (item: FieldReader, turns: TurnList, tools: RequestTools) => void

const READERS: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ['message', readMessage],
  ['agent_message', readAgentMessage],
  ['reasoning', (item, turns) => readReasoning(item, turns)],
  ['additional_tools', (item, _turns, tools) => readAdditionalTools(item, tools)],
  ['function_call', (item, turns) => turns.addAnswer(readCall(item, 'arguments'))],
  ['custom_tool_call', (item, turns) => turns.addAnswer(readCall(item, 'input'))],
  ['function_call_output', (item, turns) => turns.addResult(readResult(item))],
  ['custom_tool_call_output', (item, turns) => turns.addResult(readResult(item))],
  ['local_shell_call', (item, turns) => readClientCall(item, turns, { name: 'local_shell', inputField: 'action' })],
  ['shell_call', (item, turns) => readClientCall(item, turns, { name: 'shell', inputField: 'action' })],
  ['apply_patch_call', (item, turns) => readClientCall(item, turns, { name: 'apply_patch', inputField: 'operation' })],
  ['local_shell_call_output', readClientResult],
  ['shell_call_output', readClientResult],
  ['apply_patch_call_output', readClientResult],
  ['tool_search_call', readToolSearchCall],
  ['tool_search_output', readToolSearchOutput],
])

const COMPACTED = 'only the provider that shortened the conversation can read what came out of it'

const REFUSED: ReadonlyMap<string, string> = new Map([
  ['compaction', COMPACTED],
  ['compaction_summary', COMPACTED],
  ['context_compaction', COMPACTED],
  ['compaction_trigger', 'it cannot shorten a conversation'],
])

function readMessage(item: FieldReader, turns: TurnList): void {
  const role = item.requiredString('role')
  if (role === 'assistant') for (const part of readAnswerContent(item)) turns.addAnswer(part)
  else if (role === 'user') {
    const parts = readContent(item, 'content')
    if (parts.length > 0) turns.add({ role, parts, at: item.at })
  } else if (role === 'system' || role === 'developer') turns.add({ role, parts: readTextContent(item), at: item.at })
  else item.refuse('role', `it has no role "${role}"`)
}

/**
 * What agents of Codex write to one another. Its first text names sender and recipient, so these are read and not carried
 * again. What OpenAI encrypted begins like every cipher text of it; other models' texts stand there in the clear.
 */
function readAgentMessage(item: FieldReader, turns: TurnList): void {
  item.raw('author')
  item.raw('recipient')
  const parts = (item.objects('content') ?? []).map((part) => {
    const field = part.string('type') === 'encrypted_content' ? 'encrypted_content' : 'text'
    const text = part.requiredString(field)
    if (field === 'encrypted_content' && text.startsWith('gAAAA'))
      part.refuse(field, 'only its own provider can read it')
    part.end()
    return { kind: 'text', text, at: part.at } as const
  })
  turns.add({ role: 'user', parts, at: item.at })
}

/**
 * Items that were to be stored are not there. The AI SDK refers to all that it received except calls of tools, which it sends
 * whole: then reasoning and a remark are lost, and named. Of another answer nothing would be left.
 */
function readReference(item: FieldReader, isBesideCalls: boolean): void {
  const id = item.requiredString('id')
  item.end()
  if (!isBesideCalls && !id.startsWith('rs_')) {
    item.dropOrRefuse('id', 'it keeps no items, so each has to be sent whole, as clients do that say `store: false`')
  }
  item.notes.drop(`${item.at}.${REFERENCE}`)
}

/** Says for each item whether a call follows it within the same answer. */
function areBesideCalls(items: readonly FieldReader[]): readonly boolean[] {
  const areBeside: boolean[] = []
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i]
    const type = item === undefined ? '' : typeOf(item)
    const isHosted = ITEMS_OF_HOSTED_TOOLS.has(type)
    const isOfAnswer = isHosted || type === REFERENCE || type === 'reasoning' || item?.raw('role') === 'assistant'
    areBeside[i] = (type.endsWith('_call') && !isHosted) || (isOfAnswer && areBeside[i + 1] === true)
  }
  return areBeside
}

function readAdditionalTools(item: FieldReader, tools: RequestTools): void {
  item.raw('role')
  tools.addFrom(item)
}

/** `function_call` and `custom_tool_call`. */
function readCall(item: FieldReader, inputField: 'arguments' | 'input'): AssistantPart {
  return {
    kind: 'tool_call',
    id: item.requiredString('call_id'),
    name: toolName(item.requiredString('name'), item.string('namespace')),
    input: item.string(inputField) ?? '',
    isCustom: inputField === 'input',
    at: item.at,
  }
}

/** `function_call_output` and `custom_tool_call_output`. Which tool it was is known by the call. */
function readResult(item: FieldReader): ToolResultPart {
  item.raw('name')
  item.raw('namespace')
  return {
    kind: 'tool_result',
    callId: item.requiredString('call_id'),
    parts: readContent(item, 'output'),
    isError: false,
    at: item.at,
  }
}

/** A call of a tool that OpenAI defines and the client runs: what it is to do is an object. */
function readClientCall(
  item: FieldReader,
  turns: TurnList,
  { name, inputField }: { readonly name: ClientRunTool; readonly inputField: string },
): void {
  item.raw('environment')
  const input = inputText(item.rawObject(inputField))
  const [id, itemId] = [readCallId(item), item.string('id')]
  if (itemId !== null) turns.callIds.set(itemId, id)
  turns.addAnswer({ kind: 'tool_call', id, name, input, isCustom: false, at: item.at })
}

/** What came of it: a text, or a list of what was printed. Of a patch it may be the state alone. */
function readClientResult(item: FieldReader, turns: TurnList): void {
  item.raw('max_output_length')
  const status = item.string('status')
  const output = item.raw('output') ?? status ?? ''
  const text = typeof output === 'string' ? output : writeJson(() => output)
  const id = readCallId(item)
  turns.addResult({
    kind: 'tool_result',
    callId: turns.callIds.get(id) ?? id,
    parts: [{ kind: 'text', text, at: item.path('output') }],
    isError: status === 'failed',
    at: item.at,
  })
}

/** A search for tools that the client ran is a call as any other. One that its provider ran is over. */
function readToolSearchCall(item: FieldReader, turns: TurnList): void {
  const [execution, args] = [item.string('execution'), item.raw('arguments')]
  if (execution !== 'client') return drop(item, 'tool_search_call')
  const input = inputText(args)
  const call = {
    kind: 'tool_call',
    id: readCallId(item),
    name: TOOL_SEARCH,
    input,
    isCustom: false,
    at: item.at,
  } as const
  turns.addAnswer(call)
}

/** The tools that were found are tools of the request; the model gets to know under which names. */
function readToolSearchOutput(item: FieldReader, turns: TurnList, tools: RequestTools): void {
  const names = tools.addFrom(item)
  const found = names.length === 0 ? 'No tool was found.' : `Tools that can be called now: ${names.join(', ')}`
  if (item.string('execution') !== 'client') return drop(item, 'tool_search_output')
  turns.addResult({
    kind: 'tool_result',
    callId: readCallId(item),
    parts: [{ kind: 'text', text: found, at: item.path('tools') }],
    isError: false,
    at: item.at,
  })
}

function drop(item: FieldReader, type: string): void {
  item.raw('call_id')
  item.notes.drop(`${item.at}.${type}`)
}

/** Older items have their call's id in `id`. */
function readCallId(item: FieldReader): string {
  const id = item.string('call_id') ?? item.string('id')
  if (id === null) throw missing(item.path('call_id'), 'a string')
  return id
}

/** A `reasoning` item of the past. One that holds nothing is none. */
function readReasoning(item: FieldReader, turns: TurnList): void {
  const [id, encrypted] = [item.string('id'), item.string('encrypted_content')]
  const [content, summary] = [readTexts(item, 'content'), readTexts(item, 'summary')]
  const text = joinedReasoning(content.length > 0 ? content : summary)
  const opaque = encrypted === null ? null : openOpaque(encrypted, 'openai', id === null ? {} : { id })
  // Named for what is lost where it cannot be carried.
  const at = item.path(encrypted === null ? 'summary' : 'encrypted_content')
  if (text !== '' || opaque !== null) turns.addAnswer({ kind: 'reasoning', text, opaque, at })
}

/** Parts of a summary are paragraphs with headings of their own. */
export function joinedReasoning(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

function readTexts(item: FieldReader, field: string): readonly string[] {
  return (item.objects(field) ?? []).map((part) => {
    part.raw('type')
    return part.ended(part.string('text') ?? '')
  })
}

/**
 * Turns out of items: what the model did between two inputs is one turn, and so are results of tools that stand together.
 * Other wires want the calls of an answer and its reasoning in one message.
 */
class TurnList {
  /** The ids of calls by those of their items, which results of OpenAI’s local shell name in their place. */
  readonly callIds = new Map<string, string>()
  readonly #turns: Turn[] = []
  #answer: AssistantPart[] | null = null
  #results: ToolResultPart[] | null = null

  get all(): readonly Turn[] {
    return this.#turns
  }

  add(turn: Turn): void {
    this.#answer = null
    this.#results = null
    this.#turns.push(turn)
  }

  addAnswer(part: AssistantPart): void {
    if (this.#answer === null) {
      const parts: AssistantPart[] = []
      this.add({ role: 'assistant', parts, at: part.at })
      this.#answer = parts
    }
    this.#answer.push(part)
  }

  addResult(part: ToolResultPart): void {
    if (this.#results === null) {
      const parts: ToolResultPart[] = []
      this.add({ role: 'user', parts, at: part.at })
      this.#results = parts
    }
    this.#results.push(part)
  }
}
