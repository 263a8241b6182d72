import type { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { REQUEST_TIMEOUT_MS } from '../../core/limits.ts'
import { createServer, request as startRequest } from '../../core/node-http.ts'
import type { Listener } from '../server/lazy-listener.ts'

/** Requests of one thread that the main thread answers at a time; people cause them, and their programs. */
const PASSED_LIMIT = 256

/** A connection to the control plane that begins in another thread. The port is transferred with it. */
export interface PassedConnection {
  readonly port: MessagePort
  /** The client's, as this process's own socket has it: no header that a client could write takes part. */
  readonly remoteAddress: string | undefined
}

/**
 * The control plane's listener of a thread that has no control plane: passes each request on to the main thread, which
 * answers it over `connect`. Headers that concern the connection alone stay with it.
 */
export function passControl(connect: (connection: PassedConnection) => void): Listener {
  let passed = 0
  return (request, response) => {
    if (passed >= PASSED_LIMIT) return refuse(response)
    passed += 1
    const { port1, port2 } = new MessageChannel()
    const { remoteAddress } = request.socket
    connect({ port: port2, remoteAddress })
    const stream = new PortStream(port1, remoteAddress)
    stream.once('close', () => {
      passed -= 1
    })
    pass(request, response, stream)
  }
}

function pass(request: IncomingMessage, response: ServerResponse, stream: Duplex): void {
  const onward = startRequest({
    createConnection: () => stream,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: [...ofMessage(request.rawHeaders), 'connection', 'close'],
    setHost: false,
  })
  onward.once('response', (answer) => {
    response.sendDate = false
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, ofMessage(answer.rawHeaders))
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  onward.once('error', () => {
    stream.destroy()
    if (response.headersSent) response.destroy()
    else refuse(response)
  })
  response.once('close', () => stream.destroy())
  request.once('error', () => stream.destroy())
  request.pipe(onward)
}

/** RFC 9110, 7.6.1, and what the HTTP client and server write by themselves. A body without a length is framed anew. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

/** Names and values in turn, as Node gives them, without those that concern one connection. */
function ofMessage(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    if (!OF_CONNECTION.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '2', 'cache-control': 'no-store' }).end()
}

/** The main thread's end: answers passed connections with its control plane. */
export function controlReceiver(control: Listener): (connection: PassedConnection) => void {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, control)
  return ({ port, remoteAddress }) => void server.emit('connection', new PortStream(port, remoteAddress))
}

/** What goes over the port besides bytes. */
const TAKEN = 'taken'
const ENDED = 'ended'

/**
 * A connection between two threads that looks like a socket to Node's HTTP server and client. One piece of bytes is under way
 * each way at a time, so a slow reader holds the writer up and nothing piles up between them.
 */
class PortStream extends Duplex {
  /** The client's address: what `socket.remoteAddress` was where the connection came in. */
  readonly remoteAddress: string | undefined
  readonly #port: MessagePort
  #onTaken: ((error?: Error | null) => void) | null = null
  /** The last piece that came has not been asked for yet. */
  #owesTaken = false

  constructor(port: MessagePort, remoteAddress?: string) {
    super({ allowHalfOpen: true })
    this.#port = port
    this.remoteAddress = remoteAddress
    port.on('message', (message: unknown) => this.#hear(message))
    port.on('close', () => this.destroy())
  }

  // A thread that is there at all answers: there is nothing to keep alive, and the HTTP server keeps its own times.
  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    this.#port.ref()
    return this
  }

  unref(): this {
    this.#port.unref()
    return this
  }

  override _write(chunk: Buffer, _encoding: string, onTaken: (error?: Error | null) => void): void {
    this.#onTaken = onTaken
    // A copy: a piece of a pool would take its whole pool along.
    const bytes = new Uint8Array(chunk)
    this.#port.postMessage(bytes, [bytes.buffer])
  }

  override _final(onDone: () => void): void {
    this.#port.postMessage(ENDED)
    onDone()
  }

  override _read(): void {
    this.#confirm()
  }

  #confirm(): void {
    if (!this.#owesTaken) return
    this.#owesTaken = false
    this.#port.postMessage(TAKEN)
  }

  override _destroy(error: Error | null, onDone: (error?: Error | null) => void): void {
    this.#port.close()
    onDone(error)
  }

  #hear(message: unknown): void {
    if (message === TAKEN) {
      const onTaken = this.#onTaken
      this.#onTaken = null
      onTaken?.()
    } else if (message === ENDED) this.push(null)
    else if (message instanceof Uint8Array) {
      this.#owesTaken = true
      if (this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))) this.#confirm()
    }
  }
}
