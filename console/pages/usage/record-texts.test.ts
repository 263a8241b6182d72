import { expect, test } from 'vitest'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { retryWithCurl, supportText, tokensPerSecond } from './record-texts.ts'

const RECORD = {
  id: 'req_1',
  created_at: '2026-11-21T08:30:00Z',
  key_id: 'key_1',
  key_name: 'laptop',
  group: 'default',
  model: 'demo/echo',
  protocol: 'openai-chat',
  stream: true,
  outcome: 'failed',
  fault: 'upstream_timeout',
  http_status: 504,
  attempts: [
    { upstream: 'upstream-1', model: null, fault: 'upstream_timeout', status: null, total_ms: 900 },
    { upstream: 'upstream-2', model: null, fault: null, status: 200, total_ms: 1_000 },
  ],
  client: null,
  first_byte_ms: 1_000,
  total_ms: 2_000,
  tokens: { output: 60 },
} as unknown as UsageRecordView

test('the speed of an answer is that of its stream alone', () => {
  expect(tokensPerSecond(RECORD)).toBe(60)
  for (const part of [{ stream: false }, { first_byte_ms: null }, { total_ms: 1_000 }])
    expect(tokensPerSecond({ ...RECORD, ...part })).toBeNull()
  expect(tokensPerSecond({ ...RECORD, tokens: { output: null } })).toBeNull()
})

test('what is copied for support finds the request and has nothing secret, not the name of a key either', () => {
  const text = supportText(RECORD, 'https://ai.example.test')
  expect(text).toContain('request: req_1\ntime: 2026-11-21T08:30:00Z\ngateway: https://ai.example.test')
  expect(text).toContain('error: upstream_timeout\nhttp status: 504')
  expect(text).toContain('attempts: upstream-1 upstream_timeout 900 ms, upstream-2 ok 1000 ms')
  expect(text).not.toMatch(/sk-|laptop|null/)
})

test.for([
  ['openai-chat', '/v1/chat/completions', '"stream":true'],
  ['openai-responses', '/v1/responses', '"input":'],
  ['anthropic-messages', '/v1/messages', '"max_tokens":16'],
  ['gemini', '/v1beta/models/demo%2Fecho:streamGenerateContent?alt=sse', '"contents":'],
] as const)('%s is tried again with its own path and body, quoted for the shell', ([protocol, path, part]) => {
  const line = retryWithCurl({ protocol, model: 'demo/echo', stream: true }, 'http://localhost:8787')
  expect(line).toContain(`curl 'http://localhost:8787${path}'`)
  expect(line).toContain(part)
  expect(line).toContain('$TOLLGATE_KEY')
})

test('a name with a quotation mark stays one word for the shell', () => {
  const line = retryWithCurl({ protocol: 'openai-chat', model: "it's", stream: false }, 'http://x')
  expect(line).toContain(`-d '{"model":"it'\\''s"`)
})

test('what takes no message cannot be tried again with one', () => {
  expect(retryWithCurl({ protocol: 'openai-images', model: 'picture', stream: false }, 'http://x')).toBeNull()
  expect(retryWithCurl({ protocol: null, model: 'm', stream: false }, 'http://x')).toBeNull()
})
