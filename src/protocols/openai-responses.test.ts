import { Stream } from 'openai/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { openaiResponses } from './openai-responses.ts'

const FAULT = new Fault('upstream_timeout', 'The model went silent. Try again.')
const CREATED =
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","created_at":17,"model":"m","error":null}}\n\n'
const DELTA = (number: number): string =>
  `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"\\"sequence_number\\":99","sequence_number": ${number}}\n\n`

function dataOf(event: Buffer | null): unknown {
  return JSON.parse(String(/^event: \S+\ndata: (.*)\n\n$/.exec(String(event))?.[1]))
}

test('a keep-alive waits for response.created and takes the number of the event before it', () => {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  expect(stream.keepAlive()).toBeNull()
  stream.push(Buffer.from(CREATED.slice(0, 60)))
  expect(stream.keepAlive()).toBeNull()
  stream.push(Buffer.from(CREATED.slice(60)))
  expect(dataOf(stream.keepAlive())).toEqual({ type: 'keepalive', sequence_number: 0 })
  stream.push(Buffer.from(DELTA(1) + DELTA(2)))
  stream.push(Buffer.from(': still here\n\n'))
  expect(dataOf(stream.keepAlive())).toEqual({ type: 'keepalive', sequence_number: 2 })
})

test('a fault before response.created is an error event, behind it the response fails', () => {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  const { message } = FAULT
  const code = 'upstream_timeout'
  expect(dataOf(stream.writeFault(FAULT, 'req_1'))).toEqual({
    type: 'error',
    code,
    message,
    param: null,
    sequence_number: 0,
  })
  stream.push(Buffer.from(CREATED + DELTA(1)))
  expect(dataOf(stream.writeFault(FAULT, 'req_1'))).toEqual({
    type: 'response.failed',
    sequence_number: 2,
    response: {
      id: 'resp_1',
      created_at: 17,
      model: 'm',
      object: 'response',
      status: 'failed',
      error: { code, message },
      usage: null,
      output: [],
    },
  })
})

test('OpenAI’s SDK throws the error event as its own error, and skips no keep-alive', async () => {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  const early = stream.writeFault(FAULT, 'req_1')
  stream.push(Buffer.from(CREATED))
  const late = Buffer.concat([stream.keepAlive() ?? early, stream.writeFault(FAULT, 'req_1')])
  const read = async (bytes: Buffer): Promise<unknown[]> => {
    const types: unknown[] = []
    const events = Stream.fromSSEResponse<{ type: string }>(new Response(new Uint8Array(bytes)), new AbortController())
    for await (const { type } of events) types.push(type)
    return types
  }
  await expect(read(early)).rejects.toThrow('The model went silent. Try again.')
  expect(await read(late)).toEqual(['keepalive', 'response.failed'])
})

test('reads a whole answer', () => {
  const output = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAA' },
    { type: 'message', content: [{ type: 'output_text', text: 'Hé', annotations: [] }] },
    { type: 'function_call', name: 'f', arguments: '{"x":1}', call_id: 'call_1' },
  ]
  const usage = { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 2 } }
  const answer = openaiResponses.readAnswer(
    Buffer.from(JSON.stringify({ status: 'completed', error: null, output, usage })),
  )
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: 7, cacheRead: 2, output: 4 } })
  expect(answer.kind === 'answer' && answer.producedText()).toBe('hmHéf{"x":1}')
})

test('a response that says it failed is a failure, which may have cost tokens', () => {
  const body = {
    status: 'failed',
    error: { code: 'server_error', message: 'Sorry' },
    usage: { input_tokens: 9, output_tokens: 0 },
  }
  expect(openaiResponses.readAnswer(Buffer.from(JSON.stringify(body)))).toMatchObject({
    kind: 'failed',
    error: { code: 'server_error', message: 'Sorry' },
    usage: { input: 9, output: 0 },
  })
})
