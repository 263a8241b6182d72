/** One answer in the words of each chat wire, whole and as a stream, as its provider sends it. */
import type { ChatWire } from '../../src/core/wire.ts'

export interface AnswerOfWire {
  readonly whole: object
  readonly events: readonly ServerEventOfWire[]
}

export interface ServerEventOfWire {
  readonly name: string | null
  readonly data: object | '[DONE]'
}

export const TEXT = 'Hello 😀, 世界'
export const THOUGHT = 'Let me think.'
/** A number that does not survive a parser of JSON. */
const ARGUMENTS = '{"id":2512292042121000001,"q":"a \\"b\\""}'
export const PARSED = JSON.parse(ARGUMENTS) as object

const data = (value: object | '[DONE]'): ServerEventOfWire => ({ name: null, data: value })
interface Typed {
  readonly type: string
  readonly [field: string]: unknown
}
const named = (value: Typed): ServerEventOfWire => ({ name: value.type, data: value })

const chatBase = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'm', system_fingerprint: 'fp_1' }
const chatUsage = { prompt_tokens: 10, completion_tokens: 6, total_tokens: 16 }
const chunk = (delta: object, reason: string | null = null): ServerEventOfWire =>
  data({
    ...chatBase,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: ARGUMENTS } }

const chat: AnswerOfWire = {
  whole: {
    ...chatBase,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: TEXT, reasoning_content: THOUGHT, tool_calls: [call] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: chatUsage,
  },
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: THOUGHT }),
    chunk({ content: TEXT.slice(0, 4) }),
    chunk({ content: TEXT.slice(4) }),
    chunk({ tool_calls: [{ index: 0, ...call, function: { name: 'look_up', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(0, 9) } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(9) } }] }),
    chunk({}, 'tool_calls'),
    data({ ...chatBase, object: 'chat.completion.chunk', choices: [], usage: chatUsage }),
    data('[DONE]'),
  ],
}

const item = (fields: object) => ({ status: 'completed', ...fields })
const RESPONSE_ITEMS = [
  { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: THOUGHT }] },
  item({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: TEXT, annotations: [], logprobs: [] }],
  }),
  item({ id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: ARGUMENTS }),
] as const
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  model: 'm',
  output: RESPONSE_ITEMS,
  parallel_tool_calls: true,
  tools: [],
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 16,
  },
}
const begun = { ...response, status: 'in_progress', output: [], usage: null }
const [reasoning, message, toolCall] = RESPONSE_ITEMS
const numbered = (events: readonly Typed[]) =>
  events.map((event, sequence_number) => named({ ...event, sequence_number }))
const responses: AnswerOfWire = {
  whole: response,
  events: numbered([
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
    {
      type: 'response.content_part.added',
      item_id: 'msg_1',
      output_index: 1,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 1,
      content_index: 0,
      delta: TEXT,
      logprobs: [],
    },
    {
      type: 'response.output_text.done',
      item_id: 'msg_1',
      output_index: 1,
      content_index: 0,
      text: TEXT,
      logprobs: [],
    },
    { type: 'response.output_item.done', output_index: 1, item: message },
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { ...toolCall, status: 'in_progress', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: ARGUMENTS },
    { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 2, arguments: ARGUMENTS },
    { type: 'response.output_item.done', output_index: 2, item: toolCall },
    { type: 'response.completed', response },
  ]),
}

/** Written by hand where the number would not survive. */
const INPUT = { raw: ARGUMENTS }
const blocks = [
  { type: 'thinking', thinking: THOUGHT, signature: 'c2ln' },
  { type: 'text', text: TEXT },
  { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: INPUT },
] as const
const messageFields = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
const delta = (index: number, value: object) => named({ type: 'content_block_delta', index, delta: value })
const start = (index: number, block: object) => named({ type: 'content_block_start', index, content_block: block })
const stop = (index: number) => named({ type: 'content_block_stop', index })
const messages: AnswerOfWire = {
  whole: {
    ...messageFields,
    content: blocks,
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 6 },
  },
  events: [
    named({
      type: 'message_start',
      message: {
        ...messageFields,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    }),
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: THOUGHT }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    stop(0),
    start(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: TEXT.slice(0, 4) }),
    delta(1, { type: 'text_delta', text: TEXT.slice(4) }),
    stop(1),
    start(2, { ...blocks[2], input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: ARGUMENTS.slice(0, 9) }),
    delta(2, { type: 'input_json_delta', partial_json: ARGUMENTS.slice(9) }),
    stop(2),
    named({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 6 },
    }),
    named({ type: 'message_stop' }),
  ],
}

const candidate = (parts: readonly object[], reason?: string) => ({
  candidates: [
    { index: 0, content: { role: 'model', parts }, ...(reason === undefined ? {} : { finishReason: reason }) },
  ],
})
const metadata = {
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 6, totalTokenCount: 16 },
  modelVersion: 'm',
  responseId: 'r1',
}
const functionCall = { functionCall: { name: 'look_up', args: INPUT } }
const gemini: AnswerOfWire = {
  whole: {
    ...candidate([{ text: THOUGHT, thought: true }, { text: TEXT }, functionCall], 'STOP'),
    ...metadata,
  },
  events: [
    data({ ...candidate([{ text: THOUGHT, thought: true }]), modelVersion: 'm', responseId: 'r1' }),
    data({ ...candidate([{ text: TEXT.slice(0, 4) }]), modelVersion: 'm', responseId: 'r1' }),
    data({ ...candidate([{ text: TEXT.slice(4) }]), modelVersion: 'm', responseId: 'r1' }),
    data({ ...candidate([functionCall], 'STOP'), ...metadata }),
  ],
}

export const ANSWERS: Readonly<Record<ChatWire, AnswerOfWire>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
}

/** The JSON of a value, with the arguments as they are written. */
export function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/\{\s*"raw":\s*"((?:[^"\\]|\\.)*)"\s*\}/g, (_, raw: string) =>
    String(JSON.parse(`"${raw}"`)),
  )
}

export interface EventsAs {
  /** What stands between lines; `\n`. */
  readonly lineEnd?: string
  /** What stands behind an event; the line end. */
  readonly blank?: string
  /** What stands behind `data:`; a space. */
  readonly space?: string
  /** The names in `event:` lines: none, or all the same. */
  readonly names?: 'none' | { readonly all: string }
  /** The JSON over several lines. */
  readonly isPretty?: boolean
  /** What stands before each event. */
  readonly before?: string
}

/** The events as an upstream writes them. */
export function eventsOf(events: readonly ServerEventOfWire[], how: EventsAs = {}): string {
  const { lineEnd = '\n', blank = lineEnd, space = ' ', names, isPretty = false, before = '' } = how
  return events
    .map((event) => {
      const name = names === 'none' ? null : names === undefined ? event.name : names.all
      const json = event.data === '[DONE]' ? '[DONE]' : jsonOf(event.data, isPretty ? 2 : undefined)
      const lines = json.split('\n').map((line) => `data:${space}${line}${lineEnd}`)
      return `${before}${name === null ? '' : `event: ${name}${lineEnd}`}${lines.join('')}${blank}`
    })
    .join('')
}
