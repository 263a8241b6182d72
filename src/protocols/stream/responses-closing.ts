import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'
import { namedEvent } from '../reading/server-event.ts'
import type { ProducedText } from './produced-text.ts'

/** An item that was added and is not done. Texts are raw JSON, as they were sent. */
export interface OpenItem {
  readonly index: number
  readonly raw: string
  /** Where text is written that belongs to the item itself, or to a part that was not announced. */
  readonly place: number
  /** The text that was said to be done; `raw` is that text, null where it was too long to be kept. */
  said: DoneText | null
  readonly parts: OpenPart[]
  keptBytes: number
}

export interface OpenPart {
  readonly index: number
  /** Whether a reasoning item has it in its summary, and not in its content. */
  readonly isSummary: boolean
  raw: string
  readonly place: number
  said: DoneText | null
  isDone: boolean
  readonly annotations: string[]
}

interface DoneText {
  readonly raw: string | null
}

/** Events with rising sequence numbers. */
export interface Numbered {
  readonly events: Buffer[]
  next: number
}

/**
 * Closes an item with its text so far, in OpenAI's order: its text, its part, the item. Returns the item as raw JSON.
 * What cannot be named, because the item has no id, has no events of its own.
 */
export function closedItem(open: OpenItem, text: ProducedText, numbered: Numbered): string {
  const item = fieldsOf(parseOrUndefined(open.raw))
  const at = { item_id: item['id'], output_index: open.index }
  const say: Say = (type, fields) => {
    if (typeof at.item_id === 'string') addEvent(numbered, type, { ...at, ...fields })
  }
  const own = OWN_TEXT.get(item['type'])
  const closed = { ...item, ...statusOf(item) }
  const parts = [...open.parts, ...unannounced(open, item, text)].map((part) => closedPart(part, text, say))
  const content = parts.filter(({ isSummary }) => !isSummary).map(({ part }) => part)
  const summary = parts.filter(({ isSummary }) => isSummary).map(({ part }) => part)
  if (content.length > 0) Object.assign(closed, { content })
  if (summary.length > 0) Object.assign(closed, { summary })
  if (own !== undefined) {
    const written = textOf(open, text)
    const name = item['type'] === 'function_call' ? { name: item['name'] } : {}
    if (open.said === null) say(own.done, { ...name, [own.field]: written })
    Object.assign(closed, { [own.field]: written })
  }
  addEvent(numbered, 'response.output_item.done', { output_index: open.index, item: closed })
  return JSON.stringify(closed)
}

/** Whether events of this type finish the text of an item itself, and not of one of its parts. */
export function isTextOfItem(doneType: string): boolean {
  return OWN_TEXT.values().some(({ done }) => done === doneType)
}

export function addEvent(numbered: Numbered, type: string, fields: object): void {
  numbered.events.push(Buffer.from(namedEvent(type, { sequence_number: numbered.next, ...fields })))
  numbered.next += 1
}

type Say = (type: string, fields: object) => void

/** Items whose text is their own: by which event it ends, and in which field it stands, there and in the item. */
const OWN_TEXT = new Map<unknown, { readonly done: string; readonly field: string }>([
  ['function_call', { done: 'response.function_call_arguments.done', field: 'arguments' }],
  ['custom_tool_call', { done: 'response.custom_tool_call_input.done', field: 'input' }],
  ['mcp_call', { done: 'response.mcp_call_arguments.done', field: 'arguments' }],
  ['code_interpreter_call', { done: 'response.code_interpreter_call_code.done', field: 'code' }],
])

/** Where the text of parts is said to be done. */
const PART_TEXT = new Map<unknown, { readonly done: string; readonly field: string }>([
  ['output_text', { done: 'response.output_text.done', field: 'text' }],
  ['refusal', { done: 'response.refusal.done', field: 'refusal' }],
  ['summary_text', { done: 'response.reasoning_summary_text.done', field: 'text' }],
  ['reasoning_text', { done: 'response.reasoning_text.done', field: 'text' }],
])

/** Items that know no `incomplete`. */
const FAILING = new Set<unknown>(['web_search_call', 'image_generation_call'])

function statusOf(item: Readonly<Record<string, unknown>>): { status?: string } {
  if (item['status'] === undefined && item['type'] !== 'message' && item['type'] !== 'function_call') return {}
  return { status: FAILING.has(item['type']) ? 'failed' : 'incomplete' }
}

/** Text that came without the event that announces its part, as some upstreams send it. */
function unannounced(open: OpenItem, item: Readonly<Record<string, unknown>>, text: ProducedText): OpenPart[] {
  const type = UNANNOUNCED.get(item['type'])
  if (type === undefined || open.parts.length > 0 || text.toString(open.place) === '') return []
  const raw = JSON.stringify(type === 'output_text' ? { type, annotations: [] } : { type })
  return [{ index: 0, isSummary: false, raw, place: open.place, said: null, isDone: false, annotations: [] }]
}

const UNANNOUNCED = new Map<unknown, string>([
  ['message', 'output_text'],
  ['reasoning', 'reasoning_text'],
])

function closedPart(open: OpenPart, text: ProducedText, say: Say): { part: unknown; isSummary: boolean } {
  const sent = parseOrUndefined(open.raw)
  const part = { ...fieldsOf(sent) }
  const { isSummary } = open
  if (open.isDone) return { part: sent, isSummary }
  const shape = PART_TEXT.get(part['type'])
  const at = isSummary ? { summary_index: open.index } : { content_index: open.index }
  if (shape !== undefined) {
    const written = textOf(open, text)
    part[shape.field] = written
    const logprobs = part['type'] === 'output_text' ? { logprobs: [] } : {}
    if (open.said === null) say(shape.done, { ...at, [shape.field]: written, ...logprobs })
  }
  if (open.annotations.length > 0) part['annotations'] = open.annotations.map(parseOrUndefined)
  say(isSummary ? 'response.reasoning_summary_part.done' : 'response.content_part.done', { ...at, part })
  return { part, isSummary }
}

/** The text that the upstream said when it was done, else what came in deltas. */
function textOf({ said, place }: { said: DoneText | null; place: number }, text: ProducedText): string {
  const whole = said?.raw === undefined || said.raw === null ? undefined : parseOrUndefined(said.raw)
  return typeof whole === 'string' ? whole : text.toString(place)
}
