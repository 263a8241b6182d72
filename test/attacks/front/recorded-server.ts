import { createServer, type Server } from 'node:http'
import { takeConnections } from '../../../src/app/server/front/take-connections.ts'
import { FrontRequest } from '../../../src/app/server/front/front-request.ts'
import type { ClientRequest, ClientResponse } from '../../../src/gateway/client-connection.ts'
import { MemorySocket } from './memory-socket.ts'

/** What a handler does with each request. */
export const MANNERS = [
  'answers when it has read',
  'answers later',
  'answers at once',
  'streams',
  'never reads',
] as const
export type Manner = (typeof MANNERS)[number]

/** One request as it reached the handler. */
export interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: object
  readonly rawHeaders: readonly string[]
  /** The body in Latin-1; null: not read, or never whole. */
  body: string | null
  /** The client left before the body was whole. */
  isCut: boolean
}

/** One connection and what came of it. */
export interface Conversation {
  readonly socket: MemorySocket
  readonly seen: Seen[]
  /** How many of them the front read itself. */
  servedByFront: number
}

/** A server that writes down what reaches its handler; with the front before Node's parser, or without. */
export class RecordedServer {
  readonly #server: Server
  readonly #conversations = new WeakMap<object, { conversation: Conversation; manner: Manner }>()

  constructor(hasFront: boolean) {
    const listener = (request: ClientRequest, response: ClientResponse): void => this.#take(request, response)
    this.#server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 120_000 }, listener)
    this.#server.on('clientError', (error: Error & { code?: string }, socket) => {
      if (socket.writable) socket.end(`HTTP/1.1 ${error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400} Refused\r\n\r\n`)
      else socket.destroy()
    })
    if (!hasFront) return
    const clock = { now: () => Date.now(), elapsed: () => performance.now() }
    takeConnections(this.#server, {
      clock,
      listener,
      isServed: ({ url }) => !url.startsWith('/console'),
      isClosing: () => false,
      onLeftToServer: () => {},
    })
  }

  open(manner: Manner): Conversation {
    const socket = new MemorySocket()
    const conversation = { socket, seen: [], servedByFront: 0 }
    this.#conversations.set(socket, { conversation, manner })
    this.#server.emit('connection', socket)
    return conversation
  }

  close(): void {
    this.#server.emit('close')
  }

  #take(request: ClientRequest, response: ClientResponse): void {
    const known = this.#conversations.get(request.socket)
    if (known === undefined) throw new Error('this request has no connection')
    const { conversation, manner } = known
    const { method, url, headers, rawHeaders } = request
    const seen: Seen = { method, url, headers: { ...headers }, rawHeaders: [...rawHeaders], body: null, isCut: false }
    conversation.seen.push(seen)
    if (request instanceof FrontRequest) conversation.servedByFront += 1
    const number = conversation.seen.length
    if (manner === 'answers at once') answer(response, number)
    if (manner === 'never reads') return void setImmediate(() => answer(response, number))
    readWhole(request, seen, () => {
      if (manner === 'answers when it has read') answer(response, number)
      else if (manner === 'answers later') setImmediate(() => answer(response, number))
      else if (manner === 'streams') stream(response, number)
    })
  }
}

function readWhole(request: ClientRequest, seen: Seen, then: () => void): void {
  const whole = (body: Buffer): void => {
    seen.body = body.toString('latin1')
    then()
  }
  if (request.arrived !== undefined) return whole(request.arrived)
  const parts: Buffer[] = []
  request.on('data', (bytes) => void parts.push(bytes))
  request.on('end', () => whole(Buffer.concat(parts)))
  request.on('error', () => {})
  request.on('close', () => (seen.isCut = !request.complete))
}

function answer(response: ClientResponse, number: number): void {
  if (response.destroyed) return
  const body = Buffer.from(`answer ${number}`)
  response.writeHead(200, ['content-type', 'text/plain', 'content-length', String(body.length)])
  response.end(body)
}

function stream(response: ClientResponse, number: number): void {
  if (response.destroyed) return
  const isFramed = response.req.httpVersionMinor > 0
  response.writeHead(200, isFramed ? ['transfer-encoding', 'chunked'] : [])
  response.chunkedEncoding = false
  response.write(Buffer.from(isFramed ? `1\r\n${number % 10}\r\n` : '1'))
  setImmediate(() => response.end(Buffer.from(isFramed ? '0\r\n\r\n' : '')))
}
