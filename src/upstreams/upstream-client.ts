import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../core/faults.ts'
import type { Wire } from '../core/wire.ts'

/** One configured endpoint, as the gateway uses it: sends one request and reports what comes back, as it comes. */
export interface UpstreamClient {
  /**
   * Starts one attempt. Calls nothing on the handler before it has returned. After `abort()` nothing more is called.
   * At most one of `onEnd` and `onFailure` is called, once, and nothing after it.
   */
  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange
  /** Closes idle connections, and running ones too. */
  close(): Promise<void>
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below the upstream's base URL, with its query: `/chat/completions`. */
  readonly path: string
  /** Lower-case names. The client adds credential, host and length. */
  readonly headers: Readonly<Record<string, string>>
  /** The body in pieces, so that a large one need not be copied to change a word in it. */
  readonly body: readonly Buffer[]
  /** What a client's request asks for, by which the clouds address it; left out: it is one of the gateway's own. */
  readonly asks?: RequestPurpose
  /** Set for a request that costs its client nothing, and gets but a part of the upstream's slots. */
  readonly isFree?: boolean
  /**
   * Where the kept connection that took it is lost before anything is heard, it goes out once more on a new one: not for what is
   * paid by the piece, of which one may have been made by then.
   */
  readonly isRepeatable?: boolean
}

export interface RequestPurpose {
  /** What the body and the answer are written in. */
  readonly wire: Wire
  /** The model's name at the upstream; null: a request without one, such as that for a stored answer. */
  readonly model: string | null
  readonly form: 'whole' | 'stream' | 'count_tokens'
}

export interface UpstreamHandler {
  /** A connection took the request after it had to be waited for; not called where one was there at once. */
  onConnected?(): void
  /** The headers of a good answer may have no more than the content type, which is all that is read of it. */
  onHead(status: number, headers: IncomingHttpHeaders): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** `upstream_unavailable`, `upstream_timeout` or `upstream_malformed`, with the cause for the log. */
  onFailure(fault: Fault): void
}

export interface UpstreamExchange {
  /** A connection took the request: the upstream may read it, and bill it. */
  readonly isSent: boolean
  /** Set where the request went out a second time, since the kept connection that took it first was lost. */
  readonly isRepeated?: boolean
  /** Stops reading until `resume`, so that a slow client slows the upstream. */
  pause(): void
  resume(): void
  /** Cancels: the connection is closed at once. */
  abort(): void
}

/** The code with which a dialect passes on, with 404, that the cloud has the model for other endpoints than the one that was asked. */
export const LACKS_OPERATION = 'operation_not_supported'
