import { Fault } from '../core/faults.ts'
import { FREE_PART_OF_CONCURRENCY } from '../core/limits.ts'
import { ConnectionPool } from './http/connection-pool.ts'
import { type Dial, dialTo, type UpstreamSocket } from './http/dial.ts'
import { dialThrough } from './http/dial-through.ts'
import { HttpExchange } from './http/http-exchange.ts'
import { type HeaderChanges, RequestWriter } from './http/request-writer.ts'
import type { UpstreamClient, UpstreamExchange, UpstreamHandler, UpstreamRequest } from './upstream-client.ts'

export interface HttpUpstreamOptions {
  /** Scheme, host, port and path prefix, without a trailing slash. */
  readonly baseUrl: string
  /** Set on every request, over whatever the client sent. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly connectTimeoutMs: number
  /** Requests at a time; null: no limit. One more fails at once as `upstream_overloaded`. */
  readonly maxConcurrency: number | null
  /** How connections are opened; without it, straight to the host of `baseUrl`. */
  readonly dial?: Dial
  /** Through which they are opened instead, with its login; null: none. */
  readonly proxyUrl?: string | null
  /** Sees each direct connection when it begins to be opened. */
  readonly onDial?: (wire: UpstreamSocket) => void
  /** What becomes of headers that a request brings. */
  readonly changes?: HeaderChanges
  /** Who wants the dates of some answers of a host; asked once a request. */
  readonly dates?: { ask(host: string): ((date: string) => void) | null }
}

/** How requests are written, and over which connections they go. */
interface SendPath {
  readonly writer: RequestWriter
  readonly pool: ConnectionPool
}

/**
 * An upstream that is reached over HTTP/1.1, through a pool of kept-alive connections. The gateway keeps its own time for head
 * and content, since it knows what the client was promised; only the time to connect is kept here.
 */
export class HttpUpstream implements UpstreamClient {
  readonly #path: SendPath
  readonly #options: HttpUpstreamOptions
  readonly #maxConcurrency: number
  readonly #maxFree: number
  readonly #host: string
  #running = 0
  #runningFree = 0
  readonly #onOver = (): void => void (this.#running -= 1)
  readonly #onFreeOver = (): void => {
    this.#running -= 1
    this.#runningFree -= 1
  }

  constructor(options: HttpUpstreamOptions) {
    const { baseUrl, headers, maxConcurrency } = options
    this.#options = options
    this.#host = new URL(baseUrl).host
    this.#maxConcurrency = maxConcurrency ?? Infinity
    this.#maxFree = Math.max(1, Math.floor(this.#maxConcurrency * FREE_PART_OF_CONCURRENCY))
    const writer = new RequestWriter(baseUrl, headers, options.changes)
    this.#path = { writer, pool: new ConnectionPool(options.dial ?? dialOf(options)) }
  }

  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    return this.#sendBy(this.#path, request, handler)
  }

  /**
   * Returns a client of this upstream with more headers, such as a credential, within the same bounds. It uses the connections
   * of this one, or through a proxy its own: then it is to be closed as well.
   */
  withHeaders(headers: Readonly<Record<string, string>>, proxyUrl: string | null = null): UpstreamClient {
    const options = { ...this.#options, headers: { ...this.#options.headers, ...headers } }
    const writer = new RequestWriter(options.baseUrl, options.headers, options.changes)
    const own = proxyUrl === null ? null : new ConnectionPool(dialOf({ ...options, proxyUrl }))
    const way: SendPath = { writer, pool: own ?? this.#path.pool }
    return {
      send: (request, handler) => this.#sendBy(way, request, handler),
      close: async () => own?.close(),
    }
  }

  #sendBy({ writer, pool }: SendPath, request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    const isFree = request.isFree === true
    this.#running += 1
    if (isFree) this.#runningFree += 1
    const onOver = isFree ? this.#onFreeOver : this.#onOver
    if (this.#running > this.#maxConcurrency || (isFree && this.#runningFree > this.#maxFree)) {
      return failing(new Fault('upstream_overloaded', 'The model is busy. Try again in a moment.'), handler, onOver)
    }
    let bytes: readonly Buffer[]
    try {
      bytes = writer.write(request)
    } catch (error) {
      return failing(error, handler, onOver)
    }
    // Other answers may come from a cache, with the date of long ago.
    const onDate = request.method === 'POST' ? (this.#options.dates?.ask(this.#host) ?? null) : null
    const again = request.isRepeatable === true ? () => writer.write(request) : null
    const exchange = new HttpExchange(bytes, handler, { onOver, onDate, again })
    pool.send(exchange)
    return exchange
  }

  close(): Promise<void> {
    return this.#path.pool.close()
  }
}

function dialOf({ baseUrl, proxyUrl = null, connectTimeoutMs, onDial }: HttpUpstreamOptions): Dial {
  const url = new URL(baseUrl)
  if (proxyUrl !== null) return dialThrough(new URL(proxyUrl), url, connectTimeoutMs)
  const dial = dialTo(url, connectTimeoutMs)
  if (onDial === undefined) return dial
  return (events) => {
    const wire = dial(events)
    onDial(wire)
    return wire
  }
}

/** An exchange that fails as soon as its sender has it. */
function failing(reason: unknown, handler: UpstreamHandler, onOver: () => void): UpstreamExchange {
  const exchange = new HttpExchange([], handler, { onOver })
  setImmediate(() => exchange.failed(reason))
  return exchange
}
