import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import {
  answerOf,
  type OnRequest,
  type SocketUpstream,
  socketUpstream,
  type SocketOptions,
} from '../../test/support/upstream-on-sockets.ts'
import { isLostConnection } from './connection-error.ts'
import { dialTo } from './http/dial.ts'

// How long a connection is used, and what becomes of a request whose kept connection is lost.

const open: SocketUpstream[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const upstream of open.splice(0)) await upstream.close()
})

async function start(onRequest: OnRequest, options: SocketOptions = {}): Promise<SocketUpstream> {
  const upstream = await socketUpstream(onRequest, options)
  open.push(upstream)
  return upstream
}

/** Seconds pass when a test says so; sockets have their own time. */
const byHand = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
const seconds = (count: number) => vi.advanceTimersByTime(count * 1_000)
const closed = (socket: Socket | undefined) => expect.poll(() => socket?.destroyed).toBe(true)
const portOf = ({ sockets }: SocketUpstream) => sockets[0]?.localPort ?? 0

// From: lysine-dev/okhttp#9218, AsyncHttpClient/async-http-client#937, bosun-monitor/bosun#203 (a name that moves is never
// followed while requests keep coming), eclipse-vertx/vert.x#6251 (a new connection must ask for the name again).
test('an upstream whose name leads elsewhere is followed within three minutes, while requests keep coming', async () => {
  byHand()
  const [before, after] = [
    await start((_text, socket) => socket.write(answerOf('before'))),
    await start((_text, socket) => socket.write(answerOf('after'))),
  ]
  for (const each of [before, after]) await each.ask()
  let port = portOf(before)
  const named = await start(() => {}, {
    dial: (events) => dialTo(new URL(`http://127.0.0.1:${port}`), 10_000)(events),
  })
  const answers: string[] = []
  for (let second = 0; second < 185; second++) {
    if (second === 10) port = portOf(after)
    answers.push((await named.ask()).text)
    seconds(1)
  }
  const moved = answers.indexOf('after')
  expect(moved).toBeGreaterThanOrEqual(120)
  expect(moved).toBeLessThanOrEqual(180)
  expect(new Set(answers.slice(moved))).toEqual(new Set(['after']))
})

test('connections that were opened together do not end together', async () => {
  byHand()
  const many = 30
  const upstream = await start((_text, socket) => socket.write(answerOf('ok')))
  const openedIn: number[] = []
  for (let second = 0; second < 185; second++) {
    const before = upstream.sockets.length
    await Promise.all(Array.from({ length: many }, () => upstream.ask()))
    openedIn.push(upstream.sockets.length - before)
    seconds(1)
  }
  expect(openedIn[0]).toBe(many)
  expect(Math.max(...openedIn.slice(1))).toBeLessThanOrEqual(2)
  expect(upstream.sockets.length).toBe(2 * many)
})

test('a stream goes on however old its connection is, which takes no request after it', async () => {
  byHand()
  let stream: Socket | null = null
  const upstream = await start((_text, socket, { connection }) => {
    if (connection > 0) return void socket.write(answerOf('next'))
    stream = socket
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n')
  })
  const { received, over } = upstream.begin()
  await expect.poll(() => received.text).toBe('first')
  seconds(600)
  const sending: Socket | null = stream
  ;(sending as Socket | null)?.write('4\r\nlast\r\n0\r\n\r\n')
  expect(await over).toMatchObject({ text: 'firstlast', isEnded: true })
  expect(await upstream.ask()).toMatchObject({ text: 'next' })
  await closed(upstream.sockets[0])
})

const REPEATABLE = { isRepeatable: true }

// From: golang/go#22158, praxis-proxy/praxis#1196 (each such loss is an error to the client), nodejs/node#29715.
const LEAVINGS: Readonly<Record<string, (socket: Socket) => void>> = {
  'resets it': (socket) => void socket.resetAndDestroy(),
  'closes it': (socket) => void socket.end(),
  'drops it': (socket) => void socket.destroy(),
}

test.for(Object.keys(LEAVINGS))(
  'a request goes out once more where its upstream has a kept connection and %s as it comes: 40 of 40 are answered',
  async (name) => {
    const upstream = await start((_text, socket, { request }) => {
      if (request === 0) socket.write(answerOf('ok'))
      else LEAVINGS[name]?.(socket)
    })
    for (let i = 0; i < 40; i++) expect(await upstream.ask(REPEATABLE)).toMatchObject({ text: 'ok', fault: null })
  },
)

test('the request goes out whole the second time, with a large body as well', async () => {
  const bodies: string[] = []
  const whole = Buffer.from(`{"text":"${'x'.repeat(200_000)}"}`)
  const upstream = await start((text, socket, { connection, request }) => {
    if (connection === 0 && request > 0) return socket.resetAndDestroy()
    const body = (bodies[connection] ?? '') + text
    bodies[connection] = body
    if (body.endsWith('}')) socket.write(answerOf('ok'))
  })
  await upstream.ask({ body: [Buffer.from('{}')] })
  expect(await upstream.ask({ ...REPEATABLE, body: [whole] })).toMatchObject({ text: 'ok' })
  expect(bodies[1]?.slice(bodies[1].indexOf('\r\n\r\n') + 4)).toBe(whole.toString())
})

test.for([
  // From: oven-sh/bun#28708 (what must not be done twice was).
  { what: 'it is paid by the piece', request: {}, answers: '', asked: 1 },
  { what: 'something of an answer came', request: REPEATABLE, answers: 'HTTP/1.1 2', asked: 1 },
  { what: 'the new connection is lost as well', request: REPEATABLE, answers: '', asked: 2, isLostAgain: true },
])('a request whose kept connection is lost fails where $what', async ({ request: wish, answers, asked, ...how }) => {
  let count = 0
  const upstream = await start((_text, socket, { connection, request }) => {
    if (connection === 0 && request === 0) return void socket.write(answerOf('ok'))
    count += 1
    if (connection > 0 && how.isLostAgain !== true) return void socket.write(answerOf('twice'))
    if (answers === '') return void socket.resetAndDestroy()
    socket.write(answers, () => socket.resetAndDestroy())
  })
  await upstream.ask()
  const { fault, status } = await upstream.ask(wish)
  expect(status).toBe(0)
  expect(isLostConnection(fault?.cause)).toBe(true)
  expect(count).toBe(asked)
})

test('one that is lost after some seconds was not lost for having been kept: it fails', async () => {
  byHand()
  let taken: Socket | null = null
  const upstream = await start((_text, socket, { request }) => {
    if (request === 0) socket.write(answerOf('ok'))
    else taken = socket
  })
  await upstream.ask()
  const { over } = upstream.begin(REPEATABLE)
  await expect.poll(() => taken).not.toBeNull()
  seconds(3)
  ;(taken as Socket | null)?.resetAndDestroy()
  expect((await over).fault?.code).toBe('upstream_unavailable')
  expect(upstream.sockets).toHaveLength(1)
})
