import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ClientRequest, ClientResponse, GatewayListener } from '../../../gateway/client-connection.ts'
import { OpenConnections } from '../open-connections.ts'
import { FrontRequest } from './front-request.ts'
import { takeConnections } from './take-connections.ts'

const REQUEST = 'POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'
const CHUNKED = 'POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
const LARGE = 4 * 1024 * 1024
/** More than the buffers of both ends and of the system take. */
const VERY_LARGE = 64 * 1024 * 1024

let server: Server
let connections: OpenConnections
let isClosing = false
const sockets: Socket[] = []

afterEach(async () => {
  isClosing = false
  for (const socket of sockets.splice(0)) socket.destroy()
  connections.close()
  if (server.listening) await new Promise((resolve) => server.close(resolve))
})

async function serve(listener: GatewayListener, options: object = {}): Promise<void> {
  server = createServer({ noDelay: true, ...options }, listener)
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (socket.writable) socket.end(`HTTP/1.1 400 ${error.code}\r\n\r\n`)
  })
  const clock = { now: () => Date.now(), elapsed: () => performance.now() }
  takeConnections(server, {
    clock,
    listener,
    isServed: ({ url }) => url.startsWith('/v1/'),
    isClosing: () => isClosing,
    onLeftToServer: () => {},
  })
  connections = new OpenConnections(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}

interface Client {
  readonly socket: Socket
  /** All that came, in Latin-1. */
  text: string
}

async function open(): Promise<Client> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {})
  const client: Client = { socket, text: '' }
  socket.on('data', (bytes) => (client.text += bytes.toString('latin1')))
  await once(socket, 'connect')
  return client
}

/** Reads the body and answers with it, and with who read the head. */
const echo: GatewayListener = (request, response) => {
  readBody(request, (body) => answer(response, `${request instanceof FrontRequest ? 'front' : 'node'}:${body};`))
}

function readBody(request: ClientRequest, then: (body: string) => void): void {
  if (request.arrived !== undefined) return then(request.arrived.toString('latin1'))
  const parts: Buffer[] = []
  request.on('data', (bytes) => void parts.push(bytes))
  request.on('end', () => then(Buffer.concat(parts).toString('latin1')))
  request.on('error', () => {})
}

function answer(response: ClientResponse, text: string): void {
  response.writeHead(200, ['content-length', String(text.length)])
  response.end(Buffer.from(text))
}

test('a connection is served by the front until a request is not plain, and by Node from that one on', async () => {
  await serve(echo)
  const client = await open()
  for (const [i, text] of [REQUEST, REQUEST, CHUNKED, REQUEST].entries()) {
    client.socket.write(text)
    await expect.poll(() => client.text.split(':hello;').length).toBe(i + 2)
  }
  expect(client.text.match(/front|node/g)).toEqual(['front', 'front', 'node', 'node'])
})

test('requests that are sent ahead are answered in their order', async () => {
  await serve((request, response) => {
    readBody(request, (body) => setTimeout(() => answer(response, `${body};`), 20))
  })
  const client = await open()
  const numbered = Array.from({ length: 5 }, (_, i) => REQUEST.replace('hello', `num-${i}`))
  client.socket.write(numbered.join(''))
  await expect.poll(() => client.text.match(/num-\d/g)).toEqual(['num-0', 'num-1', 'num-2', 'num-3', 'num-4'])
})

test('two requests arrive whole wherever their bytes are cut', async () => {
  await serve(echo)
  const bytes = Buffer.from(REQUEST + CHUNKED)
  for (const at of bytes.keys()) {
    const client = await open()
    client.socket.setNoDelay(true)
    client.socket.write(bytes.subarray(0, at))
    await new Promise((resolve) => setImmediate(resolve))
    client.socket.write(bytes.subarray(at))
    await expect.poll(() => client.text.match(/(front|node):hello;/g)?.length, { interval: 1 }).toBe(2)
    client.socket.destroy()
  }
})

test('a head that comes slowly meets the limit of Node’s server', async () => {
  await serve(echo, { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 })
  const client = await open()
  client.socket.write('POST /v1/x HTTP/1.1\r\nHost: a\r\n')
  await expect.poll(() => client.text).toContain('400 ERR_HTTP_REQUEST_TIMEOUT')
})

test('a body that nothing reads waits at the client, and is read on when the request is answered', async () => {
  let answerNow = (): void => {}
  await serve((_request, response) => (answerNow = () => answer(response, 'refused;')))
  const client = await open()
  const body = Buffer.alloc(VERY_LARGE)
  client.socket.write(`POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`)
  client.socket.write(body)
  await expect.poll(() => client.socket.writableLength).toBeGreaterThan(0)
  await settled(() => client.socket.bytesWritten - client.socket.writableLength)
  expect(client.socket.writableLength).toBeGreaterThan(0)
  answerNow()
  await expect.poll(() => client.text).toContain('refused;')
  await expect.poll(() => client.socket.writableLength).toBe(0)
  client.socket.write(REQUEST)
  answerNow = () => {}
  await expect.poll(() => client.text.length).toBeGreaterThan(0)
})

test('a large body arrives byte for byte', async () => {
  await serve(echo)
  const client = await open()
  const body = Array.from({ length: LARGE / 16 }, (_, i) => String(i).padStart(16, '0')).join('')
  client.socket.write(`POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => client.text.length).toBeGreaterThan(body.length)
  expect(client.text.endsWith(`front:${body};`)).toBe(true)
})

test('an answer that its client does not read stops being written, and goes on with a drain', async () => {
  const drains: number[] = []
  let written = 0
  await serve((_request, response) => {
    response.writeHead(200, ['transfer-encoding', 'chunked'])
    const piece = Buffer.alloc(LARGE / 4)
    const more = (): void => {
      let hasRoom = true
      while (written < VERY_LARGE && hasRoom) {
        hasRoom = response.write(piece)
        written += piece.length
      }
      if (written >= VERY_LARGE) response.end()
    }
    response.on('drain', () => {
      drains.push(written)
      more()
    })
    more()
  })
  const client = await open()
  client.socket.pause()
  client.socket.write(REQUEST)
  await expect.poll(() => written).toBeGreaterThan(0)
  await settled(() => written)
  expect(written).toBeLessThan(VERY_LARGE)
  client.socket.resume()
  await expect.poll(() => written).toBe(VERY_LARGE)
  expect(drains.length).toBeGreaterThan(0)
})

test('a client that leaves is noticed at once, in the middle of its body and of its answer', async () => {
  const left: string[] = []
  let taken = 0
  await serve((request, response) => {
    taken += 1
    request.on('close', () => void left.push('request'))
    response.on('close', () => void left.push('response'))
  })
  const sending = await open()
  sending.socket.write(REQUEST.slice(0, -2))
  const waiting = await open()
  waiting.socket.write(REQUEST)
  await expect.poll(() => taken).toBe(2)
  sending.socket.destroy()
  await expect.poll(() => left.toSorted()).toEqual(['request', 'response'])
  waiting.socket.destroy()
  await expect.poll(() => left.length).toBe(4)
})

test('a client that closes its side has its connection closed, as Node closes it', async () => {
  await serve(() => {})
  const client = await open()
  client.socket.end(REQUEST)
  await closed(client)
  const short = await open()
  short.socket.end(REQUEST.slice(0, -1))
  await closed(short)
  expect(short.text).toContain('400 HPE_INVALID_EOF_STATE')
})

test('closing all connections closes those of the front too', async () => {
  await serve(() => {})
  const [idle, busy] = [await open(), await open()]
  busy.socket.write(REQUEST)
  await expect.poll(connected).toBe(2)
  const both = Promise.all([closed(idle), closed(busy)])
  connections.close()
  await both
})

/** The server has closed it, with a reset or without. */
function closed({ socket }: Client): Promise<void> {
  return new Promise((resolve) => void socket.once('end', resolve).once('close', resolve))
}

/** How many connections the server has taken. */
function connected(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
}

/** Resolves when a number has stopped moving. */
async function settled(read: () => number): Promise<void> {
  let before = -1
  await expect
    .poll(
      () => {
        const [was, now] = [before, read()]
        before = now
        return was === now
      },
      { interval: 200 },
    )
    .toBe(true)
}
