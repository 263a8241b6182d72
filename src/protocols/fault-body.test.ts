import { expect, test } from 'vitest'
import { Fault, FAULTS, type FaultCode } from '../core/faults.ts'
import type { WireFamily } from '../core/wire.ts'
import { writeFault } from './fault-body.ts'

const FAMILIES: readonly WireFamily[] = ['openai', 'anthropic', 'gemini']
const CASES = FAMILIES.flatMap((family) => (Object.keys(FAULTS) as FaultCode[]).map((code) => [family, code] as const))

function written(family: WireFamily, fault: Fault): { status: number; headers: Record<string, string>; body: unknown } {
  const { status, headers, body } = writeFault(family, fault, 'req_7')
  return { status, headers, body: JSON.parse(body.toString()) as unknown }
}

test.for(CASES)('%s: %s has its status, its headers and its family’s shape', ([family, code]) => {
  const fault = new Fault(code, 'What is wrong. What to do.')
  const { policy } = fault
  const { status, headers, body } = written(family, fault)
  const message = code === 'internal' ? expect.stringContaining('req_7') : 'What is wrong. What to do.'
  expect(status).toBe(family === 'anthropic' ? (policy.anthropicStatus ?? policy.status) : policy.status)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-request-id': 'req_7',
    'x-tollgate-fault': code,
  })
  expect(headers['request-id']).toBe(family === 'anthropic' ? 'req_7' : undefined)
  expect(headers['x-should-retry']).toBe(policy.retry === 'never' ? 'false' : undefined)
  if (family === 'gemini') return expect(body).toMatchObject({ error: { code: policy.status, message } })
  expect(body).toEqual(
    family === 'anthropic'
      ? { type: 'error', error: { type: policy.anthropicType, message }, request_id: 'req_7' }
      : { error: { message, type: policy.openaiType, param: null, code: policy.openaiCode } },
  )
})

test.for(CASES)('%s: %s asks to wait exactly when it is a 429 or a 503', ([family, code]) => {
  const { headers } = written(family, new Fault(code, 'm'))
  const waits = FAULTS[code].status === 429 || FAULTS[code].status === 503
  expect(headers['retry-after'] !== undefined).toBe(waits)
  if (!waits) return
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30)
})

test.for([
  ['request_invalid', 400, 'INVALID_ARGUMENT'],
  ['key_unknown', 401, 'UNAUTHENTICATED'],
  ['balance_exhausted', 402, 'RESOURCE_EXHAUSTED'],
  ['ip_not_allowed', 403, 'PERMISSION_DENIED'],
  ['model_unknown', 404, 'NOT_FOUND'],
  ['body_too_large', 413, 'INVALID_ARGUMENT'],
  ['internal', 500, 'INTERNAL'],
  ['upstream_unavailable', 502, 'UNAVAILABLE'],
  ['upstream_timeout', 504, 'DEADLINE_EXCEEDED'],
] as const)('gemini: %s is %i %s, and its details name it', ([code, status, name]) => {
  const { body } = written('gemini', new Fault(code, 'm'))
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'tollgate' }
  expect(body).toMatchObject({ error: { code: status, status: name, details: [info] } })
})

test.for([
  ['rate_limited', 7, '7s'],
  ['rate_limited', 30, '30s'],
  ['rate_limited', 31, '301s'],
  ['rate_limited', 3_600, '3600s'],
  ['upstream_overloaded', undefined, '5s'],
  ['model_unpriced', undefined, '301s'],
] as const)('gemini: %s for %s s says %s, which no client waits out in silence beyond 30 s', ([code, wait, delay]) => {
  const fault = new Fault(code, 'm', wait === undefined ? {} : { retryAfterSeconds: wait })
  const { body } = written('gemini', fault)
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: delay }
  expect(body).toMatchObject({ error: { details: [{}, retry] } })
})

test('a wait longer than clients stand in silence comes with the advice not to', () => {
  const short = written('openai', new Fault('rate_limited', 'm', { retryAfterSeconds: 30 }))
  expect(short.headers).toMatchObject({ 'retry-after': '30' })
  expect(short.headers['x-should-retry']).toBeUndefined()
  const long = written('openai', new Fault('rate_limited', 'm', { retryAfterSeconds: 3_600 }))
  expect(long.headers).toMatchObject({ 'retry-after': '3600', 'x-should-retry': 'false' })
  expect(written('openai', new Fault('rate_limited', 'm', { retryAfterSeconds: 0.2 })).headers['retry-after']).toBe('1')
})

test('a fault of any status says when to come back where that is known', () => {
  const rests = new Fault('upstream_unavailable', 'm', { retryAfterSeconds: 12 })
  expect(written('openai', rests).headers['retry-after']).toBe('12')
  const spent = written('openai', new Fault('upstream_timeout', 'm', { retryAfterSeconds: 3_000 }))
  expect(spent.headers).toMatchObject({ 'retry-after': '3000', 'x-should-retry': 'false' })
  expect(written('openai', new Fault('upstream_unavailable', 'm')).headers['retry-after']).toBeUndefined()
})

test('what an upstream rejected keeps its status, its words and its code', () => {
  const fault = new Fault('upstream_rejected', 'prompt is too long: 9 tokens > 8 maximum', {
    status: 413,
    upstreamCode: 'context_length_exceeded',
    param: 'messages',
  })
  expect(written('openai', fault)).toMatchObject({
    status: 413,
    body: { error: { message: fault.message, code: 'context_length_exceeded', param: 'messages' } },
  })
  expect(written('anthropic', fault)).toMatchObject({
    status: 413,
    body: { error: { type: 'request_too_large', message: fault.message } },
  })
})

test.for(FAMILIES)('%s: a fault that waiting does not help says so, although its code may be retried', (family) => {
  const fault = new Fault('upstream_unavailable', 'm', { retry: 'never' })
  expect(written(family, fault)).toMatchObject({ status: 502, headers: { 'x-should-retry': 'false' } })
})

test('the details of an internal error are not in the response', () => {
  const { body } = written('openai', new Fault('internal', 'password of the database is hunter2'))
  expect(JSON.stringify(body)).not.toContain('hunter2')
})

test('the base URL that was meant is a hint', () => {
  const fault = new Fault('base_url_wrong', 'm', { hint: 'http://127.0.0.1:8787/v1' })
  expect(written('openai', fault).headers['x-tollgate-hint']).toBe('http://127.0.0.1:8787/v1')
})
