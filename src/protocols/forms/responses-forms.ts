import type { ServerEvent } from '../reading/server-event.ts'
import type { AnswerForms } from './answer-forms.ts'
import { eventOf, fieldOfEvent, isGiven, rawEntries, rawList, rawObject, textOf } from './raw-json.ts'

/** Responses: events of items, the last of which has all of the response. */
export const responsesForms: AnswerForms = {
  isWholeEvent: (event) =>
    /"object":\s*"response"/.test(event) &&
    !/"response\.|^event: ?response\./m.test(event) &&
    fieldOfEvent(event, 'object') === 'response',
  toEvents,
  toWhole,
}

type FieldEntry = readonly [string, string]

/** Numbers the events of one stream. */
class Numbered {
  readonly events: Buffer[] = []

  add(type: string, ...fields: readonly FieldEntry[]): void {
    const number = String(this.events.length)
    this.events.push(eventOf(rawObject([['type', `"${type}"`], ['sequence_number', number], ...fields]), type))
  }
}

function toEvents(body: Buffer): Buffer {
  const response = rawEntries(body)
  const status = textOf(response.get('status')) === 'incomplete' ? 'incomplete' : 'completed'
  if (!isGiven(response.get('status'))) response.set('status', `"${status}"`)
  const stream = new Numbered()
  const begun = rawObject(new Map([...response, ['status', '"in_progress"'], ['output', '[]'], ['usage', 'null']]))
  stream.add('response.created', ['response', begun])
  stream.add('response.in_progress', ['response', begun])
  for (const [index, item] of rawList(response.get('output')).entries()) addItem(stream, item, index)
  stream.add(`response.${status}`, ['response', rawObject(response)])
  return Buffer.concat(stream.events)
}

function addItem(stream: Numbered, raw: Buffer, index: number): void {
  const item = rawEntries(raw)
  const at: FieldEntry = ['output_index', String(index)]
  const within: readonly FieldEntry[] = [['item_id', item.get('id') ?? `"item_${index}"`], at]
  const begun = new Map(item)
  if (begun.has('status')) begun.set('status', '"in_progress"')
  for (const field of ['content', 'summary']) if (begun.get(field)?.startsWith('[') === true) begun.set(field, '[]')
  const written = INPUTS[textOf(item.get('type'))]
  const input = written === undefined ? undefined : item.get(written.field)
  if (written !== undefined && input?.startsWith('"') === true) begun.set(written.field, '""')
  stream.add('response.output_item.added', at, ['item', rawObject(begun)])
  for (const [position, part] of rawList(item.get('summary')).entries())
    addSummary(stream, part, [...within, ['summary_index', String(position)]])
  for (const [position, part] of rawList(item.get('content')).entries())
    addPart(stream, part, [...within, ['content_index', String(position)]])
  if (written !== undefined && input?.startsWith('"') === true) {
    stream.add(`response.${written.event}.delta`, ...within, ['delta', input])
    stream.add(`response.${written.event}.done`, ...within, [written.field, input])
  }
  stream.add('response.output_item.done', at, ['item', raw.toString()])
}

/** Items whose input is written piece by piece. */
const INPUTS: Readonly<Record<string, { readonly field: string; readonly event: string }>> = {
  function_call: { field: 'arguments', event: 'function_call_arguments' },
  custom_tool_call: { field: 'input', event: 'custom_tool_call_input' },
  mcp_call: { field: 'arguments', event: 'mcp_call_arguments' },
}

function addSummary(stream: Numbered, part: Buffer, within: readonly FieldEntry[]): void {
  const text = rawEntries(part).get('text') ?? '""'
  stream.add('response.reasoning_summary_part.added', ...within, ['part', '{"type":"summary_text","text":""}'])
  stream.add('response.reasoning_summary_text.delta', ...within, ['delta', text])
  stream.add('response.reasoning_summary_text.done', ...within, ['text', text])
  stream.add('response.reasoning_summary_part.done', ...within, ['part', part.toString()])
}

/** Parts of a content, and the events in which their text is sent. */
const PARTS: Readonly<Record<string, { readonly field: string; readonly event: string }>> = {
  output_text: { field: 'text', event: 'output_text' },
  refusal: { field: 'refusal', event: 'refusal' },
  reasoning_text: { field: 'text', event: 'reasoning_text' },
}

function addPart(stream: Numbered, raw: Buffer, within: readonly FieldEntry[]): void {
  const part = rawEntries(raw)
  const written = PARTS[textOf(part.get('type'))]
  const text = written === undefined ? undefined : part.get(written.field)
  const begun = new Map(part)
  if (written !== undefined) begun.set(written.field, '""')
  for (const list of ['annotations', 'logprobs']) if (begun.has(list)) begun.set(list, '[]')
  stream.add('response.content_part.added', ...within, ['part', rawObject(begun)])
  if (written !== undefined && text !== undefined) {
    const logprobs = written.event === 'output_text' ? part.get('logprobs') : undefined
    const more: readonly FieldEntry[] =
      written.event === 'output_text' ? [['logprobs', isGiven(logprobs) ? logprobs : '[]']] : []
    stream.add(`response.${written.event}.delta`, ...within, ['delta', text], ...more)
    stream.add(`response.${written.event}.done`, ...within, [written.field, text], ...more)
  }
  stream.add('response.content_part.done', ...within, ['part', raw.toString()])
}

/** The last event has all of it, but for upstreams that leave its output to the events of the items. */
function toWhole(events: readonly ServerEvent[]): Buffer | null {
  const done = new Map<number, string>()
  let response: Map<string, string> | null = null
  for (const { name, data } of events) {
    const fields = rawEntries(data)
    const type = textOf(fields.get('type')) || name
    const item = fields.get('item')
    if (type === 'response.output_item.done' && isGiven(item))
      done.set(Number(fields.get('output_index') ?? done.size), item)
    else if (type === 'response.completed' || type === 'response.incomplete')
      response = rawEntries(fields.get('response'))
  }
  if (response === null) return null
  if (rawList(response.get('output')).length === 0 && done.size > 0) {
    const inOrder = [...done].sort(([one], [other]) => one - other)
    response.set('output', `[${inOrder.map(([, item]) => item).join(',')}]`)
  }
  return Buffer.from(rawObject(response))
}
