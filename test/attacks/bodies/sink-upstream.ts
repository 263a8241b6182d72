/** An upstream that reads bodies of any size without looking at them, and answers at once. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SinkUpstream {
  readonly url: string
  close(): Promise<void>
}

/** Below this path it refuses what it gets as sealed by another organisation. */
export const REFUSES = '/refuses'

const USAGE = { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const TEXT = { type: 'text', text: 'yes' }
const OUTPUT = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] }

/** An answer on every wire at once: each reader finds its own fields. */
const ANSWER = JSON.stringify({
  id: 'an_answer',
  object: 'response',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  model: 'm',
  stop_reason: 'end_turn',
  choices: [{ index: 0, finish_reason: 'stop', text: 'yes', message: { role: 'assistant', content: 'yes' } }],
  content: [TEXT],
  output: [OUTPUT],
  candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'yes' }] } }],
  data: [{ index: 0, object: 'embedding', embedding: [1], url: 'https://e.test/a.png' }],
  results: [{ index: 0, relevance_score: 1 }],
  usage: USAGE,
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  input_tokens: 1,
  totalTokens: 1,
  text: 'yes',
})
const REFUSAL = JSON.stringify({ error: { message: 'It could not be verified.', code: 'invalid_encrypted_content' } })

export async function startSinkUpstream(): Promise<SinkUpstream> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const isRefused = request.url?.startsWith(REFUSES) === true
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      response.end(isRefused ? REFUSAL : ANSWER)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
