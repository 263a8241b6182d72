import { expect, test } from 'vitest'
import { faultOfFailure, faultOfRefusal, isEventStream } from './upstream-faults.ts'

function refusal(status: number, message: string, code: string | null = null) {
  return { status, error: { message, type: null, code, param: null }, account: null, restMs: null }
}

test('a wrong credential of ours is not the caller’s mistake, whatever status it has', () => {
  const fault = faultOfRefusal({
    ...refusal(400, 'API key not valid. Please pass a valid API key.', 'API_KEY_INVALID'),
    account: 'credential',
  })
  expect(fault.code).toBe('upstream_unavailable')
  expect(fault.message).not.toContain('API key not valid')
  expect(faultOfRefusal(refusal(401, 'no')).code).toBe('upstream_unavailable')
})

test.for([401, 403, 404])(
  'an upstream that answers %i is misconfigured: only an admin can fix it, not a retry',
  (status) => {
    const fault = faultOfRefusal(refusal(status, 'no'))
    expect(fault).toMatchObject({ code: 'upstream_unavailable', retry: 'never' })
    expect(fault.message).toMatch(/An admin has to fix/)
    expect(fault.message).not.toMatch(/try again/i)
    expect(faultOfRefusal(refusal(500, 'no')).retry).toBe('later')
  },
)

test.for([404, 405, 501])(
  'an upstream that answers %i lacks an endpoint that not every upstream has, which is not the admin’s to fix',
  (status) => {
    const fault = faultOfRefusal({ ...refusal(status, 'no'), insteadCall: 'POST /v1/responses' })
    expect(fault).toMatchObject({ code: 'upstream_unavailable', retry: 'never' })
    expect(fault.message).toMatch(/Call POST \/v1\/responses instead/)
    expect(fault.message).not.toMatch(/admin|try again/i)
  },
)

test('a stream is known by its content type, in any case and with parameters', () => {
  const streams = ['text/event-stream', 'Text/Event-Stream; charset=utf-8', 'text/event-stream ;x=1']
  expect(streams.map(isEventStream)).toEqual([true, true, true])
  expect(['text/event-streams', 'application/json', ''].map(isEventStream)).toEqual([false, false, false])
})

test('what the upstream rejects is passed on in its own words', () => {
  expect(faultOfRefusal(refusal(400, 'temperature is too high'))).toMatchObject({
    code: 'upstream_rejected',
    message: 'temperature is too high',
  })
})

test('a stream that fails because the prompt is too long is the caller’s to fix', () => {
  const { error } = refusal(200, 'Your input exceeds the context window of this model.', 'context_length_exceeded')
  expect(faultOfFailure(error, null)).toMatchObject({ code: 'upstream_rejected', details: { status: 400 } })
  expect(faultOfFailure({ ...error, message: 'boom', code: 'server_error' }, null)).toMatchObject({
    code: 'upstream_unavailable',
    message: 'boom',
  })
})

test('no words of a message make a failure the caller’s to fix', () => {
  const error = {
    message: 'Overloaded. (A retry said: prompt is too long)',
    type: 'overloaded_error',
    code: null,
    param: null,
  }
  expect(faultOfFailure(error, null).code).toBe('upstream_overloaded')
  expect(faultOfFailure({ ...error, type: null }, null).code).toBe('upstream_unavailable')
})
