import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../core/faults.ts'
import { faultOf } from './connection-error.ts'
import { DialectExchange } from './dialect-exchange.ts'
import type { Dialect } from './dialects/dialect.ts'
import { HeldRefusal } from './held-refusal.ts'
import type { UpstreamClient, UpstreamExchange, UpstreamHandler, UpstreamRequest } from './upstream-client.ts'

type CredentialHeaders = Readonly<Record<string, string>>

/** What gives each request to a cloud its credential. */
export interface Authorizer {
  /**
   * The headers that the request is authenticated by, as it goes out; at once where they are at hand. Rejects with a
   * `CredentialFailure` where none can be had.
   */
  headers(request: UpstreamRequest): CredentialHeaders | Promise<CredentialHeaders>
  /** Other headers for a request whose answer refuses the first ones; null: others would do no better. Left out: never. */
  again?(
    request: UpstreamRequest,
    answer: { readonly status: number; readonly headers: IncomingHttpHeaders },
  ): Promise<CredentialHeaders> | null
  /** Gives the same credential to requests to another address of the cloud; left out: its headers are good for any. */
  readonly at?: (baseUrl: string) => Authorizer
  /** Ends what renews it. `isGone`: the credential is no more. */
  close(isGone: boolean): void
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
    if (this.#dialect === null) return this.#sendAuthorized({ request, hearing: handler, handler })
    const exchange = new DialectExchange(handler)
    let outbound: UpstreamRequest
    try {
      outbound = this.#dialect.outbound(request)
    } catch (error) {
      const failing = { headers: () => Promise.reject(asError(error)), close: () => {} }
      return new AuthorizedExchange(this.#client, failing, { request, hearing: handler, handler })
    }
    const heard = this.#dialect.inbound(request, exchange)
    const hearing = this.#dialect.again === undefined ? heard : this.#mayRepeat(request, { heard, exchange })
    return exchange.goesBy(this.#sendAuthorized({ request: outbound, hearing, handler: exchange }))
  }

  /** Hears the answer to a request that goes out once more where its dialect can do without what is refused. */
  #mayRepeat(
    request: UpstreamRequest,
    { heard, exchange }: { readonly heard: UpstreamHandler; readonly exchange: DialectExchange },
  ): UpstreamHandler {
    return new HeldRefusal(heard, (refusal) => {
      const again = this.#dialect?.again?.(request, refusal) ?? null
      if (again === null) return false
      exchange.goesBy(this.#sendAuthorized({ request: again, hearing: heard, handler: exchange }))
      return true
    })
  }

  #sendAuthorized(of: AuthorizedRequest): UpstreamExchange {
    if (this.#authorizer === null) return this.#client.send(of.request, of.hearing)
    return new AuthorizedExchange(this.#client, this.#authorizer, of)
  }

  async close(): Promise<void> {
    this.#authorizer?.close(false)
    await this.#client.close()
  }
}

interface AuthorizedRequest {
  readonly request: UpstreamRequest
  /** What hears the answer. */
  readonly hearing: UpstreamHandler
  /** What hears, in the wire's form, that there is no credential. */
  readonly handler: UpstreamHandler
}

/** An attempt that may wait for its credential, and that is sent once more where the provider takes another one of it. */
class AuthorizedExchange implements UpstreamExchange {
  readonly #client: UpstreamClient
  readonly #authorizer: Authorizer
  readonly #of: AuthorizedRequest
  #exchange: UpstreamExchange | null = null
  #isAborted = false
  #isPaused = false
  #wasSentAgain = false

  constructor(client: UpstreamClient, authorizer: Authorizer, of: AuthorizedRequest) {
    this.#client = client
    this.#authorizer = authorizer
    this.#of = of
    this.#begin(() => authorizer.headers(of.request))
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

  #begin(headersOf: () => CredentialHeaders | Promise<CredentialHeaders>): void {
    let headers: CredentialHeaders | Promise<CredentialHeaders>
    try {
      headers = headersOf()
    } catch (error) {
      headers = Promise.reject(asError(error))
    }
    if (headers instanceof Promise) {
      headers.then(
        (own) => this.#send(own),
        (error: unknown) => this.#refuse(error),
      )
    } else this.#send(headers)
  }

  #send(own: CredentialHeaders): void {
    if (this.#isAborted) return
    const { request, hearing } = this.#of
    try {
      const sent = { ...request, headers: { ...request.headers, ...own } }
      this.#exchange = this.#client.send(sent, this.#wasSentAgain ? hearing : this.#listener())
      if (this.#isPaused) this.#exchange.pause()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Hears the first answer: one that refuses the credential may not be the last word. */
  #listener(): UpstreamHandler {
    const { request, hearing } = this.#of
    return {
      onConnected: () => hearing.onConnected?.(),
      onHead: (status, headers) => {
        const isRefused = status === UNAUTHORIZED || status === FORBIDDEN
        const own = isRefused ? (this.#authorizer.again?.(request, { status, headers }) ?? null) : null
        if (own === null) return hearing.onHead(status, headers)
        this.#exchange?.abort()
        this.#wasSentAgain = true
        this.#begin(() => own)
      },
      onData: (chunk) => hearing.onData(chunk),
      onEnd: () => hearing.onEnd(),
      onFailure: (fault) => hearing.onFailure(fault),
    }
  }

  #refuse(error: unknown): void {
    if (!this.#isAborted) refuse(error, this.#of.handler)
  }
}

const UNAUTHORIZED = 401
const FORBIDDEN = 403

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
