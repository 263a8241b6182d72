import { missing, type FieldReader } from '../../hub/field-reader.ts'
import { inputText } from '../../hub/call-input.ts'
import type { AssistantPart, ToolResultPart } from '../../hub/neutral-request.ts'
import type { ClientRunTool } from './client-run-tools.ts'
import { writeJson } from '../../json/exact-json.ts'
import { readContent } from './read-content.ts'
import type { RequestTools } from './read-tools.ts'
import { TOOL_SEARCH, toolName } from './tool-names.ts'
import type { TurnList } from './turn-list.ts'

/** `function_call` and `custom_tool_call`. */
export function readCall(item: FieldReader, inputField: 'arguments' | 'input'): AssistantPart {
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
export function readResult(item: FieldReader): ToolResultPart {
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
export function readClientCall(
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
export function readClientResult(item: FieldReader, turns: TurnList): void {
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
export function readToolSearchCall(item: FieldReader, turns: TurnList): void {
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
export function readToolSearchOutput(item: FieldReader, turns: TurnList, tools: RequestTools): void {
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
