import { Stream } from 'openai/core/streaming'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { openaiChat } from './openai-chat.ts'
import type { StreamReader } from './protocol.ts'

const CHUNK = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":17,"model":"模型","choices":[]}'
const EMPTY = { index: 0, delta: {}, finish_reason: null }

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
  expect(openaiChat.readAnswer(Buffer.from('{"error":null,"choices":[]}'))).toMatchObject({ kind: 'answer' })
})
