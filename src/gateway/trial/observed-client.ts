import { CollectedBytes } from '../../core/collected-bytes.ts'
import { ERROR_ANSWER_LIMIT_BYTES } from '../../core/limits.ts'
import type {
  UpstreamClient,
  UpstreamExchange,
  UpstreamHandler,
  UpstreamRequest,
} from '../../upstreams/upstream-client.ts'
import { isGood } from '../upstream-faults.ts'

/** Passes everything on to the client that requests use, and notes how far the last attempt got. */
export class ObservedClient implements UpstreamClient {
  /** The path of the last attempt below the base URL; null: there was none. */
  path: string | null = null
  /** The status of the upstream's answer. */
  status: number | null = null
  /** `Clock.elapsed` of the first bytes behind the head. */
  firstDataAt: number | null = null
  /** Why no answer came, or none came to its end. */
  failure: unknown = null
  readonly #client: UpstreamClient
  readonly #elapsed: () => number
  readonly #error = new CollectedBytes()
  #exchange: UpstreamExchange | null = null

  constructor(client: UpstreamClient, elapsed: () => number) {
    this.#client = client
    this.#elapsed = elapsed
  }

  /** A connection took the last attempt. */
  get isConnected(): boolean {
    return this.status !== null || this.#exchange?.isSent === true
  }

  /** The body of an answer that is an error. */
  get error(): Buffer {
    return this.#error.whole()
  }

  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    this.path = request.path
    this.status = null
    this.firstDataAt = null
    this.failure = null
    this.#error.clear()
    this.#exchange = this.#client.send(request, {
      onConnected: () => handler.onConnected?.(),
      onHead: (status, headers) => {
        this.status = status
        handler.onHead(status, headers)
      },
      onData: (chunk) => {
        this.firstDataAt ??= this.#elapsed()
        if (this.status !== null && !isGood(this.status)) this.#error.add(chunk, ERROR_ANSWER_LIMIT_BYTES)
        handler.onData(chunk)
      },
      onEnd: () => handler.onEnd(),
      onFailure: (fault) => {
        this.failure = fault.cause ?? fault
        handler.onFailure(fault)
      },
    })
    return this.#exchange
  }

  /** Closes nothing: the connections are the upstream's. */
  async close(): Promise<void> {}
}
