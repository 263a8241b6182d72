import { Fault } from '../core/faults.ts'
import { faultOf } from './connection-error.ts'
import { DialectExchange } from './dialect-exchange.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { UpstreamClient, UpstreamExchange, UpstreamHandler, UpstreamRequest } from './upstream-client.ts'

type CredentialHeaders = Readonly<Record<string, string>>

/** What gives each request to a cloud its credential. */
export interface Authorizer {
  /**
   * The headers that the request is authenticated by, as it goes out; at once where they are at hand. Rejects with a
   * `CredentialFailure` where none can be had.
   */
  headers(request: UpstreamRequest): CredentialHeaders | Promise<CredentialHeaders>
  /** Ends what renews it. */
  close(): void
}

/** A credential that could not be minted, in the words of the one who refused it. */
export class CredentialFailure extends Error {}

/** Sends as a cloud wants it: addressed and written by its dialect, and with a credential for each request. */
export class CloudUpstream implements UpstreamClient {
  readonly #client: UpstreamClient
  readonly #dialect: Dialect | null
  readonly #authorizer: Authorizer | null

  constructor(client: UpstreamClient, dialect: Dialect | null, authorizer: Authorizer | null) {
    this.#client = client
    this.#dialect = dialect
    this.#authorizer = authorizer
  }

  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    if (this.#dialect === null) return this.#sendAuthorized(request, { hears: handler, refused: handler })
    const exchange = new DialectExchange(handler)
    let outbound: UpstreamRequest
    try {
      outbound = this.#dialect.outbound(request)
    } catch (error) {
      return new WaitingExchange(handler, Promise.reject(asError(error)), (headers) =>
        this.#client.send({ ...request, headers }, handler),
      )
    }
    const hears = this.#dialect.inbound(request, exchange)
    return exchange.goesBy(this.#sendAuthorized(outbound, { hears, refused: exchange }))
  }

  /** `refused`: hears, in the wire's form, that there is no credential. */
  #sendAuthorized(
    request: UpstreamRequest,
    { hears, refused }: { readonly hears: UpstreamHandler; readonly refused: UpstreamHandler },
  ): UpstreamExchange {
    if (this.#authorizer === null) return this.#client.send(request, hears)
    const headers = this.#authorizer.headers(request)
    const sendWith = (own: CredentialHeaders): UpstreamExchange =>
      this.#client.send({ ...request, headers: { ...request.headers, ...own } }, hears)
    return headers instanceof Promise ? new WaitingExchange(refused, headers, sendWith) : sendWith(headers)
  }

  async close(): Promise<void> {
    this.#authorizer?.close()
    await this.#client.close()
  }
}

/** An attempt that waits for its credential before it is sent. */
class WaitingExchange implements UpstreamExchange {
  #exchange: UpstreamExchange | null = null
  #isAborted = false
  #isPaused = false

  constructor(
    handler: UpstreamHandler,
    headers: Promise<CredentialHeaders>,
    send: (headers: CredentialHeaders) => UpstreamExchange,
  ) {
    void this.#begin(handler, headers, send)
  }

  async #begin(
    handler: UpstreamHandler,
    headers: Promise<CredentialHeaders>,
    send: (headers: CredentialHeaders) => UpstreamExchange,
  ): Promise<void> {
    try {
      const own = await headers
      if (this.#isAborted) return
      this.#exchange = send(own)
      if (this.#isPaused) this.#exchange.pause()
    } catch (error) {
      if (!this.#isAborted) refuse(error, handler)
    }
  }

  get isSent(): boolean {
    return this.#exchange?.isSent === true
  }

  get isRepeated(): boolean {
    return this.#exchange?.isRepeated === true
  }

  pause(): void {
    this.#isPaused = true
    this.#exchange?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#exchange?.resume()
  }

  abort(): void {
    this.#isAborted = true
    this.#exchange?.abort()
  }
}

/** A credential that cannot be had is heard as the provider's own refusal of it, in the words of the one who minted none. */
function refuse(error: unknown, handler: UpstreamHandler): void {
  if (!(error instanceof CredentialFailure)) return handler.onFailure(error instanceof Fault ? error : faultOf(error))
  const body = {
    type: 'error',
    error: { type: 'authentication_error', code: 'invalid_api_key', message: error.message },
  }
  handler.onHead(401, { 'content-type': 'application/json' })
  handler.onData(Buffer.from(JSON.stringify(body)))
  handler.onEnd()
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
