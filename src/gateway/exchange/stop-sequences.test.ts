import { expect, test } from 'vitest'
import { DRAIN_MS } from '../../core/limits.ts'
import { begin, settle, STREAM } from '../../../test/support/exchange-by-hand.ts'

/** Stop sequences at an upstream that has none (responses): the answer ends here, and is charged for what came. */

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const CREATED = event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })
const text = (delta: string): string =>
  event('response.output_text.delta', { output_index: 0, content_index: 0, item_id: 'msg_1', delta })
const THOUGHT =
  event('response.output_item.added', { output_index: 0, item: { type: 'reasoning', id: 'rs_1' } }) +
  event('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 0, item_id: 'rs_1', delta: 'Hm' })
const textAt1 = (delta: string): string =>
  event('response.output_text.delta', { output_index: 1, content_index: 0, item_id: 'msg_1', delta })
const COMPLETED = event('response.completed', {
  response: {
    id: 'resp_1',
    status: 'completed',
    output: [],
    usage: { input_tokens: 5, output_tokens: 30, total_tokens: 35 },
  },
})

type Begun = ReturnType<typeof begin>
type Options = Parameters<typeof begin>[0]

function streamed(events: string, options: Options = {}): Begun {
  const messages = [{ role: 'user', content: 'Hi' }]
  const fields = { max_tokens: 100, stop_sequences: ['END'], messages, ...options?.fields }
  const begun = begin({ targets: ['ups_1'], openai: ['ups_1'], ...options, fields })
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(events))
  return begun
}

function recordsOf({ settled }: Begun) {
  return settled.map(({ record }) => ({
    outcome: record.outcome,
    fault: record.fault,
    input: record.tokens.input,
    output: record.tokens.output,
    source: record.usageSource,
    notes: record.usageNotes,
  }))
}

const COUNTED = { outcome: 'completed', fault: null, input: 7, output: 11, source: 'estimated', notes: [] }
const REPORTED = { outcome: 'completed', fault: null, input: 5, output: 30, source: 'reported', notes: [] }

/** The end of an answer in Anthropic's wire. */
function endOf({ response }: Begun): object {
  const [, data = '{}'] = /event: message_delta\ndata: (.*)\n/.exec(response.written) ?? []
  return JSON.parse(data) as object
}

test('the upstream is cancelled at once, and the client pays for what came until then', async () => {
  const begun = streamed(CREATED + text('one ') + text('EN') + text('D more'))
  await settle()
  expect(begun.attempt(0).isAborted).toBe(true)
  // Our count of all that the model wrote: also of what came behind the sequence in the same bytes.
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 'one END more'.length }])
  expect(begun.response.written).toContain('"text":"one "')
  expect(begun.response.written).not.toContain('more')
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } })
  expect(begun.response.written.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true)
  expect(begun.response.writableEnded).toBe(true)
  expect(begun.reservation.isOpen).toBe(false)
  expect(begun.running.size).toBe(0)
})

test('the usage that the client reads is what stands in the books', async () => {
  const begun = streamed(CREATED + text('one twoEND'))
  await settle()
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 10 }])
  expect(endOf(begun)).toMatchObject({ usage: { input_tokens: 7, output_tokens: 10 } })
})

test('nothing more is asked of an upstream that had ended as well: its usage is charged', async () => {
  const begun = streamed(CREATED + text('one END more') + COMPLETED)
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'stop_sequence' }, usage: { output_tokens: 30 } })
})

test('a model that thinks is read on for its usage, since what it thought does not show', async () => {
  const begun = streamed(CREATED + THOUGHT + textAt1('one END'))
  await settle()
  expect(begun.attempt(0).isAborted).toBe(false)
  expect(recordsOf(begun)).toEqual([])
  begun.attempt(0).handler.onData(Buffer.from(textAt1(' and more')))
  begun.attempt(0).handler.onData(Buffer.from(COMPLETED))
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
  expect(begun.response.written).not.toContain('more')
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } })
})

test('it is read on for so long at most, and what such a model thinks as a rule is charged then', async () => {
  const begun = streamed(CREATED + text('one END'), { thought: 40 })
  await settle()
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.pass(DRAIN_MS - 100)
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.pass(200)
  await settle()
  expect(begun.attempt(0).isAborted).toBe(true)
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 'one END'.length + 40, notes: ['hidden_output'] }])
  expect(begun.response.writableEnded).toBe(true)
})

test('input that is not in the request is read on for to the end, so that no whole context is charged for it', async () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://pictures.example.test/a.png' } }
  const messages = [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }]
  const begun = streamed(CREATED + text('one END'), { fields: { messages } })
  begun.pass(10 * DRAIN_MS)
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onData(Buffer.from(COMPLETED))
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
})

test('an upstream that breaks behind the end of the answer does not spoil it', async () => {
  const begun = streamed(CREATED + THOUGHT + textAt1('one END'))
  begun.attempt(0).handler.onFailure(new (await import('../../core/faults.ts')).Fault('upstream_unavailable', 'gone'))
  await settle()
  expect(recordsOf(begun)).toMatchObject([{ outcome: 'completed', fault: null, source: 'estimated' }])
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'stop_sequence' } })
  expect(begun.response.written).not.toContain('event: error')
})

test('a client that hangs up while the upstream is read on pays as others that hang up', async () => {
  const begun = streamed(CREATED + THOUGHT + textAt1('one END'))
  begun.exchange.clientGone()
  begun.attempt(0).handler.onData(Buffer.from(COMPLETED))
  await settle()
  expect(recordsOf(begun)).toEqual([{ ...REPORTED, outcome: 'aborted' }])
})

test('an answer that is the sequence and nothing else is an empty one', async () => {
  const begun = streamed(CREATED + text('END'))
  await settle()
  expect(begun.response.status).toBe(200)
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'stop_sequence' } })
  expect(recordsOf(begun)).toMatchObject([{ outcome: 'completed', source: 'estimated' }])
})

test('an answer without the sequence goes to its end, with what was held back of it', async () => {
  const begun = streamed(CREATED + text('one EN') + COMPLETED)
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
  expect(begun.response.written).toContain('"text":"EN"')
  expect(endOf(begun)).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null } })
})

test('a whole answer is cut, and charged as it was reported', async () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const fields = { max_tokens: 100, stop_sequences: ['END', 'STOP'], messages }
  const begun = begin({ targets: ['ups_1'], openai: ['ups_1'], stream: false, fields })
  const content = [{ type: 'output_text', text: 'one STOP two END', annotations: [] }]
  const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
  const usage = { input_tokens: 5, output_tokens: 30, total_tokens: 35 }
  begun.attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  begun.attempt(0).handler.onData(Buffer.from(JSON.stringify({ id: 'resp_1', status: 'completed', output, usage })))
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(JSON.parse(begun.response.written)).toMatchObject({
    content: [{ type: 'text', text: 'one ' }],
    stop_reason: 'stop_sequence',
    stop_sequence: 'STOP',
    usage: { output_tokens: 30 },
  })
  expect(recordsOf(begun)).toEqual([REPORTED])
})
