import { Stream } from 'openai/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { openaiChat } from './openai-chat.ts'
import type { EarlyEnd, StreamReader } from './protocol.ts'

const CHUNK = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":17,"model":"模型","choices":[]}'
const EMPTY = { index: 0, delta: {}, finish_reason: null }

const END: EarlyEnd = {
  inputTokens: 40,
  outputTokens: 7,
  includeUsage: false,
  model: 'm',
  requestId: 'req_1',
  nowMs: 17_900,
}

/** The data of each event. */
function dataIn(events: Buffer): unknown[] {
  const data = [...events.toString().matchAll(/^data: (.*)$/gm)].map(([, text]) => String(text))
  return data.map((text) => (text === '[DONE]' ? text : (JSON.parse(text) as unknown)))
}

function said(choice: object): Buffer {
  return Buffer.from(`data: ${CHUNK.replace('"choices":[]', `"choices":[${JSON.stringify(choice)}]`)}\n\n`)
}

function reader(): StreamReader {
  return openaiChat.openStream({ dropUsageChunk: false })
}

function dataOf(event: Buffer | null): unknown {
  return JSON.parse(String(/^data: (.*)\n\n$/.exec(String(event))?.[1]))
}

async function readBySdk(bytes: Buffer): Promise<unknown[]> {
  const chunks: unknown[] = []
  for await (const chunk of Stream.fromSSEResponse(new Response(new Uint8Array(bytes)), new AbortController()))
    chunks.push(chunk)
  return chunks
}

test('a keep-alive is a chunk of the same answer with an empty delta, and is allowed before the first one', () => {
  const stream = reader()
  expect(dataOf(stream.keepAlive())).toMatchObject({ id: '', object: 'chat.completion.chunk', choices: [EMPTY] })
  stream.push(Buffer.from(`: waiting\n\ndata: ${CHUNK}\n\n`))
  const named = { id: 'chatcmpl-1', created: 17, model: '模型', choices: [EMPTY] }
  expect(dataOf(stream.keepAlive())).toMatchObject(named)
  stream.push(Buffer.from(': waiting\n\n'))
  expect(dataOf(stream.keepAlive())).toMatchObject(named)
})

test('no keep-alive goes out behind the end', () => {
  const stream = reader()
  stream.push(Buffer.from('data: [DONE]\n\n'))
  expect(stream.keepAlive()).toBeNull()
})

test('OpenAI’s SDK reads keep-alives, and a fault as its own error', async () => {
  const stream = reader()
  const keepAlive = stream.keepAlive() ?? Buffer.alloc(0)
  const fault = stream.writeFault(new Fault('upstream_timeout', 'The model went silent. Try again.'), 'req_1')
  expect(await readBySdk(keepAlive)).toHaveLength(1)
  await expect(readBySdk(Buffer.concat([keepAlive, fault]))).rejects.toThrow('The model went silent. Try again.')
  expect(dataOf(fault)).toEqual({
    error: { message: 'The model went silent. Try again.', type: 'api_error', param: null, code: 'upstream_timeout' },
  })
})

test('reads a whole answer', () => {
  const message = {
    reasoning_content: 'hm ',
    content: 'Hé ',
    tool_calls: [{ id: 'call_1', function: { name: 'f', arguments: '{"x":1}' } }],
  }
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } }
  const answer = openaiChat.readAnswer(Buffer.from(JSON.stringify({ id: 'x', choices: [{ message }], usage })))
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: 7, cacheRead: 2, output: 4 } })
  expect(answer.kind === 'answer' && answer.producedText()).toBe('hm Hé f{"x":1}')
})

test('an error with a good status is a failure', () => {
  const answer = openaiChat.readAnswer(Buffer.from('{"error":{"message":"No credit","code":402},"choices":null}'))
  expect(answer).toMatchObject({ kind: 'failed', error: { message: 'No credit', code: '402' }, usage: { input: null } })
  const choices = [{ message: { content: 'Hi' } }]
  expect(openaiChat.readAnswer(Buffer.from(JSON.stringify({ error: null, choices })))).toMatchObject({ kind: 'answer' })
})

test.for([
  ['{}', 'malformed'],
  ['{"id":"chatcmpl-1","choices":[]}', 'malformed'],
  ['{"choices":null,"usage":null}', 'malformed'],
  ['{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0}}', 'malformed'],
  ['{"choices":[{"message":{"content":""}}]}', 'malformed'],
  ['{"choices":[{"message":{"content":""}}],"usage":{"prompt_tokens":7,"completion_tokens":0}}', 'answer'],
  ['{"choices":[{"message":{"content":"Hi"}}]}', 'answer'],
] as const)('a body without choices, or without a word and a count, is not an answer: %s', ([body, kind]) => {
  expect(openaiChat.readAnswer(Buffer.from(body)).kind).toBe(kind)
})

test('an early end finishes the choice and says [DONE]; before any chunk it begins an answer', () => {
  const begun = reader()
  begun.push(said({ index: 0, delta: { content: 'Hé' }, finish_reason: null }))
  const finished = { index: 0, delta: {}, logprobs: null, finish_reason: 'length' }
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 17, model: '模型' }
  expect(dataIn(begun.finishEarly(END))).toEqual([{ ...chunk, choices: [finished] }, '[DONE]'])
  const delta = { role: 'assistant', content: '' }
  const made = { ...chunk, id: 'chatcmpl-1', model: 'm', choices: [{ ...finished, delta }] }
  expect(dataIn(reader().finishEarly(END))).toEqual([made, '[DONE]'])
})

test('a report of Azure’s filter, which has no id, names no other answer in a keep-alive or an early end', () => {
  const prompt = '{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[]}'
  const report = { index: 0, finish_reason: null, content_filter_offsets: {}, content_filter_results: {} }
  const behind = `{"id":"","choices":[${JSON.stringify(report)}],"created":0,"model":"","object":""}`
  const named = { id: 'chatcmpl-1', created: 17, model: '模型' }
  const stream = reader()
  stream.push(Buffer.from(`data: ${prompt}\n\n`))
  stream.push(said({ index: 0, delta: { content: 'Hé' }, finish_reason: null }))
  stream.push(Buffer.from(`data: ${behind}\n\n`))
  expect(dataOf(stream.keepAlive())).toMatchObject(named)
  expect(dataIn(stream.finishEarly(END))).toMatchObject([
    { ...named, choices: [{ finish_reason: 'length' }] },
    '[DONE]',
  ])
})

test('an early end behind the last word is only the end', () => {
  const stream = reader()
  stream.push(said({ index: 0, delta: {}, finish_reason: 'stop' }))
  expect(dataIn(stream.finishEarly(END))).toEqual(['[DONE]'])
})

test('an empty reason to finish, as some upstreams send with each chunk, finishes nothing', () => {
  const stream = reader()
  stream.push(said({ index: 0, delta: { content: 'Hé' }, finish_reason: '' }))
  expect(dataIn(stream.finishEarly(END))).toMatchObject([{ choices: [{ finish_reason: 'length' }] }, '[DONE]'])
})

test('of several choices an early end finishes those that have begun and not finished', () => {
  const stream = openaiChat.openStream({ dropUsageChunk: false, choices: 3 })
  stream.push(said({ delta: { content: 'a' }, index: 0, finish_reason: null }))
  stream.push(said({ delta: { tool_calls: [{ index: 2 }] }, index: 1, finish_reason: null }))
  stream.push(said({ delta: {}, index: 0, finish_reason: 'stop' }))
  expect(dataIn(stream.finishEarly(END))).toMatchObject([
    { choices: [{ index: 1, finish_reason: 'length' }] },
    '[DONE]',
  ])
})

test('usage is in an early end where the client asked for it, its input is known, and it was not reported yet', () => {
  const usage = { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 }
  const asked = { ...END, includeUsage: true }
  expect(dataIn(reader().finishEarly(asked)).at(-2)).toMatchObject({ choices: [], usage })
  expect(dataIn(reader().finishEarly({ ...asked, inputTokens: null })).length).toBe(2)
  const reported = reader()
  reported.push(Buffer.from(`data: ${CHUNK.slice(0, -1)},"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n`))
  expect(dataIn(reported.finishEarly(asked)).length).toBe(2)
})

test('the estimate is what the upstream reported once that is final, and before that the larger', () => {
  const stream = reader()
  stream.push(said({ index: 0, delta: { content: 'one two three' }, finish_reason: null }))
  const estimated = stream.estimatedOutputTokens
  expect(estimated).toBeGreaterThanOrEqual(3)
  const report = (tokens: number, choices: string): Buffer =>
    Buffer.from(
      `data: ${CHUNK.replace('"choices":[]', `"choices":${choices},"usage":{"completion_tokens":${tokens}}`)}\n\n`,
    )
  stream.push(report(90, '[{"index":0,"delta":{},"finish_reason":null}]'))
  expect(stream.estimatedOutputTokens).toBe(90)
  const other = reader()
  other.push(said({ index: 0, delta: { content: 'one two three '.repeat(50) }, finish_reason: null }))
  other.push(report(60, '[]'))
  expect(other.estimatedOutputTokens).toBe(60)
})

const DELTAS: readonly (readonly [object, string])[] = [
  [{ tool_calls: [{ index: 0, id: 'no', type: 'custom', custom: { name: 'run', input: 'ls -l' } }] }, 'runls -l'],
  [{ tool_calls: [{ index: 0, custom: { input: ' more' } }] }, ' more'],
  [{ function_call: { name: 'f', arguments: '{}' } }, 'f{}'],
  [{ audio: { id: 'no', transcript: 'Hello', data: 'UklGR' } }, 'Hello'],
  [
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'a' },
      ],
    },
    'aa',
  ],
  [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'so' }] }] }, 'so'],
  [{ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }, 'hm'],
  [{ reasoning_details: [{ type: 'reasoning.summary', summary: 'in short' }] }, 'in short'],
  [{ reasoning_content: 'hm', thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 'no' }] }, 'hm'],
]

test.for(DELTAS)('of %j the model wrote %s, streamed or whole', ([delta, text]) => {
  const stream = reader()
  stream.push(said({ index: 0, delta, finish_reason: null }))
  expect(stream.producedText()).toBe(text)
  const answer = openaiChat.readAnswer(Buffer.from(JSON.stringify({ choices: [{ index: 0, message: delta }] })))
  expect(answer.kind === 'answer' && answer.producedText()).toBe(text)
})

test('the input of a custom tool is in the estimate while it comes', () => {
  const stream = reader()
  for (let i = 0; i < 100; i++) {
    const tool_calls = [{ index: 0, custom: { input: 'hello big world of tokens ' } }]
    stream.push(said({ index: 0, delta: { tool_calls }, finish_reason: null }))
  }
  expect(stream.estimatedOutputTokens).toBeGreaterThan(400)
})
