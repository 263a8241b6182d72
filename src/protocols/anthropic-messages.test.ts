import { Stream } from '@anthropic-ai/sdk/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { anthropicMessages } from './anthropic-messages.ts'

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

test('the answer of count_tokens is an answer without usage', () => {
  const answer = anthropicMessages.readAnswer(Buffer.from('{"input_tokens":2095}'))
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: null, output: null } })
})

test('an error with a good status is a failure', () => {
  const body = Buffer.from('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
  expect(anthropicMessages.readAnswer(body)).toMatchObject({ kind: 'failed', error: { message: 'Overloaded' } })
})
