import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import type { ClientRequest, ClientResponse } from '../../../gateway/client-connection.ts'
import { FrontConnection } from './front-connection.ts'
import { answerHeads } from './front-response.ts'

const REQUEST = 'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n'

let elapsed = 0
let isClosing = false
/** What the client was sent. */
let written: string[] = []
let refusals: string[] = []
let taken: { request: ClientRequest; response: ClientResponse }[] = []
let socket: Duplex
let connection: FrontConnection

beforeEach(() => {
  elapsed = 0
  isClosing = false
  refusals = []
  taken = []
  written = []
  socket = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      written.push(bytes.toString())
      done()
    },
  })
  connection = new FrontConnection(socket as Socket, {
    heads: answerHeads({ now: () => 0, elapsed: () => elapsed }, 75_000),
    elapsed: () => elapsed,
    keepAliveMs: 76_000,
    headersMs: 60_000,
    requestMs: 120_000,
    isClosing: () => isClosing,
    isServed: () => true,
    listener: (request, response) => void taken.push({ request, response }),
    toNode: () => {},
    refuse: ({ code }, refused) => {
      refusals.push(code)
      refused.end()
    },
    onLeft: () => {},
  })
})

/** The client sends it, and the connection has read it. */
async function send(text: string): Promise<void> {
  socket.push(text)
  await new Promise((resolve) => setImmediate(resolve))
}

function lookAt(ms: number): void {
  elapsed = ms
  connection.look(elapsed)
}

function answer(): void {
  const { response } = taken.at(-1) ?? {}
  response?.writeHead(200, ['content-length', '0'])
  response?.end()
}

test('a connection on which nothing comes is refused after the time for a head', () => {
  lookAt(59_999)
  expect(refusals).toEqual([])
  lookAt(60_000)
  expect(refusals).toEqual(['ERR_HTTP_REQUEST_TIMEOUT'])
})

test('a body that never ends is refused after the time for a request, answered or not', async () => {
  elapsed = 1_000
  await send(REQUEST + 'hel')
  lookAt(120_999)
  expect(refusals).toEqual([])
  answer()
  lookAt(121_000)
  expect(refusals).toEqual(['ERR_HTTP_REQUEST_TIMEOUT'])
})

test('an idle connection is closed after the time for which it is kept, counted from its last answer', async () => {
  await send(REQUEST + 'hello')
  lookAt(500_000)
  expect(socket.destroyed).toBe(false)
  answer()
  lookAt(575_999)
  expect(socket.destroyed).toBe(false)
  lookAt(576_000)
  expect(socket.destroyed).toBe(true)
})

test('a client that was refused and does not leave is cut off', () => {
  lookAt(60_000)
  lookAt(64_999)
  expect(socket.destroyed).toBe(false)
  lookAt(65_000)
  expect(socket.destroyed).toBe(true)
})

test('a request that takes too long in the middle of its answer is cut off, and gets no second answer', async () => {
  await send(REQUEST + 'hel')
  taken[0]?.response.writeHead(200, ['transfer-encoding', 'chunked'])
  taken[0]?.response.flushHeaders()
  lookAt(120_000)
  expect(refusals).toEqual([])
  expect(socket.destroyed).toBe(true)
})

test('an answer with a header that would end its line is not sent', async () => {
  await send(REQUEST + 'hello')
  const head = (name: string, value: string) => () =>
    taken[0]?.response.writeHead(200, ['content-length', '0', name, value])
  expect(head('x-a', 'b\r\nx-c: d')).toThrow('cannot be sent')
  expect(head('x-a\r\nx-c', 'd')).toThrow('cannot be sent')
  expect(head('x-a', 'b\u0100')).toThrow('cannot be sent')
})

test('an answer that does not say where it ends is not sent', async () => {
  await send(REQUEST + 'hello')
  expect(() => taken[0]?.response.writeHead(200, ['content-type', 'text/plain'])).toThrow('where it ends')
})

test('a large body that waited for its reader does not keep the next request from being read', async () => {
  const body = 'x'.repeat(50_000)
  await send(`POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 * body.length}\r\n\r\n`)
  for (let i = 0; i < 2; i++) await send(body)
  let length = 0
  taken[0]?.request.on('data', (bytes) => (length += bytes.length))
  await new Promise((resolve) => setImmediate(resolve))
  expect(length).toBe(2 * body.length)
  answer()
  await send(REQUEST + 'hello')
  expect(taken).toHaveLength(2)
})

test('an answer that closes the connection says so and ends it; what comes behind it is not taken', async () => {
  const ended = new Promise((resolve) => void socket.once('finish', resolve))
  await send(REQUEST + 'hello')
  isClosing = true
  answer()
  await send(REQUEST + 'again')
  await ended
  expect(written.join('')).toMatch(/\r\nConnection: close\r\n\r\n$/)
  expect(written.join('')).not.toContain('Keep-Alive')
  expect(taken).toHaveLength(1)
})

test('a connection is closed as idle when nothing was under way on it for as long, and never with a request', async () => {
  elapsed = 1_000
  await send(REQUEST + 'hel')
  expect([connection.closeIdle(5_000), connection.isBusy, socket.writableEnded]).toEqual([false, true, false])
  await send('lo')
  answer()
  expect(connection.closeIdle(999)).toBe(true)
  expect(socket.writableEnded).toBe(false)
  expect(connection.closeIdle(1_000)).toBe(false)
  expect(socket.writableEnded).toBe(true)
})
