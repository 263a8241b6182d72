import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rawConnection } from '../../../test/support/raw-connection.ts'
import { systemClock } from '../../core/clock.ts'
import type { ClientResponse } from '../../gateway/client-connection.ts'
import { RunningRequests } from '../../gateway/running-requests.ts'
import { createFront, type Front } from './http-server.ts'
import type { NodePhase } from './join-node.ts'
import { OpenConnections } from './open-connections.ts'
import { stopServing } from './stop-serving.ts'

const POST = 'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'
/** Read by Node's own server, as what is not plain. */
const CHUNKED = 'POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
const DELAY_MS = 2_000

let front: Front
let origin = ''
let state: { phase: NodePhase }
/** How far the clock of the server is before the real one. */
let aheadMs = 0
const clock = { now: () => systemClock.now(), elapsed: () => systemClock.elapsed() + aheadMs }
/** Requests that reached the gateway. */
let taken: ClientResponse[] = []
/** Whether the gateway answers at once. */
let answersAtOnce = true
/** Ends the time in which it serves without being ready. */
let turnedAway: PromiseWithResolvers<void>

beforeEach(async () => {
  answersAtOnce = true
  aheadMs = 0
  taken = []
  state = { phase: 'serving' }
  turnedAway = Promise.withResolvers()
  front = createFront({
    gateway: (_request, response) => {
      taken.push(response)
      if (answersAtOnce) answer(response)
    },
    hasCors: false,
    control: (_request, response) => void response.writeHead(204).end(),
    saysBalances: () => false,
    hasMetrics: false,
    console: async () => {},
    storeFailure: async () => null,
    isStarting: () => false,
    isDraining: () => state.phase !== 'serving',
    clock,
    newRequestId: () => 'req_test',
  })
  const connections = new OpenConnections(front.server)
  await once(front.server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`
  closeAll = () => {
    front.server.close()
    connections.close()
  }
})
let closeAll = (): void => {}
afterEach(() => closeAll())

function answer(response: ClientResponse): void {
  response.writeHead(200, ['content-length', '2'])
  response.end(Buffer.from('ok'))
}

/** A stop whose delay ends when the test says so. */
function stop(drainMs = 60_000): Promise<void> {
  const settleQueue = { drain: async () => true, close: () => {}, length: 0 }
  const parts = { running: new RunningRequests(), settleQueue } as unknown as Parameters<
    typeof stopServing
  >[0]['node']['parts']
  return stopServing(
    {
      front,
      node: { state, parts },
      settings: { drainMs },
      clock,
      log: { error: () => {} },
      pause: () => turnedAway.promise,
    },
    DELAY_MS,
  )
}

const CLOSES = /^connection: close\r$/im

// from: hyperium/hyper#3720, envoyproxy/gateway#4205, http4s/http4s#7956: a draining server that says keep-alive.
test.for([
  ['a plain request', POST],
  ['one that Node’s server reads', CHUNKED],
  ['a look at the health', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['the API', 'GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n'],
])('while it leaves, %s is served on kept and new connections, which close after it', async ([, request]) => {
  const kept = await rawConnection(origin)
  kept.socket.write(request ?? '')
  expect(await kept.answer()).not.toMatch(CLOSES)
  void stop()
  const fresh = await rawConnection(origin)
  for (const connection of [kept, fresh]) {
    connection.socket.write(request ?? '')
    const said = await connection.answer()
    expect(said).toMatch(/^HTTP\/1\.1 20[04] /)
    expect(said).toMatch(CLOSES)
    await connection.ended
  }
  const ready = await fetch(`${origin}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }])
})

test.for([
  ['the front', POST],
  ['Node’s server', CHUNKED],
])('an answer of %s whose head is not written as it begins closes its connection too', async ([, request]) => {
  answersAtOnce = false
  const connection = await rawConnection(origin)
  connection.socket.write(request ?? '')
  await expect.poll(() => taken.length).toBe(1)
  void stop()
  for (const response of taken) answer(response)
  expect(await connection.answer()).toMatch(CLOSES)
  await connection.ended
})

// from: nodejs/node#60617, nginx/nginx#437: idle connections that close at once reset the request that is on its way.
test('once it does not listen, new connections are refused, and a kept one is served a last time', async () => {
  const kept = await rawConnection(origin)
  const idle = await rawConnection(origin)
  kept.socket.write(POST)
  await kept.answer()
  const stopped = stop()
  turnedAway.resolve()
  await expect.poll(() => rawConnection(origin).catch(({ code }) => code)).toBe('ECONNREFUSED')
  kept.socket.write(POST)
  expect(await kept.answer()).toMatch(CLOSES)
  await Promise.all([kept.ended, idle.ended, stopped])
  expect(state.phase).toBe('closed')
})

// from: jetty/jetty.project#2749: kept connections that stay open and refuse what comes.
test('a connection whose answer said that it is kept is closed when no request follows', async () => {
  answersAtOnce = false
  const connection = await rawConnection(origin)
  connection.socket.write(POST)
  await expect.poll(() => taken.length).toBe(1)
  taken[0]?.writeHead(200, ['content-length', '2'])
  taken[0]?.flushHeaders()
  const stopped = stop()
  turnedAway.resolve()
  await expect.poll(() => front.server.listening).toBe(false)
  taken[0]?.end(Buffer.from('ok'))
  expect(await connection.answer()).not.toMatch(CLOSES)
  await Promise.all([connection.ended, stopped])
})

test('of requests that came at once each has its answer, and the last one closes the connection', async () => {
  void stop()
  const connection = await rawConnection(origin)
  connection.socket.write(POST + POST)
  expect(await connection.answer()).not.toMatch(CLOSES)
  expect(await connection.answer()).toMatch(CLOSES)
  await connection.ended
  expect(taken).toHaveLength(2)
})

test('a request behind an answer that closes the connection is not carried out: its client sends it elsewhere', async () => {
  answersAtOnce = false
  void stop()
  const connection = await rawConnection(origin)
  connection.socket.write(CHUNKED)
  await expect.poll(() => taken.length).toBe(1)
  taken[0]?.writeHead(200, ['content-length', '2'])
  taken[0]?.flushHeaders()
  connection.socket.write(CHUNKED + CHUNKED)
  // Read by the time another connection has been answered.
  const other = await rawConnection(origin)
  other.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await other.answer()
  taken[0]?.end(Buffer.from('ok'))
  await connection.ended
  expect(taken).toHaveLength(1)
})

test('an answer that no model gives is waited for, but not as long as those that models give', async () => {
  answersAtOnce = false
  const connection = await rawConnection(origin)
  connection.socket.write(POST)
  await expect.poll(() => taken.length).toBe(1)
  const stopped = stop()
  turnedAway.resolve()
  await expect.poll(() => front.server.listening).toBe(false)
  expect(state.phase).toBe('leaving')
  // Of the minute that requests for models are given.
  aheadMs = 5_000
  await stopped
  expect(state.phase).toBe('closed')
})
