import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { LoadJob } from './job.ts'
import { runLoad } from './run-load.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function job(port: number, changes: Partial<LoadJob> = {}): LoadJob {
  return {
    port,
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer k' },
    body: '{"model":"m"}',
    connections: 4,
    durationMs: 10_000,
    maxRequests: 40,
    requestsPerSecond: null,
    expect: { kind: 'object' },
    readsStamps: false,
    ...changes,
  }
}

test('sends exactly as many requests as it may, and counts each answer', async () => {
  const bodies: string[] = []
  const port = await serve((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      bodies.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`)
      response.end('{"ok":true}')
    })
  })
  const report = await runLoad(job(port))
  expect(bodies).toHaveLength(40)
  expect(new Set(bodies)).toEqual(new Set(['POST /v1/chat/completions Bearer k {"model":"m"}']))
  expect(report).toMatchObject({ requests: 40, errors: 0, bodyBytes: 440, reconnects: 0, firstError: null })
  expect(report.perConnection.map((one) => one.requests).reduce((sum, one) => sum + one)).toBe(40)
  expect(report.perConnection).toHaveLength(4)
  expect(report.latency.p50Us).toBeGreaterThan(0)
  expect(report.latency.p99Us).toBeGreaterThanOrEqual(report.latency.p50Us)
})

test('counts the events of streams', async () => {
  const port = await serve((_, response) => {
    response.write('data: 1\n\n')
    response.write('data: 2\n')
    response.end('\ndata: [DONE]\n\n')
  })
  const report = await runLoad(job(port, { expect: { kind: 'events', events: 3, end: 'data: [DONE]\n\n' } }))
  expect(report).toMatchObject({ requests: 40, errors: 0, events: 120 })
})

test.for([
  ['another status', { status: 500, body: '{}' }, 'status 500'],
  ['half a body', { status: 200, body: '{"a":' }, 'the body is not a whole JSON object'],
] as const)('%s is an error, not a request', async ([, { status, body }, reason]) => {
  const port = await serve((_, response) => void response.writeHead(status).end(body))
  expect(await runLoad(job(port, { maxRequests: 5 }))).toMatchObject({ requests: 0, errors: 5, firstError: reason })
})

test.for([
  ['without its end', 'data: 1\n\ndata: 2\n\n', 'the stream has no right end'],
  ['with an event too few', 'data: 1\n\ndata: [DONE]\n\n', '2 events instead of 3'],
] as const)('a stream %s is an error', async ([, body, reason]) => {
  const port = await serve((_, response) => void response.end(body))
  const report = await runLoad(
    job(port, { maxRequests: 1, expect: { kind: 'events', events: 3, end: 'data: [DONE]\n\n' } }),
  )
  expect(report).toMatchObject({ requests: 0, errors: 1, firstError: reason })
})

test('a connection cut in an answer is an error, and the next one is opened', async () => {
  let count = 0
  const port = await serve((_, response) => {
    const cut = ++count === 3
    response.writeHead(200, { 'content-length': cut ? 10 : 2 })
    if (cut) response.write('{', () => response.socket?.end())
    else response.end('{}')
  })
  const report = await runLoad(job(port, { connections: 1, maxRequests: 6 }))
  expect(report).toMatchObject({ requests: 5, errors: 1, reconnects: 1 })
  expect(report.firstError).toContain('in the answer')
})

test('a server that closes after each answer is not an error', async () => {
  const port = await serve((_, response) => void response.writeHead(200, { connection: 'close' }).end('{}'))
  const report = await runLoad(job(port, { connections: 2, maxRequests: 8 }))
  expect(report).toMatchObject({ requests: 8, errors: 0 })
  expect(report.reconnects).toBeGreaterThanOrEqual(6)
})

test('stops a subject that only fails', async () => {
  const port = await serve((_, response) => void response.writeHead(500).end('{}'))
  const report = await runLoad(job(port, { maxRequests: 1_000_000 }))
  expect(report.errors).toBeGreaterThanOrEqual(20)
  expect(report.errors).toBeLessThan(30)
})

test('an offered rate is kept, and never overtaken', async () => {
  const port = await serve((_, response) => void response.end('{}'))
  const report = await runLoad(job(port, { requestsPerSecond: 200, maxRequests: 40 }))
  expect(report).toMatchObject({ requests: 40, errors: 0 })
  // The last of 40 is due after 39 intervals of 5 ms.
  expect(report.elapsedMs).toBeGreaterThanOrEqual(195)
})

test('a request that waits for a connection has been late since it was due', async () => {
  const port = await serve((_, response) => void setTimeout(() => response.end('{}'), 50))
  const report = await runLoad(job(port, { connections: 1, requestsPerSecond: 1000, maxRequests: 4 }))
  // The fourth is due after 3 ms and waits for three answers of 50 ms.
  expect(report.latency.maxUs).toBeGreaterThan(180_000)
})

test('a closed port is reported at once', async () => {
  const port = await serve(() => undefined)
  for (const close of closers.splice(0)) close()
  await expect(runLoad(job(port))).rejects.toThrow('ECONNREFUSED')
})
