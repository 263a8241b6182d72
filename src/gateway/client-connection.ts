import type { IncomingHttpHeaders } from 'node:http'

/**
 * What the gateway needs of a client's connection, and all that it uses: a request as it arrives, and what is written back.
 * The objects of `node:http` are both as they are, and so is any other front that keeps to this.
 */
export type GatewayListener = (request: ClientRequest, response: ClientResponse) => void

/** One request. Its body comes as events. */
export interface ClientRequest {
  readonly method?: string | undefined
  /** The request target as it was sent: a path with its query. */
  readonly url?: string | undefined
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value …, as they were written. */
  readonly rawHeaders: readonly string[]
  /** One object for all requests of a connection. */
  readonly socket: ClientSocket
  /** The body has come whole, read or not. */
  readonly complete: boolean
  readonly destroyed: boolean
  /** The whole body, where it came together with the head; then no event has to be waited for. */
  readonly arrived?: Buffer | undefined
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  removeAllListeners(event: 'data'): unknown
  /** Reads what still comes, for no listener. */
  resume(): unknown
  /** Closes the connection at once. */
  destroy(): unknown
}

/** What is written back to one request. The writer of its body frames it where `transfer-encoding` stands in the head. */
export interface ClientResponse {
  readonly req: { readonly httpVersionMinor: number }
  /** null: the answer has left it, or never had one. */
  readonly socket: ClientSocket | null
  readonly headersSent: boolean
  /** The client is gone, or has everything. */
  readonly destroyed: boolean
  readonly writableEnded: boolean
  /** Set to false where the body comes framed. */
  chunkedEncoding: boolean
  /** Overridden by the same name in `writeHead`. */
  setHeader(name: string, value: string): unknown
  /** `headers`: name, value, name, value … */
  writeHead(status: number, headers: string[]): unknown
  /** Sends the head without waiting for the body. */
  flushHeaders(): void
  /** False when the client reads more slowly than it is written to: `drain` follows. `then` is called when the system has it. */
  write(bytes: Buffer, then?: () => void): boolean
  write(text: string, encoding: 'latin1'): boolean
  end(bytes?: Buffer): unknown
  end(text: string, encoding: 'latin1'): unknown
  /** Closes the connection at once. */
  destroy(): unknown
  /** `close` comes once: when the answer is with the system, or when the client is gone. */
  on(event: 'close' | 'drain', listener: () => void): unknown
  once(event: 'close', listener: () => void): unknown
}

export interface ClientSocket {
  readonly remoteAddress?: string | undefined
  readonly destroyed: boolean
  /** Bytes that wait here for the client. */
  readonly writableLength: number
  /** All bytes so far, those that wait included. */
  readonly bytesWritten: number
  destroy(): unknown
}

/**
 * Calls `then` once the response is over: all of it was sent, or its client left; at once where that has happened. A client
 * may leave while its key is looked up, and its `close` has passed by then.
 */
export function onceClosed(response: ClientResponse, then: () => void): void {
  if (response.destroyed) then()
  else response.once('close', then)
}
