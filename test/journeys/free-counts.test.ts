import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as httpRequest, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { StoredOwners } from '../../src/routing/stored-responses.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'

// Token counts are free, and take nothing from those who pay.

const PLACES = 8
/** Counts that the upstream has not answered yet. */
let counting: ServerResponse[] = []
const counter: Script = (request, response) => {
  request.resume()
  if (request.url?.endsWith('/count_tokens') === true) return void counting.push(response)
  const usage = { input_tokens: 10, output_tokens: 2 }
  const content = [{ type: 'text', text: 'hello' }]
  const about = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...about, content, usage }))
}

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
beforeAll(async () => {
  upstream = await scriptedUpstream(counter)
  gateway = await gatewayUnderTest()
  const { port } = upstream
  const target = { port, protocol: 'anthropic', settings: { maxConcurrency: PLACES } } as const
  await putModelOf(gateway.store, { name: 'counted', targets: [target] })
  await gateway.model('fake/echo', { protocols: ['openai-chat'] })
})
afterAll(async () => {
  for (const response of counting) response.destroy()
  await gateway.close()
  upstream.close()
})

async function secretOf(rateLimit: { concurrency: number | null; requestsPerMinute: number | null } | null = null) {
  const limits = rateLimit === null ? {} : { rateLimit: { tokensPerMinute: null, spend: [], ...rateLimit } }
  return (await gateway.key(await gateway.account(), limits)).secret
}

async function ask(secret: string, path: string, model = 'counted'): Promise<number> {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  return response.status
}

const COUNT = '/v1/messages/count_tokens'

async function underWay(count: number): Promise<void> {
  await expect.poll(() => counting.length, { timeout: PATIENCE_MS }).toBe(count)
}

async function answerAll(): Promise<void> {
  for (const response of counting) response.end('{"input_tokens":7}')
  counting = []
}

test('counts take a part of an upstream’s places, so that who pays finds one', async () => {
  const secret = await secretOf()
  const counts = Array.from({ length: PLACES }, () => ask(secret, COUNT))
  await underWay(PLACES / 4)
  expect(await ask(secret, '/v1/messages')).toBe(200)
  const refused = await Promise.any(counts)
  expect(refused).toBe(529)
  expect(counting).toHaveLength(PLACES / 4)
  await answerAll()
  const statuses = (await Promise.all(counts)).sort((a, b) => a - b)
  expect(statuses).toEqual([200, 200, 529, 529, 529, 529, 529, 529])
})

test('counts run within the concurrency of their key, and count as no requests of its minute', async () => {
  const secret = await secretOf({ concurrency: 1, requestsPerMinute: 1 })
  const first = ask(secret, COUNT)
  await underWay(1)
  expect(await ask(secret, COUNT)).toBe(429)
  expect(await ask(secret, '/v1/messages')).toBe(429)
  await answerAll()
  expect(await first).toBe(200)
  const second = ask(secret, COUNT)
  await underWay(1)
  await answerAll()
  expect(await second).toBe(200)
  expect(await ask(secret, '/v1/messages')).toBe(200)
})

test('counts that are made here run within it as well', async () => {
  const secret = await secretOf({ concurrency: 0, requestsPerMinute: null })
  expect(await ask(secret, COUNT, 'fake/echo')).toBe(429)
})

test('a client that leaves while its count is prepared gives its place back', async () => {
  await gateway.model(STORING, { protocols: ['openai'] })
  const secret = await secretOf({ concurrency: 1, requestsPerMinute: null })
  const named = { model: STORING, input: 'hello', previous_response_id: 'resp_of_another_time' }
  const { asked, answer } = ownersInHand()
  const connection = nextConnection()
  const client = new AbortController()
  const left = countResponse(secret, named, client.signal)
  const socket = await connection
  await asked
  const gone = once(socket, 'close')
  client.abort()
  await gone
  expect(await left).toBeNull()
  answer()
  const { previous_response_id: _, ...plain } = named
  await expect.poll(() => countResponse(secret, plain), { timeout: PATIENCE_MS }).toBe(200)
  await expect.poll(() => countResponse(secret, plain), { timeout: PATIENCE_MS }).toBe(200)
})

const STORING = 'fake/echo?tag=storing'

/** The next look-up of who owns a stored response: when it is asked, and what answers it. */
function ownersInHand(): { readonly asked: Promise<void>; readonly answer: () => void } {
  const asked = Promise.withResolvers<void>()
  const owners = Promise.withResolvers<StoredOwners>()
  const spy = vi.spyOn(gateway.store.storedResponses, 'ownersOf').mockImplementationOnce(() => {
    asked.resolve()
    return owners.promise
  })
  onTestFinished(() => spy.mockRestore())
  return { asked: asked.promise, answer: () => owners.resolve({ own: new Map(), others: new Set() }) }
}

/** The gateway's own end of the connection that opens next; test and gateway are one process. */
function nextConnection(): Promise<Socket> {
  const CHANNEL = 'net.server.socket'
  return new Promise((resolve) => {
    const look = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      if (String(socket.localPort) !== new URL(gateway.origin).port) return
      unsubscribe(CHANNEL, look)
      resolve(socket)
    }
    subscribe(CHANNEL, look)
  })
}

/** Counts over a connection of its own. Null where the client hung up. */
function countResponse(secret: string, body: object, signal?: AbortSignal): Promise<number | null> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const url = `${gateway.origin}/v1/responses/input_tokens`
  return new Promise((resolve) => {
    const asking = httpRequest(url, { method: 'POST', agent: false, headers, signal }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? null))
    })
    asking.on('error', () => resolve(null)).end(JSON.stringify(body))
  })
}
