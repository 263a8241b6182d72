import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
// The pool alone: the package's front file loads its fetch, WebSocket and cache too.
import Pool from 'undici/lib/dispatcher/pool.js'
import { Fault } from '../core/faults.ts'
import { FREE_PART_OF_CONCURRENCY } from '../core/limits.ts'
import type { UpstreamClient, UpstreamExchange, UpstreamHandler, UpstreamRequest } from './upstream-client.ts'

/** Idle connections are kept this long; shorter than the 60 s and more after which common servers close them. */
const KEEP_ALIVE_MS = 30_000

const COPIED_BYTES = 65_536

export interface HttpUpstreamOptions {
  /** Scheme, host, port and path prefix, without a trailing slash. */
  readonly baseUrl: string
  /** Set on every request, over whatever the client sent. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly connectTimeoutMs: number
  /** Requests at a time; null: no limit. One more fails at once as `upstream_overloaded`. */
  readonly maxConcurrency: number | null
}

/** An upstream that is reached over HTTP, through a pool of kept-alive connections. */
export class HttpUpstream implements UpstreamClient {
  readonly #pool: Pool
  readonly #pathPrefix: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #maxConcurrency: number
  readonly #maxFree: number
  #running = 0
  #runningFree = 0

  constructor(options: HttpUpstreamOptions) {
    const url = new URL(options.baseUrl)
    this.#pathPrefix = url.pathname === '/' ? '' : url.pathname
    this.#headers = options.headers
    this.#maxConcurrency = options.maxConcurrency ?? Infinity
    this.#maxFree = Math.max(1, Math.floor(this.#maxConcurrency * FREE_PART_OF_CONCURRENCY))
    this.#pool = new Pool(url.origin, {
      connections: options.maxConcurrency,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connect: { timeout: options.connectTimeoutMs },
      allowH2: false,
      // The gateway keeps its own time: it knows what the client was promised.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    const free = request.isFree === true ? 1 : 0
    const exchange = new HttpExchange(handler, () => {
      this.#running -= 1
      this.#runningFree -= free
    })
    this.#running += 1
    this.#runningFree += free
    if (this.#running > this.#maxConcurrency || (free === 1 && this.#runningFree > this.#maxFree)) {
      setImmediate(() => exchange.fail(new Fault('upstream_overloaded', 'The model is busy. Try again in a moment.')))
      return exchange
    }
    const size = request.body.reduce((sum, piece) => sum + piece.length, 0)
    this.#pool.dispatch(
      {
        method: request.method,
        path: this.#pathPrefix + request.path,
        headers: { ...request.headers, ...this.#headers, 'content-length': String(size) },
        body: bodyOf(request.body, size),
      },
      exchange,
    )
    return exchange
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/**
 * Small bodies as one piece, which is one write; larger ones piece by piece, since a copy of them costs more than that, most
 * of all in garbage. The pool takes any iterable, which its declaration does not say.
 */
function bodyOf(pieces: readonly Buffer[], size: number): Buffer {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  return size <= COPIED_BYTES ? Buffer.concat(pieces, size) : (pieces as unknown as Buffer)
}

/** One attempt on the wire: what undici reports, made into what the gateway asks for. */
class HttpExchange implements UpstreamExchange, Dispatcher.DispatchHandler {
  readonly #handler: UpstreamHandler
  readonly #onOver: () => void
  #controller: Dispatcher.DispatchController | null = null
  #isOver = false
  #isPaused = false

  constructor(handler: UpstreamHandler, onOver: () => void) {
    this.#handler = handler
    this.#onOver = onOver
  }

  get isSent(): boolean {
    return this.#controller !== null
  }

  pause(): void {
    this.#isPaused = true
    this.#controller?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#controller?.resume()
  }

  abort(): void {
    if (this.#isOver) return
    this.#finish()
    this.#controller?.abort(new Error('cancelled by the gateway'))
  }

  fail(fault: Fault): void {
    if (this.#isOver) return
    this.#finish()
    this.#handler.onFailure(fault)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('cancelled by the gateway'))
    else if (this.#isPaused) controller.pause()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx answers announce the real one.
    if (!this.#isOver && status >= 200) this.#handler.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver) this.#handler.onData(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#finish()
    this.#handler.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const fault = asFault(error)
    // The pool refuses some requests at once, while the sender still waits for our return.
    if (this.#controller === null) setImmediate(() => this.fail(fault))
    else this.fail(fault)
  }

  #finish(): void {
    this.#isOver = true
    this.#onOver()
  }
}

/** Error codes of undici and of the system that mean «not reached in time», as documented by undici (docs/api/Errors.md). */
const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

function asFault(error: Error & { code?: unknown }): Fault {
  const code = typeof error.code === 'string' ? error.code : ''
  if (TIMEOUT_CODES.has(code)) {
    return new Fault('upstream_timeout', 'The model did not answer in time. Try again, or ask for less.', {
      cause: error,
    })
  }
  if (
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  ) {
    return new Fault('upstream_malformed', 'The model sent a response that cannot be read. Try again.', {
      cause: error,
    })
  }
  return new Fault('upstream_unavailable', 'The model cannot be reached right now. Try again in a moment.', {
    cause: error,
  })
}
