import type { UpstreamProtocol } from '../../core/upstream-protocol.ts'
import type { UpstreamHandler, UpstreamRequest } from '../upstream-client.ts'

/** The upstream that a dialect is spoken with. */
export interface DialectUpstream {
  readonly protocol: UpstreamProtocol
  /** The base URL without a trailing slash; requests have paths below it. */
  readonly baseUrl: string
  /** null: the base URL says it, or nothing asks for it. */
  readonly region: string | null
  readonly apiVersion: string | null
}

/** How one upstream of a cloud is spoken with. What it returns for a request that it has nothing to change in is the same object. */
export interface Dialect {
  /**
   * The request as it goes out, without its credential. Throws the fault `request_invalid` where the cloud has no endpoint for
   * it, or no field for something in it that must not be lost.
   */
  outbound(request: UpstreamRequest): UpstreamRequest
  /** What hears the cloud's answer to this request, and passes it to `handler` as the wire's own provider would have sent it. */
  inbound(request: UpstreamRequest, handler: UpstreamHandler): UpstreamHandler
  /**
   * The request as it goes out once more, for an answer of status 400 that refuses something which it can do without; null: the
   * answer stands. Left out: it always does.
   */
  again?(request: UpstreamRequest, refusal: Buffer): UpstreamRequest | null
  /** Where its models are listed; null: nowhere. Left out: it is asked for a list as its protocol is. */
  readonly list?: ModelListing | null
}

/** Where a cloud lists what can be asked for. */
export interface ModelListing {
  /** A whole URL, of a host of its own perhaps. */
  readonly url: string
  /** The protocol in whose header it takes a static secret; left out: the upstream's. */
  readonly askedAs?: UpstreamProtocol
  /** The names in a page of it, as targets have them, and where the next one is (null: there is none). */
  read(body: unknown): { readonly names: readonly string[]; readonly nextUrl: string | null }
}
