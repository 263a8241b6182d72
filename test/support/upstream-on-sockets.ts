/** An upstream that is nothing but a socket server: a test says which bytes it sends and when. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { HttpUpstreamOptions } from '../../src/upstreams/http-upstream.ts'
import { HttpUpstream } from '../../src/upstreams/http-upstream.ts'
import type { Fault } from '../../src/core/faults.ts'
import type { UpstreamExchange, UpstreamRequest } from '../../src/upstreams/upstream-client.ts'

/** One request that came, as the bytes of one read. */
export type OnRequest = (
  text: string,
  socket: Socket,
  count: { readonly connection: number; readonly request: number },
) => void

export interface SocketUpstream {
  readonly client: HttpUpstream
  /** Connections that were made so far, the first one first. */
  readonly sockets: readonly Socket[]
  /** Asks, and waits for the end. */
  ask(request?: Partial<UpstreamRequest>): Promise<Received>
  /** Asks, and does not wait. */
  begin(request?: Partial<UpstreamRequest>): Asked
  close(): Promise<void>
}

/** What came of one request so far. */
export interface Received {
  status: number
  text: string
  pieces: number
  fault: Fault | null
  isEnded: boolean
}

export interface Asked {
  readonly exchange: UpstreamExchange
  readonly received: Received
  readonly over: Promise<Received>
}

const REQUEST: UpstreamRequest = { method: 'POST', path: '/chat', headers: {}, body: [Buffer.from('{}')] }

export interface SocketOptions extends Partial<HttpUpstreamOptions> {
  readonly tls?: TlsOptions
  /** The name by which it is asked over TLS; `localhost` unless given. */
  readonly host?: string
  /** Called with each piece of content, before it is noted. */
  readonly onData?: (asked: UpstreamExchange) => void
}

/** Starts one. `onRequest` hears of each read with the number of its connection and of the read on it, from 0. */
export async function socketUpstream(onRequest: OnRequest, options: SocketOptions = {}): Promise<SocketUpstream> {
  const sockets: Socket[] = []
  const accept = (socket: Socket): void => {
    const connection = sockets.push(socket) - 1
    let request = 0
    socket.on('error', () => {})
    socket.on('data', (bytes) => onRequest(bytes.toString('latin1'), socket, { connection, request: request++ }))
  }
  const { tls, host = 'localhost', onData, ...ofClient } = options
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new HttpUpstream({
    baseUrl: tls === undefined ? `http://127.0.0.1:${port}/v1` : `https://${host}:${port}/v1`,
    headers: { authorization: 'Bearer up' },
    connectTimeoutMs: 10_000,
    maxConcurrency: null,
    ...ofClient,
  })
  const begin = (request: Partial<UpstreamRequest> = {}): Asked => {
    const received: Received = { status: 0, text: '', pieces: 0, fault: null, isEnded: false }
    const { promise: over, resolve } = Promise.withResolvers<Received>()
    const exchange = client.send(
      { ...REQUEST, ...request },
      {
        onHead: (status) => void (received.status = status),
        onData: (chunk) => {
          onData?.(exchange)
          received.text += chunk.toString('latin1')
          received.pieces += 1
        },
        onEnd: () => {
          received.isEnded = true
          resolve(received)
        },
        onFailure: (fault) => {
          received.fault = fault
          resolve(received)
        },
      },
    )
    return { exchange, received, over }
  }
  return {
    client,
    sockets,
    begin,
    ask: (request) => begin(request).over,
    async close() {
      await client.close()
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A whole answer of status 200. */
export function answerOf(text: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`
}
