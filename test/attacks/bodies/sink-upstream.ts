import type { Script } from '../../support/scripted-upstream.ts'

/** Requests below this path are refused as sealed by another organisation. */
export const REFUSES = '/refuses'

const USAGE = { input_tokens: 1, output_tokens: 1 }
const CHAT_USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const OUTPUT = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] }
const CONTENT = { role: 'model', parts: [{ text: 'yes' }] }

/** Google's, whole, as it may also come where a stream was asked for. */
const GENERATED = {
  candidates: [{ finishReason: 'STOP', content: CONTENT }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
}

/** What it answers, by the end of the path. */
const ANSWERS: Readonly<Record<string, object>> = {
  completions: {
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', text: 'yes', message: { role: 'assistant', content: 'yes' } }],
    usage: CHAT_USAGE,
  },
  responses: { id: 'resp_1', object: 'response', status: 'completed', output: [OUTPUT], usage: USAGE },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'yes' }],
    stop_reason: 'end_turn',
    usage: USAGE,
  },
  count_tokens: { input_tokens: 1 },
  input_tokens: { object: 'response.input_tokens', input_tokens: 1 },
  generateContent: GENERATED,
  streamGenerateContent: GENERATED,
  countTokens: { totalTokens: 1 },
  embeddings: { object: 'list', data: [{ index: 0, object: 'embedding', embedding: [1] }], usage: CHAT_USAGE },
  moderations: { id: 'modr_1', model: 'm', results: [{ flagged: false }] },
  rerank: { results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: 1 } },
  generations: { data: [{ url: 'https://e.test/a.png' }] },
  edits: { data: [{ url: 'https://e.test/a.png' }] },
  transcriptions: { text: 'yes' },
}
const SPOKEN = { text: 'yes' }
const REFUSAL = JSON.stringify({ error: { message: 'It could not be verified.', code: 'invalid_encrypted_content' } })

/** Reads bodies of any size without looking at them, and answers at once. */
export const sink: Script = (request, response) => {
  request.resume()
  request.on('end', () => {
    const isRefused = request.url?.startsWith(REFUSES) === true
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
    const [path = ''] = (request.url ?? '').split('?', 1)
    const method = path.split(/[/:]/).at(-1) ?? ''
    response.end(isRefused ? REFUSAL : JSON.stringify(ANSWERS[method] ?? SPOKEN))
  })
}
