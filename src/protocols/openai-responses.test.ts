import { Stream } from 'openai/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { openaiResponses } from './openai-responses.ts'
import type { EarlyEnd } from './protocol.ts'

const FAULT = new Fault('upstream_timeout', 'The model went silent. Try again.')
const CREATED =
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","created_at":17,"model":"m","error":null}}\n\n'
const DELTA = (number: number): string =>
  `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"\\"sequence_number\\":99","sequence_number": ${number}}\n\n`

const END: EarlyEnd = {
  inputTokens: 40,
  outputTokens: 7,
  includeUsage: false,
  model: 'm',
  requestId: 'req_1',
  nowMs: 17_900,
}

interface Event {
  readonly type: string
  readonly sequence_number: number
  readonly response?: { readonly [field: string]: unknown }
}

/** The events of the early end of a stream with these events. */
function endedBehind(events: readonly string[], how: Partial<EarlyEnd> = {}): Event[] {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  for (const event of events) stream.push(Buffer.from(event))
  const end = stream.finishEarly({ ...END, ...how }).toString()
  return [...end.matchAll(/^event: (\S+)\ndata: (.*)$/gm)].map(([, name, data]) => {
    const event = JSON.parse(String(data)) as Event
    expect(event.type).toBe(name)
    return event
  })
}

function dataOf(event: Buffer | null): unknown {
  return JSON.parse(String(/^event: \S+\ndata: (.*)\n\n$/.exec(String(event))?.[1]))
}

test('a keep-alive is a comment before response.created, and behind it takes the number of the event before it', () => {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  expect(String(stream.keepAlive())).toBe(': keep-alive\n\n')
  stream.push(Buffer.from(CREATED.slice(0, 60)))
  expect(String(stream.keepAlive())).toBe(': keep-alive\n\n')
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

test('an early end before the first event creates a response', () => {
  const [created, incomplete, ...more] = endedBehind([])
  expect(more).toEqual([])
  expect(created).toMatchObject({
    type: 'response.created',
    sequence_number: 0,
    response: { id: 'resp_1', object: 'response', created_at: 17, model: 'm', status: 'in_progress', output: [] },
  })
  expect(incomplete).toMatchObject({
    type: 'response.incomplete',
    sequence_number: 1,
    response: { id: 'resp_1', model: 'm', status: 'incomplete', output: [] },
  })
})

test('an early end repeats the response as it was created, without what the client sent at length', () => {
  const fields = {
    id: 'resp_up',
    created_at: 18,
    model: 'm-2',
    metadata: { a: '1' },
    temperature: 0.5,
    status: 'in_progress',
  }
  const long = { instructions: 'x'.repeat(5_000), tools: [{ name: 'x'.repeat(5_000) }] }
  const response = { ...fields, ...long, unknown: 1, output: [] }
  const created = `data: ${JSON.stringify({ type: 'response.created', sequence_number: 4, response })}\n\n`
  const [event, ...more] = endedBehind([created])
  expect(more).toEqual([])
  expect(event).toEqual({
    type: 'response.incomplete',
    sequence_number: 5,
    response: {
      ...fields,
      object: 'response',
      status: 'incomplete',
      instructions: null,
      tools: [],
      output: [],
      error: null,
      incomplete_details: { reason: 'max_output_tokens' },
      usage: {
        input_tokens: 40,
        output_tokens: 7,
        total_tokens: 47,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    },
  })
  expect(endedBehind([created], { inputTokens: null })[0]?.response?.['usage']).toBeNull()
})

test('an early end goes on with the numbers, and its output is all that was sent', () => {
  const done = '{"id":"rs_1","type":"reasoning","summary":[],"big":12345678901234567890}'
  const item = `event: response.output_item.done\ndata: {"type":"response.output_item.done","output_index":0,"item":${done},"sequence_number":1}\n\n`
  const added = `data: {"type":"response.output_item.added","output_index":1,"item":{"id":"msg_1","type":"message"},"sequence_number":2}\n\n`
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  stream.push(Buffer.from(CREATED + item + added + DELTA(3)))
  const end = stream.finishEarly(END).toString()
  expect(end).toContain(`"output":[${done},{"id":"msg_1"`)
  expect([...end.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number))).toEqual([4, 5, 6, 7])
})

test('a response that was created with broken fields can still be failed and ended', () => {
  const broken = CREATED.replace('"model":"m"', '"model":"\\x"')
  expect(endedBehind([broken])[0]?.response).toMatchObject({ id: 'resp_1', status: 'incomplete' })
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  stream.push(Buffer.from(broken))
  expect(dataOf(stream.writeFault(FAULT, 'req_1'))).toMatchObject({ response: { id: 'resp_1', model: null } })
})

test.for(['queued', 'in_progress'])('an answer that is %s and counts nothing is refused', (status) => {
  const read = (more: object): string =>
    openaiResponses.readAnswer(Buffer.from(JSON.stringify({ status, output: [], usage: null, ...more }))).kind
  expect(read({})).toBe('malformed')
  expect(read({ usage: {} })).toBe('malformed')
  expect(read({ usage: { input_tokens: 9, output_tokens: 4 } })).toBe('answer')
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }]
  expect(read({ status: 'completed', output })).toBe('answer')
})

test('a stream that ends with a response that is still to come has failed, unless something came', () => {
  const response = { id: 'resp_1', status: 'queued', output: [], usage: null, error: null }
  const end = Buffer.from(`data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`)
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  stream.push(Buffer.from(CREATED))
  stream.push(end)
  expect(stream.finish()).toMatchObject({
    kind: 'failed',
    error: { message: expect.stringContaining('queue') as string },
  })
  const other = openaiResponses.openStream({ dropUsageChunk: false })
  other.push(Buffer.from(CREATED + DELTA(1)))
  other.push(end)
  expect(other.finish().kind).toBe('complete')
})

test('calls whose arguments are not text count as what the model wrote', () => {
  const output = [
    { type: 'shell_call', action: { commands: ['ls', 'cat a'] } },
    { type: 'local_shell_call', action: { command: ['pwd'], env: { A: 'no' } } },
    { type: 'apply_patch_call', operation: { type: 'update_file', diff: '+b' } },
    { type: 'tool_search_call', arguments: { q: 1 } },
    { type: 'code_interpreter_call', code: 'x', outputs: [{ type: 'logs', logs: 'no' }] },
    { type: 'mcp_call', arguments: '{}', output: 'no' },
  ]
  const answer = openaiResponses.readAnswer(Buffer.from(JSON.stringify({ status: 'completed', output })))
  expect(answer.kind === 'answer' && answer.producedText()).toBe('lscat apwd+b{"q":1}x{}')
})

test('every kind of delta that the model writes is counted, what tools printed is not', () => {
  const stream = openaiResponses.openStream({ dropUsageChunk: false })
  const kinds = [
    'function_call_arguments',
    'custom_tool_call_input',
    'mcp_call_arguments',
    'code_interpreter_call_code',
    'reasoning_summary_text',
    'shell_call_command',
    'audio.transcript',
  ]
  for (const kind of kinds) stream.push(Buffer.from(`data: {"type":"response.${kind}.delta","delta":"<${kind}>"}\n\n`))
  stream.push(Buffer.from('data: {"type":"response.shell_call_output_content.delta","delta":{"stdout":"no"}}\n\n'))
  expect(stream.producedText()).toBe(kinds.map((kind) => `<${kind}>`).join(''))
})
