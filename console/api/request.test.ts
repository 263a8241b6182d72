import { afterEach, expect, test, vi } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { request, withQuery } from './request.ts'

afterEach(() => vi.unstubAllGlobals())

/** What the server will answer next; returns the requests that reached it. */
function serverSays(...answers: (Response | Error)[]): { path: string; init: RequestInit }[] {
  const seen: { path: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    seen.push({ path, init })
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer
  })
  return seen
}

function headersOf(seen: { init: RequestInit }[], index = 0): Headers {
  return new Headers(seen[index]?.init.headers)
}

test('what is asked for nothing is left out of the query', () => {
  expect(withQuery('/api/keys', { search: 'a b&c', status: '', group: null, limit: 50 })).toBe(
    '/api/keys?search=a+b%26c&limit=50',
  )
  expect(withQuery('/api/keys', { cursor: undefined })).toBe('/api/keys')
})

test('a body goes as JSON and comes back as JSON', async () => {
  const seen = serverSays(Response.json({ id: 'key_1' }, { status: 201 }))
  await expect(request('/api/keys', { method: 'POST', body: { name: 'laptop' } })).resolves.toEqual({ id: 'key_1' })
  expect(seen[0]?.init.body).toBe('{"name":"laptop"}')
  expect(headersOf(seen).get('content-type')).toBe('application/json')
})

test('every POST has an idempotency key of its own, or the one it was given; nothing else has one', async () => {
  const seen = serverSays(...Array.from({ length: 4 }, () => new Response(null, { status: 204 })))
  await request('/api/keys', { method: 'POST', body: {} })
  await request('/api/keys', { method: 'POST', body: {} })
  await request('/api/keys', { method: 'POST', body: {}, idempotencyKey: 'mine' })
  await request('/api/keys')
  const keys = seen.map((_, index) => headersOf(seen, index).get('idempotency-key'))
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).not.toBe(keys[0])
  expect(keys.slice(2)).toEqual(['mine', null])
})

test('problem details become a problem with code, field, sentence and request id', async () => {
  const body = { status: 422, code: 'custom_key_unavailable', field: 'custom_key', detail: 'No.', request_id: 'req_1' }
  serverSays(Response.json(body, { status: 422, headers: { 'retry-after': '30' } }))
  const problem = await request('/api/keys').catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ApiProblem)
  expect(problem).toMatchObject({
    status: 422,
    code: 'custom_key_unavailable',
    field: 'custom_key',
    detail: 'No.',
    requestId: 'req_1',
    retryAfterSeconds: 30,
  })
})

test('a page of something in between is not a success: the gateway is unreachable, or what came is unreadable', async () => {
  serverSays(new Response('<html>502</html>', { status: 502 }), new Response('<html>hello</html>', { status: 200 }))
  await expect(request('/api/keys')).rejects.toMatchObject({ status: 502, code: 'unreachable' })
  await expect(request('/api/keys')).rejects.toMatchObject({ status: 200, code: 'unreadable' })
})

test('no answer is a problem that says so; a request that was given up stays an AbortError', async () => {
  serverSays(new TypeError('Failed to fetch'), new DOMException('given up', 'AbortError'))
  await expect(request('/api/keys')).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  await expect(request('/api/keys')).rejects.toMatchObject({ name: 'AbortError' })
})

test('an empty success is undefined', async () => {
  serverSays(new Response(null, { status: 204 }))
  await expect(request('/api/keys/key_1', { method: 'DELETE' })).resolves.toBeUndefined()
})
