import { Stream } from '@anthropic-ai/sdk/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import type { EarlyEnd } from './protocol.ts'

const END: EarlyEnd = {
  inputTokens: 40,
  outputTokens: 7,
  includeUsage: false,
  model: 'm',
  requestId: 'req_1',
  nowMs: 17_900,
}
const STOPPED = { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null } }

/** The data of the early end of a stream with these events. */
function endedBehind(...events: readonly object[]): unknown[] {
  const stream = anthropicMessages.openStream({ dropUsageChunk: false })
  for (const event of events) stream.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  const end = stream.finishEarly(END).toString()
  return [...end.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)) as unknown)
}

function started(usage: object): object {
  return { type: 'message_start', message: { id: 'msg_up', type: 'message', role: 'assistant', content: [], usage } }
}

test('Anthropic’s SDK reads over keep-alives, also before the first event, and throws a fault as its own error', async () => {
  const stream = anthropicMessages.openStream({ dropUsageChunk: false })
  const fault = stream.writeFault(new Fault('upstream_overloaded', 'The model is busy. Try again.'), 'req_1')
  expect(stream.keepAlive()?.toString()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  const bytes = Buffer.concat([stream.keepAlive() ?? fault, fault])
  const events = Stream.fromSSEResponse(new Response(new Uint8Array(bytes)), new AbortController())
  const read = async (): Promise<void> => {
    for await (const event of events) expect(event).toEqual({ type: 'ping' })
  }
  await expect(read()).rejects.toMatchObject({
    message: expect.stringContaining('The model is busy. Try again.') as string,
    type: 'overloaded_error',
  })
})

test('reads a whole answer', () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 'EqQB' },
    { type: 'text', text: 'Hé' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
  ]
  const usage = { input_tokens: 9, output_tokens: 4, cache_read_input_tokens: 2 }
  const answer = anthropicMessages.readAnswer(Buffer.from(JSON.stringify({ type: 'message', content, usage })))
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: 9, cacheRead: 2, output: 4 } })
  expect(answer.kind === 'answer' && answer.producedText()).toBe('hmHéf{"x":1}')
})

test('an error with a good status is a failure', () => {
  const body = Buffer.from('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
  expect(anthropicMessages.readAnswer(body)).toMatchObject({ kind: 'failed', error: { message: 'Overloaded' } })
})

test('an early end before the first event begins a message', () => {
  const usage = { input_tokens: 40, output_tokens: 0 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
  expect(endedBehind()).toEqual([
    { type: 'message_start', message: { ...message, stop_sequence: null, usage } },
    { ...STOPPED, usage: { input_tokens: 40, output_tokens: 7 } },
    { type: 'message_stop' },
  ])
})

test('an early end closes the block that is open, and reports the input only where it was not reported before', () => {
  const open = {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
  }
  const closed = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_stop', index: 0 },
  ]
  const stop = { type: 'content_block_stop', index: 1 }
  const end = [{ ...STOPPED, usage: { output_tokens: 7 } }, { type: 'message_stop' }]
  const reported = started({ input_tokens: 5, output_tokens: 1 })
  expect(endedBehind(reported, ...closed, open)).toEqual([stop, ...end])
  expect(endedBehind(reported, ...closed)).toEqual(end)
  const unreported = endedBehind(started({ input_tokens: 0, output_tokens: 0 }), open)
  expect(unreported[1]).toEqual({ ...STOPPED, usage: { input_tokens: 40, output_tokens: 7 } })
})

test('an early end behind the stop reason leaves it as it is', () => {
  const delta = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }
  expect(endedBehind(started({ input_tokens: 5, output_tokens: 1 }), delta)).toEqual([{ type: 'message_stop' }])
})

test('the summary of a compaction was written by the model, what a citation cites was not', () => {
  const stream = anthropicMessages.openStream({ dropUsageChunk: false })
  const deltas = [
    { type: 'compaction_delta', content: 'in short', encrypted_content: 'no' },
    { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'no', document_title: 'no' } },
    { type: 'signature_delta', signature: 'no' },
  ]
  for (const delta of deltas) {
    const event = { type: 'content_block_delta', index: 0, delta }
    stream.push(Buffer.from(`event: content_block_delta\ndata: ${JSON.stringify(event)}\n\n`))
  }
  expect(stream.producedText()).toBe('in short')
})
