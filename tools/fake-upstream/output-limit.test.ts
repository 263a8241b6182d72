import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'
import { withinLimit } from './output-limit.ts'

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterAll(() => upstream.close())

const USAGE = { input: 5, cached: 0, cacheWrite: 0, output: 20, reasoning: 12 }

test('an answer is cut by its own count of tokens, or by its bytes where it counts too few', () => {
  const pieces = ['0123456789', '0123456789']
  expect(withinLimit({ pieces, usage: USAGE }, 20)).toBeNull()
  expect(withinLimit({ pieces, usage: USAGE }, 11)).toEqual({
    pieces: ['0123456789', '0'],
    usage: { ...USAGE, output: 11, reasoning: 11 },
  })
  expect(withinLimit({ pieces, usage: { ...USAGE, output: 1, reasoning: 0 } }, 2)?.pieces).toEqual(['01234567'])
})

test('no character is cut in half', () => {
  const cut = withinLimit({ pieces: ['a你好', 'b'], usage: { ...USAGE, output: 8 } }, 5)
  expect(cut?.pieces).toEqual(['a你'])
})

const MODEL = 'fake/big-chunks?chunks=10&text_bytes=40&output=100'
const TEXT = [{ role: 'user', content: 'hello' }]

test.for([
  ['chat', '/v1/chat/completions', { messages: TEXT, max_completion_tokens: 30 }, '"finish_reason":"length"'],
  ['chat, by the older name', '/v1/chat/completions', { messages: TEXT, max_tokens: 30 }, '"finish_reason":"length"'],
  ['responses', '/v1/responses', { input: 'hello', max_output_tokens: 30 }, '"reason":"max_output_tokens"'],
  ['messages', '/v1/messages', { messages: TEXT, max_tokens: 30 }, '"stop_reason":"max_tokens"'],
  [
    'gemini',
    '/v1beta/models/MODEL:',
    { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], generationConfig: { maxOutputTokens: 30 } },
    '"finishReason":"MAX_TOKENS"',
  ],
] as const)('on the wire %s an answer ends at the limit of its call, and says so', async ([, path, body, reason]) => {
  for (const stream of [true, false]) {
    const keeping = await answer(path, { model: `${MODEL}&keeps_limits=1`, stream, body })
    expect(keeping).toContain(reason)
    expect(keeping).toMatch(/"(?:completion_tokens|output_tokens|candidatesTokenCount)":\s?30\b/)
    const other = await answer(path, { model: MODEL, stream, body })
    expect(other).not.toContain(reason)
    expect(other.length).toBeGreaterThan(keeping.length)
  }
})

async function answer(path: string, call: { model: string; stream: boolean; body: object }): Promise<string> {
  const { model, stream, body } = call
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const isGemini = path.endsWith(':')
  const url = isGemini ? path.replace('MODEL', encodeURIComponent(model)) + method : path
  const options = stream && path.endsWith('completions') ? { stream_options: { include_usage: true } } : {}
  const fields = isGemini ? body : { model, stream, ...options, ...body }
  const response = await fetch(upstream.url + url, { method: 'POST', body: JSON.stringify(fields) })
  return response.text()
}
