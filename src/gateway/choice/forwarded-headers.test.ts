import { expect, test } from 'vitest'
import { forwardedHeaders } from './forwarded-headers.ts'

test('credentials, the connection and the client’s whereabouts end at the gateway; everything else arrives', () => {
  const raw = [
    ['Host', 'gateway'],
    ['Authorization', 'Bearer secret'],
    ['X-Api-Key', 'secret'],
    ['x-goog-api-key', 'secret'],
    ['Cookie', 'session=secret'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Connection', 'keep-alive'],
    ['Content-Length', '12'],
    ['Accept-Encoding', 'gzip'],
    ['OpenAI-Organization', 'org-mine'],
    ['Content-Type', 'application/json'],
    ['Anthropic-Beta', 'a-2026'],
    ['Anthropic-Beta', 'b-2026'],
    ['X-Stainless-Lang', 'js'],
    ['X-Claude-Code-Session-Id', 's1'],
  ].flat()
  expect(forwardedHeaders(raw, 'req_1')).toEqual({
    'content-type': 'application/json',
    'anthropic-beta': 'a-2026, b-2026',
    'x-stainless-lang': 'js',
    'x-claude-code-session-id': 's1',
    'x-request-id': 'req_1',
  })
})

test('of two content types the first goes on alone, since the body was read by that', () => {
  const raw = ['Content-Type', 'multipart/form-data; boundary=a', 'content-type', 'multipart/form-data; boundary=b']
  expect(forwardedHeaders(raw, 'req_1')['content-type']).toBe('multipart/form-data; boundary=a')
})
