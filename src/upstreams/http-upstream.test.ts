import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  answerOf,
  type OnRequest,
  type SocketUpstream,
  socketUpstream,
  type SocketOptions,
} from '../../test/support/upstream-on-sockets.ts'
import { isLostConnection } from './connection-error.ts'

const open: SocketUpstream[] = []
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close()
})

async function start(onRequest: OnRequest, options: SocketOptions = {}): Promise<SocketUpstream> {
  const upstream = await socketUpstream(onRequest, options)
  open.push(upstream)
  return upstream
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const closed = (socket: Socket | undefined) => expect.poll(() => socket?.destroyed).toBe(true)

test('a request goes out in one piece, with the credential, the length and nothing doubled', async () => {
  const asked: string[] = []
  const upstream = await start((text, socket) => {
    asked.push(text)
    socket.write(answerOf('ok'))
  })
  const headers = { authorization: 'Bearer client', accept: 'a/b' }
  await upstream.ask({ headers, body: [Buffer.from('{"a"'), Buffer.from(':1}')] })
  const { host } = new URL(`http://127.0.0.1:${upstream.sockets[0]?.localPort}`)
  expect(asked).toEqual([
    `POST /v1/chat HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nauthorization: Bearer up\r\naccept: a/b\r\ncontent-length: 7\r\n\r\n{"a":1}`,
  ])
})

test.for([
  { headers: { 'x-a': 'b\r\nx-evil: 1' } },
  { headers: { 'x-a': 'b\n' } },
  { headers: { 'x-a': 'b\0' } },
  { headers: { 'x-a': 'ł' } },
  { headers: { 'x a': 'b' } },
  { headers: { 'x-a:': 'b' } },
  { headers: { '': 'b' } },
  { headers: { 'transfer-encoding': 'chunked' } },
  { headers: { 'content-length': '1' } },
  { headers: { connection: 'close' } },
  { path: '/a HTTP/1.1\r\nx: y' },
  { path: '/a b' },
])('what could begin another request is not sent: %j', async (request) => {
  const upstream = await start((_text, socket) => socket.write(answerOf('ok')))
  const { exchange, over } = upstream.begin(request)
  expect((await over).fault?.code).toBe('upstream_unavailable')
  expect(exchange.isSent).toBe(false)
  expect(upstream.sockets).toHaveLength(0)
})

test('one connection carries one request after the other, and two at a time take two', async () => {
  const upstream = await start((_text, socket) => socket.write(answerOf('ok')))
  for (let i = 0; i < 3; i++) expect(await upstream.ask()).toMatchObject({ status: 200, text: 'ok', isEnded: true })
  expect(upstream.sockets).toHaveLength(1)
  await Promise.all([upstream.ask(), upstream.ask()])
  expect(upstream.sockets).toHaveLength(2)
})

test('bytes behind an answer are never taken for the next one', async () => {
  const upstream = await start((_text, socket, { connection }) => {
    socket.write(connection === 0 ? answerOf('mine') + answerOf('stolen') : answerOf('yours'))
  })
  expect(await upstream.ask()).toMatchObject({ text: 'mine', isEnded: true })
  expect(await upstream.ask()).toMatchObject({ text: 'yours', isEnded: true })
  await closed(upstream.sockets[0])
})

test('bytes that come while nothing was asked close the connection, even in the turn in which the next request is made', async () => {
  const upstream = await start((_text, socket, { connection }) => {
    socket.write(answerOf(connection === 0 ? 'mine' : 'yours'))
  })
  await upstream.ask()
  const [first] = upstream.sockets
  await turn()
  await new Promise<void>((resolve) => first?.write(answerOf('stolen'), () => resolve()))
  // They have arrived, and are not read yet: this is still the same turn.
  expect(await upstream.ask()).toMatchObject({ text: 'yours', isEnded: true })
  expect(upstream.sockets).toHaveLength(2)
})

test('a connection that the upstream closed while it was idle is not used', async () => {
  const upstream = await start((_text, socket) => socket.write(answerOf('ok')))
  await upstream.ask()
  await new Promise<void>((resolve) => upstream.sockets[0]?.end(resolve))
  expect(await upstream.ask()).toMatchObject({ text: 'ok', fault: null })
  expect(upstream.sockets).toHaveLength(2)
})

test('a kept connection that is closed as the request comes is a lost connection, after which the caller may ask again', async () => {
  const upstream = await start((_text, socket, { request }) => {
    if (request === 0) socket.write(answerOf('ok'))
    else socket.destroy()
  })
  await upstream.ask()
  const { exchange, over } = upstream.begin()
  const { fault } = await over
  expect(fault?.code).toBe('upstream_unavailable')
  expect(isLostConnection(fault?.cause)).toBe(true)
  expect(exchange.isSent).toBe(true)
})

test.for([
  ['connection: close', 'connection: close\r\n'],
  ['a keep-alive that is as good as over', 'keep-alive: timeout=2\r\n'],
])('a connection is not used again after %s', async ([, header]) => {
  const upstream = await start((_text, socket) => socket.write(answerOf('ok', header)))
  await upstream.ask()
  await upstream.ask()
  expect(upstream.sockets).toHaveLength(2)
  await closed(upstream.sockets[0])
})

test('an idle connection is closed before its upstream would', async () => {
  const upstream = await start((_text, socket) => socket.write(answerOf('ok', 'keep-alive: timeout=3\r\n')))
  await upstream.ask()
  await closed(upstream.sockets[0])
})

test.for([
  ['in the middle of its content', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab'],
  ['in a chunk', 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
  ['before the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n'],
  ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
] as const)('an answer that ends %s is a lost connection, never a whole answer', async ([, text]) => {
  const upstream = await start((_text, socket) => socket.end(text))
  const { fault, isEnded } = await upstream.ask()
  expect(isEnded).toBe(false)
  expect(fault?.code).toBe('upstream_unavailable')
  expect(isLostConnection(fault?.cause)).toBe(true)
})

test('an answer without a length ends with its connection, but not with a connection that is lost', async () => {
  const upstream = await start((_text, socket, { connection }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\nsome', () =>
      connection === 0 ? socket.end() : setImmediate(() => socket.resetAndDestroy()),
    )
  })
  expect(await upstream.ask()).toMatchObject({ text: 'some', isEnded: true })
  expect(await upstream.ask()).toMatchObject({ isEnded: false, fault: { code: 'upstream_unavailable' } })
})

test('what is not HTTP is refused as soon as it differs', async () => {
  const upstream = await start((_text, socket) => socket.write('SSH-2.0-OpenSSH_9.9'))
  expect((await upstream.ask()).fault?.code).toBe('upstream_malformed')
  await closed(upstream.sockets[0])
})

test('chunks that come together are given on together', async () => {
  const upstream = await start((_text, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n')
  })
  expect(await upstream.ask()).toMatchObject({ text: 'abcdef', pieces: 1, isEnded: true })
})

test('an answer before the request is written ends it, and its connection is not used again', async () => {
  const upstream = await start((_text, socket, { request }) => {
    if (request > 0) return
    socket.pause()
    socket.write(answerOf('too large').replace('200 OK', '413 No'))
  })
  const { status, isEnded } = await upstream.ask({ body: [Buffer.alloc(32 * 1024 * 1024)] })
  expect({ status, isEnded }).toEqual({ status: 413, isEnded: true })
  await closed(upstream.sockets[0]?.resume())
})

test('a large body arrives as it was given', async () => {
  let got = ''
  const upstream = await start((text, socket) => {
    got += text
    if (got.endsWith('z')) socket.write(answerOf('ok'))
  })
  const body = [Buffer.alloc(3_000_000, 'x'), Buffer.from('y'), Buffer.alloc(3_000_000, 'x'), Buffer.from('z')]
  expect(await upstream.ask({ body })).toMatchObject({ text: 'ok' })
  expect(got.slice(got.indexOf('\r\n\r\n') + 4)).toBe(Buffer.concat(body).toString())
})

test('a consumer that pauses stops the upstream, and gets the rest after it resumes', async () => {
  const size = 16 * 1024 * 1024
  const upstream = await start(
    (_text, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
      socket.write(Buffer.alloc(size, 'x'))
    },
    { onData: (exchange) => exchange.pause() },
  )
  const { exchange, received, over } = upstream.begin()
  await expect.poll(() => received.pieces).toBe(1)
  const [socket] = upstream.sockets
  // The system's buffers fill up; then nothing moves any more.
  const read = received.text.length
  for (let turns = 0; turns < 100; turns++) await turn()
  expect(received.text.length).toBe(read)
  expect(socket?.writableLength).toBeGreaterThan(0)
  const resuming = setInterval(() => exchange.resume(), 0)
  expect((await over).text.length).toBe(size)
  clearInterval(resuming)
})

test('an exchange that is aborted closes its connection, and hears nothing more', async () => {
  const upstream = await start((_text, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nsome'))
  const { exchange, received } = upstream.begin()
  await expect.poll(() => received.text).toBe('some')
  exchange.abort()
  await closed(upstream.sockets[0])
  expect(received).toMatchObject({ fault: null, isEnded: false })
})

test('one that is aborted before it is sent is never sent', async () => {
  const asked: string[] = []
  const upstream = await start((text, socket) => {
    asked.push(text)
    socket.write(answerOf('ok'))
  })
  const waiting = upstream.begin({ path: '/waiting' })
  waiting.exchange.abort()
  const connecting = upstream.begin({ path: '/connecting' })
  await turn()
  connecting.exchange.abort()
  await upstream.ask({ path: '/sent' })
  expect(asked.map((text) => text.split(' ')[1])).toEqual(['/v1/sent'])
})

test('a defect of the one who takes an answer costs this answer alone', async () => {
  let isBroken = true
  const upstream = await start((_text, socket) => socket.write(answerOf('ok').replace('length: 2', 'length: 3')), {
    onData: () => {
      if (isBroken) throw new Error('a defect')
    },
  })
  expect((await upstream.ask()).fault).toMatchObject({ cause: { message: 'a defect' } })
  isBroken = false
  const { received, exchange } = upstream.begin()
  await expect.poll(() => received.text).toBe('ok')
  exchange.abort()
})

test('closing ends what is running, what waits, and what is idle', async () => {
  const upstream = await start((_text, socket, { connection }) => {
    if (connection === 0) socket.write(answerOf('ok'))
  })
  await upstream.ask()
  const [running, other] = [upstream.begin(), upstream.begin()]
  await expect.poll(() => running.exchange.isSent && other.exchange.isSent).toBe(true)
  const waiting = upstream.begin()
  await upstream.client.close()
  expect((await other.over).fault?.code).toBe('upstream_unavailable')
  expect((await waiting.over).fault?.code).toBe('upstream_unavailable')
  expect((await upstream.ask()).fault?.code).toBe('upstream_unavailable')
  for (const socket of upstream.sockets) await closed(socket)
})

test('more requests at a time than the upstream may have fail at once, and free ones get but a part', async () => {
  const upstream = await start(() => {}, { maxConcurrency: 4 })
  const free = { isFree: true }
  const first = upstream.begin(free)
  expect((await upstream.ask(free)).fault?.code).toBe('upstream_overloaded')
  first.exchange.abort()
  const running = [1, 2, 3, 4].map(() => upstream.begin())
  expect((await upstream.ask()).fault?.code).toBe('upstream_overloaded')
  running[0]?.exchange.abort()
  expect(upstream.begin().received.fault).toBe(null)
})

test('where nothing listens, the cause says so', async () => {
  const upstream = await start(() => {})
  await upstream.close()
  open.length = 0
  const client = await start(() => {}, { baseUrl: 'http://127.0.0.1:1' })
  expect((await client.ask()).fault).toMatchObject({ code: 'upstream_unavailable', cause: { code: 'ECONNREFUSED' } })
})
