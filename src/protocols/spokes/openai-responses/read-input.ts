import { missing, type FieldReader } from '../../hub/field-reader.ts'
import type { Turn } from '../../hub/neutral-request.ts'
import {
  readCall,
  readClientCall,
  readClientResult,
  readResult,
  readToolSearchCall,
  readToolSearchOutput,
} from './read-calls.ts'
import { readAnswerContent, readContent, readTextContent } from './read-content.ts'
import { ITEMS_OF_HOSTED_TOOLS } from './hints.ts'
import { readReasoning } from './read-reasoning.ts'
import type { RequestTools } from './read-tools.ts'
import { TurnList } from './turn-list.ts'

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
