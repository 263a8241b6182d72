import type { JsonObject } from './json.ts'
import * as response from './response-object.ts'
import { type Part, type Thought, partText } from './thought.ts'
import { wordsOf } from './tokens.ts'
import { type WireCall, namedEvent } from './wire-answer.ts'

/** Writes one event with the next sequence number. */
type Write = (type: string, fields: JsonObject) => string

/** The stream of a response: every step of it, with the whole response object at both ends. */
export function* responseEvents(call: WireCall, thought: Thought): Generator<string> {
  let sequence = 0
  const write: Write = (type, fields) => namedEvent({ type, sequence_number: sequence++, ...fields })
  const begun = { response: response.responseObject(call, thought, null) }
  yield write('response.created', begun) + write('response.in_progress', begun)
  for (const [index, part] of thought.parts.entries()) {
    yield* itemEvents({ call, part, index, status: response.statusOf(thought, index) }, write)
  }
  const last = thought.ending === 'length' ? 'response.incomplete' : 'response.completed'
  yield write(last, { response: response.responseObject(call, thought, response.outputItems(call, thought)) })
}

interface Item {
  readonly call: WireCall
  readonly part: Part
  readonly index: number
  readonly status: string
}

function* itemEvents(item: Item, write: Write): Generator<string> {
  const { call, part, index } = item
  const text = partText(part)
  const place = { item_id: response.itemId(call, part, index), output_index: index }
  const steps = stepsOf(part, place)
  const border = (name: string | null, content: string): string =>
    name === null ? '' : write(name, { ...steps.place, part: steps.partOf(content) })
  const announced = response.outputItem(call, { part, index, text: '', status: 'in_progress' })
  const added = write('response.output_item.added', { output_index: index, item: announced })
  yield added + border(steps.opening, '')
  for (const delta of wordsOf(text)) yield write(`${steps.content}.delta`, { ...steps.place, delta, ...steps.extra })
  const done = write(`${steps.content}.done`, { ...steps.place, [steps.field]: text, ...steps.extra })
  const closing = border(steps.closing, text)
  const whole = response.outputItem(call, { part, index, text, status: item.status })
  yield done + closing + write('response.output_item.done', { output_index: index, item: whole })
}

/** The names that one kind of item gives to the same steps. A tool call has no parts, so nothing opens or closes. */
interface Steps {
  readonly opening: string | null
  readonly closing: string | null
  /** With `.delta` and `.done`. */
  readonly content: string
  /** Where `.done` has the whole text. */
  readonly field: string
  readonly place: JsonObject
  readonly extra: JsonObject
  readonly partOf: (text: string) => JsonObject
}

function stepsOf(part: Part, place: JsonObject): Steps {
  if (part.kind === 'reasoning') {
    return {
      opening: 'response.reasoning_summary_part.added',
      closing: 'response.reasoning_summary_part.done',
      content: 'response.reasoning_summary_text',
      field: 'text',
      place: { ...place, summary_index: 0 },
      extra: {},
      partOf: response.summaryText,
    }
  }
  if (part.kind === 'text') {
    return {
      opening: 'response.content_part.added',
      closing: 'response.content_part.done',
      content: 'response.output_text',
      field: 'text',
      place: { ...place, content_index: 0 },
      extra: { logprobs: [] },
      partOf: response.outputText,
    }
  }
  const isCustom = part.tool.kind === 'custom'
  return {
    opening: null,
    closing: null,
    content: isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments',
    field: isCustom ? 'input' : 'arguments',
    place,
    extra: {},
    partOf: response.outputText,
  }
}
