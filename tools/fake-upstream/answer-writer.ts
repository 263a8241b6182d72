/**
 * Writes answers by the hub's own writers, and dresses them as the providers send them: with a field that no gateway knows,
 * usage in events where the provider has it, and what a script wants to be odd.
 */
import { NO_TOKENS as NOTHING_REPORTED, type TokenCounts } from '../../src/core/tokens.ts'
import {
  type NeutralAnswer,
  type SimulatedCall,
  streamSimulatedAnswer,
  writeSimulatedAnswer,
} from '../../src/protocols/chat-simulation.ts'
import { type Ask, CHAT_WIRE_OF, type WireName } from './ask.ts'
import { type JsonFields, listOf, objectOf, stringOf } from '../../src/upstreams/demo/json.ts'
import type { Sentinel } from './model-name.ts'
import { halfOfOutput, type Usage } from './usage.ts'

/** What is answered. Written as a stream or whole, it has the same content and usage. */
export interface Answer {
  readonly wire: WireName
  readonly model: string
  readonly sentinel: Sentinel
  /** Hexadecimal digits that every id in the answer is made of. */
  readonly id: string
  readonly content: NeutralAnswer
  /** Cuts a text into the pieces in which it is streamed. */
  readonly piecesOf: (text: string) => readonly string[]
  /** Null: the answer says nothing about usage. */
  readonly usage: Usage | null
  readonly ask: Ask
  /** The call's body, for protocols that repeat it in the answer. */
  readonly body: JsonFields
}

/** One server-sent event with everything that belongs to it. `reports`: the usage a reader knows after it. */
interface StreamEvent {
  readonly text: string
  readonly reports?: Usage | null
}

/** When every answer was created: a constant, so that equal calls get equal bytes. Unix time in seconds. */
export const CREATED_AT_SECONDS = 1_780_000_000

/** The message of an error event in the middle of a stream. */
const MID_STREAM_ERROR = 'The fake upstream broke off on purpose.'

/** The answer as one JSON document. */
export function writeWhole(answer: Answer): string {
  const fields = writeSimulatedAnswer(callOf(answer), simulated(answer, answer.usage))
  const name = answer.wire === 'gemini' ? 'usageMetadata' : 'usage'
  return writeWithUnknown({ ...fields, [name]: answer.usage === null ? undefined : usageFields(answer, answer.usage) })
}

export function writeStream(answer: Answer): StreamEvent[] {
  const { wire, sentinel, usage, ask } = answer
  const text = [...streamSimulatedAnswer(callOf(answer), simulated(answer, usage), answer.piecesOf)].join('')
  const written = text.split('\n\n').slice(0, -1)
  const middle = middleDelta(written.map(fieldsOf), answer)
  const events = written.flatMap((each, index) => dressed(each, answer, index === middle))
  if (wire !== 'chat') return events
  const done = events.splice(-1)
  if (sentinel === 'usage-twice' && ask.includeUsage && usage !== null) events.push(...events.slice(-1))
  return sentinel === 'no-done' ? events : [...events, ...done]
}

/** The protocol's own error event, as the event of this number in the stream. */
export function writeErrorEvent(answer: Answer, index: number): string {
  const message = MID_STREAM_ERROR
  switch (answer.wire) {
    case 'chat':
      return `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'server_error' } })}\n\n`
    case 'messages':
      return eventText('messages', { type: 'error', error: { type: 'overloaded_error', message } })
    case 'gemini':
      return `data: ${JSON.stringify({ error: { code: 503, message, status: 'UNAVAILABLE' } })}\r\n\r\n`
    case 'converse':
      return `event: modelStreamErrorException\ndata: ${JSON.stringify({ message })}\n\n`
    case 'responses': {
      const error = { code: 'server_error', message }
      const whole = writeSimulatedAnswer(callOf(answer), simulated(answer, null))
      const response = { ...whole, status: 'failed', error, output: [], usage: null, completed_at: null }
      return eventText('responses', { type: 'response.failed', sequence_number: index, response })
    }
  }
}

function callOf({ wire, model, id, ask, body }: Answer): SimulatedCall {
  const options = wire === 'chat' && ask.includeUsage ? { stream_options: { include_usage: true } } : {}
  const about = { request: ask.request, model, requestId: id, nowMs: CREATED_AT_SECONDS * 1_000 }
  return { wire: CHAT_WIRE_OF[wire], body: { ...body, ...options }, ...about }
}

function simulated({ content }: Answer, usage: Usage | null) {
  return { answer: content, usage: usage === null ? NOTHING_REPORTED : countsOf(usage) }
}

function countsOf({ input, cached, cacheWrite, output, reasoning }: Usage): TokenCounts {
  return { ...NOTHING_REPORTED, input, cacheRead: cached, cacheWrite, output, reasoning }
}

/** The usage as the wire's provider writes it: Anthropic says apart what is kept for how long. */
function usageFields(answer: Answer, usage: Usage): JsonFields {
  const without = { ...answer, content: { choices: [] } }
  const { usage: fields, usageMetadata } = writeSimulatedAnswer(callOf(answer), simulated(without, usage))
  const kept = { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 }
  const apart = answer.wire === 'messages' ? { cache_creation: kept } : {}
  return { ...objectOf(fields ?? usageMetadata), ...apart }
}

/** The fields of an event; none of the last one of the chat wire. */
function fieldsOf(event: string): JsonFields {
  const data = event.slice(event.indexOf('data: ') + 'data: '.length)
  return data === '[DONE]' ? {} : objectOf(JSON.parse(data))
}

/** The number of the event after which a growing count stands. */
function middleDelta(events: readonly JsonFields[], { wire, sentinel }: Answer): number {
  if (sentinel !== 'usage-twice') return -1
  const deltas = events.flatMap((fields, index) => (isDelta(wire, fields) ? [index] : []))
  return deltas[Math.floor((deltas.length - 1) / 2)] ?? -1
}

function isDelta(wire: WireName, fields: JsonFields): boolean {
  // Nothing is reported before the end.
  if (wire === 'converse') return false
  if (wire === 'messages') return fields['type'] === 'content_block_delta'
  const choice = objectOf(listOf(fields['choices'] ?? fields['candidates'])[0])
  return wire === 'gemini' ? choice['finishReason'] === undefined : 'content' in objectOf(choice['delta'])
}

/** One event of the hub as its provider sends it, with another one behind it where the script wants that. */
function dressed(event: string, answer: Answer, isMiddle: boolean): StreamEvent[] {
  const { wire, usage } = answer
  if (event === 'data: [DONE]') return [{ text: `${event}\n\n` }]
  const fields = fieldsOf(event)
  const name = /^event: (\w+)$/m.exec(event)?.[1]
  const one = (counts: Usage | null, more: JsonFields): StreamEvent => ({
    text: eventText(wire, { ...fields, ...more }, name),
    ...(counts === null ? {} : { reports: counts }),
  })
  const written = (counts: Usage | null): unknown => counts && usageFields(answer, counts)
  const grown = isMiddle && usage !== null ? halfOfOutput(usage) : null
  switch (wire) {
    case 'chat': {
      const counted = answer.ask.includeUsage && usage !== null
      const counts = counted && 'usage' in fields ? usage : counted ? grown : null
      const more = counted ? { usage: written(counts) } : {}
      const opening = openingOf(fields)
      return opening === null
        ? [one(counts, more)]
        : [one(null, { ...more, ...opening.first }), one(counts, { ...more, ...opening.rest })]
    }
    case 'messages':
      return dressedMessage(fields, answer, { one, grown })
    case 'responses': {
      if (fields['response'] === undefined) return [one(null, {})]
      const isOver = ['response.completed', 'response.incomplete'].includes(stringOf(fields['type']))
      const early = answer.sentinel === 'usage-twice' && usage !== null ? halfOfOutput(usage) : null
      const counts = isOver ? usage : early
      return [one(counts, { response: { ...objectOf(fields['response']), usage: written(counts) } })]
    }
    case 'converse':
      return name === 'metadata' ? [one(usage, { usage: written(usage) ?? undefined })] : [one(null, {})]
    case 'gemini': {
      const isOver = objectOf(listOf(fields['candidates'])[0])['finishReason'] !== undefined
      const counts = isOver ? usage : (grown ?? begun(usage))
      return [one(counts, { usageMetadata: written(counts) ?? undefined })]
    }
  }
}

/** OpenAI begins a text with a chunk that has the role and no word; null where the event begins none. */
function openingOf(fields: JsonFields): { readonly first: JsonFields; readonly rest: JsonFields } | null {
  const choice = objectOf(listOf(fields['choices'])[0])
  const { role, ...delta } = objectOf(choice['delta'])
  if (role === undefined || stringOf(delta['content']) === '') return null
  const opened = { role, content: '', refusal: null }
  return { first: { choices: [{ ...choice, delta: opened }] }, rest: { choices: [{ ...choice, delta }] } }
}

/** Input is counted when the answer begins; a ping may stand anywhere. */
function dressedMessage(
  fields: JsonFields,
  answer: Answer,
  { one, grown }: { one(counts: Usage | null, more: JsonFields): StreamEvent; grown: Usage | null },
): StreamEvent[] {
  const { usage } = answer
  const written = (counts: Usage | null): unknown => (counts === null ? undefined : usageFields(answer, counts))
  switch (fields['type']) {
    case 'message_start': {
      const counts = begun(usage)
      return [one(counts, { message: { ...objectOf(fields['message']), usage: written(counts) } })]
    }
    case 'message_delta':
      return [one(usage, { usage: written(usage) })]
    case 'content_block_start': {
      const ping = { text: 'event: ping\ndata: {"type": "ping"}\n\n' }
      return fields['index'] === 0 ? [one(null, {}), ping] : [one(null, {})]
    }
  }
  if (grown === null) return [one(null, {})]
  const growing = { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: written(grown) }
  return [one(null, {}), { text: eventText('messages', growing), reports: grown }]
}

/** The usage that is known when an answer begins: all input, and the first token of the output. */
function begun(usage: Usage | null): Usage | null {
  return usage && { ...usage, output: Math.min(usage.output, 1), reasoning: 0 }
}

/**
 * A field that no gateway knows. A trailing zero, an integer above 2^53, needless escapes and a blank in a list: parsing
 * and writing it again changes each of them, so comparing bytes shows who did.
 */
const UNKNOWN_FIELD =
  ',"x_unknown":{"number":1.50,"big":12345678901234567890,"escaped":"caf\\u00e9 \\/ bar","list":[1, 2]}'

/** The object as JSON with the unknown field added. */
export function writeWithUnknown(value: JsonFields): string {
  return `${JSON.stringify(value).slice(0, -1)}${UNKNOWN_FIELD}}`
}

/** `name`: of the event, where its data does not say it. */
function eventText(wire: WireName, fields: JsonFields, name?: string): string {
  const data = `data: ${writeWithUnknown(fields)}`
  if (wire === 'gemini') return `${data}\r\n\r\n`
  if (wire === 'chat') return `${data}\n\n`
  return `event: ${wire === 'converse' ? (name ?? '') : stringOf(fields['type'])}\n${data}\n\n`
}
