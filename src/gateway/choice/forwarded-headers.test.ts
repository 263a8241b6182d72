import { expect, test } from 'vitest'
import { mayGoOn } from '../may-go-on.ts'
import { forwardedHeaders } from './forwarded-headers.ts'

const JSON_BODY = { requestId: 'req_1', also: new Set<string>(), body: 'json' } as const
const ALWAYS = { 'content-type': 'application/json', 'x-request-id': 'req_1' }

function names(raw: readonly string[]): readonly string[] {
  return Object.keys(
    forwardedHeaders(
      raw.flatMap((name) => [name, 'x']),
      JSON_BODY,
    ),
  )
}

test('what real clients say to their providers arrives', () => {
  const said = [
    'User-Agent',
    'Accept',
    'anthropic-version',
    'anthropic-beta',
    'anthropic-dangerous-direct-browser-access',
    'X-App',
    'X-Claude-Code-Session-Id',
    'X-Claude-Code-Agent-Id',
    'originator',
    'session-id',
    'thread-id',
    'x-codex-turn-state',
    'OpenAI-Beta',
    'x-session-id',
    'x-session-affinity',
    'X-Stainless-Lang',
    'x-goog-api-client',
    'idempotency-key',
  ]
  const lower = said.map((name) => name.toLowerCase())
  expect(new Set(names(said))).toEqual(new Set([...lower, 'content-type', 'x-request-id']))
})

test.for([
  [
    'Host',
    'Authorization',
    'X-Api-Key',
    'x-goog-api-key',
    'Cookie',
    'X-Forwarded-For',
    'Content-Length',
    'Accept-Encoding',
  ],
  [
    'x-goog-fieldmask',
    'x-http-method-override',
    'api-key',
    'authentication',
    'x-portkey-custom-host',
    'x-portkey-config',
  ],
  ['helicone-target-url', 'helicone-auth', 'x-litellm-api-key', 'x-amz-security-token', 'x-goog-user-project'],
  ['x-client-ip', 'true-client-ip', 'set-cookie', 'cf-ray', 'openai-organization', 'openai-project', 'x-unknown'],
])('what steers an upstream, says where the client is or is not known ends here: %j', (raw) => {
  expect(
    forwardedHeaders(
      raw.flatMap((name) => [name, 'x']),
      JSON_BODY,
    ),
  ).toEqual(ALWAYS)
})

test('a list in several lines arrives as one', () => {
  const raw = ['Anthropic-Beta', 'a-2026', 'Anthropic-Beta', 'b-2026']
  expect(forwardedHeaders(raw, JSON_BODY)).toEqual({ ...ALWAYS, 'anthropic-beta': 'a-2026, b-2026' })
})

test.for([
  [['Connection', 'anthropic-beta, X-Hop', 'anthropic-beta', 'a', 'x-app', 'cli']],
  [['anthropic-beta', 'a', 'connection', 'close', 'x-app', 'cli', 'Connection', 'ANTHROPIC-BETA']],
  [['anthropic-beta', 'a', 'connection', 'content-type , anthropic-beta', 'x-app', 'cli']],
])('what Connection names ends here: %j', ([raw = []]) => {
  expect(forwardedHeaders(raw, JSON_BODY)).toEqual({ ...ALWAYS, 'x-app': 'cli' })
})

test('an admin may add names, which Connection still takes away', () => {
  const also = new Set(['x-team'])
  const about = { ...JSON_BODY, also }
  expect(forwardedHeaders(['X-Team', 'red', 'x-other', 'y'], about)).toEqual({ ...ALWAYS, 'x-team': 'red' })
  expect(forwardedHeaders(['X-Team', 'red', 'connection', 'x-team'], about)).toEqual(ALWAYS)
})

test.for([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
  'connection',
  'content-type',
  'x-forwarded-for',
  'x-tollgate-a',
  'te',
  'a b',
  '',
])('an admin may not add %j', (name) => {
  expect(mayGoOn(name)).toBe(false)
})

test('JSON is called JSON, whatever the client called it', () => {
  for (const type of ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded', 'text/plain']) {
    expect(forwardedHeaders(['Content-Type', type], JSON_BODY)).toEqual(ALWAYS)
  }
})

test('of two content types of a form the first goes on alone, since the body was read by that', () => {
  const raw = ['Content-Type', 'multipart/form-data; boundary=a', 'content-type', 'multipart/form-data; boundary=b']
  const sent = forwardedHeaders(raw, { ...JSON_BODY, body: 'form' })
  expect(sent['content-type']).toBe('multipart/form-data; boundary=a')
  expect(forwardedHeaders(raw, { ...JSON_BODY, body: null })).toEqual({ 'x-request-id': 'req_1' })
})
