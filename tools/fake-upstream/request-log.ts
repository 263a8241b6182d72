/** The last requests that arrived, and promises for those that tests wait for. */
import type { IncomingHttpHeaders } from 'node:http'

export interface ReceivedRequest {
  /** The `x-request-id` header; empty when there was none. */
  readonly requestId: string
  readonly method: string
  /** Path with its query, as received. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as received. */
  readonly body: Buffer
  /** True once its client has left before the answer was whole. */
  readonly aborted: boolean
}

/** A request id, or a test of the request. */
export type RequestMatch = string | ((request: ReceivedRequest) => boolean)

/** Bodies of remembered requests together, in bytes. */
const MOST_BYTES = 268_435_456
const MOST_WAITING = 10_000

interface Waiting {
  readonly matches: (request: ReceivedRequest) => boolean
  readonly resolve: (request: ReceivedRequest) => void
}

export class RequestLog {
  readonly #most: number
  #requests: ReceivedRequest[] = []
  #bytes = 0
  #forArrival = new Set<Waiting>()
  #forAbort = new Set<Waiting>()

  /** `most`: how many requests are remembered; 0 remembers none and makes waiting impossible. */
  constructor(most: number) {
    this.#most = most
  }

  /** Oldest first. */
  get requests(): readonly ReceivedRequest[] {
    return this.#requests
  }

  get records(): boolean {
    return this.#most > 0
  }

  add(request: ReceivedRequest): void {
    this.#requests.push(request)
    this.#bytes += request.body.length
    while (this.#requests.length > this.#most || (this.#bytes > MOST_BYTES && this.#requests.length > 1)) {
      this.#bytes -= this.#requests.shift()?.body.length ?? 0
    }
    tell(this.#forArrival, request)
  }

  markAborted(request: ReceivedRequest & { aborted: boolean }): void {
    request.aborted = true
    tell(this.#forAbort, request)
  }

  /** The first remembered or coming request that matches. Rejects after `timeoutMs`. */
  whenReceived(match: RequestMatch, timeoutMs = 10_000): Promise<ReceivedRequest> {
    const matches = matcherOf(match)
    return this.#wait(this.#forArrival, { matches, timeoutMs, already: this.#requests.find(matches) })
  }

  /** The first matching request whose client has left or leaves. Rejects after `timeoutMs`. */
  whenAborted(match: RequestMatch, timeoutMs = 10_000): Promise<ReceivedRequest> {
    const matches = matcherOf(match)
    const already = this.#requests.find((request) => request.aborted && matches(request))
    return this.#wait(this.#forAbort, { matches, timeoutMs, already })
  }

  clear(): void {
    this.#requests = []
    this.#bytes = 0
  }

  #wait(
    list: Set<Waiting>,
    what: { matches: Waiting['matches']; timeoutMs: number; already: ReceivedRequest | undefined },
  ): Promise<ReceivedRequest> {
    if (!this.records) return Promise.reject(new Error('The fake upstream records no requests; set recordedRequests.'))
    if (list.size >= MOST_WAITING) return Promise.reject(new Error('Too many promises for requests are open.'))
    if (what.already !== undefined) return Promise.resolve(what.already)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        matches: what.matches,
        resolve: (request) => {
          clearTimeout(timer)
          list.delete(waiting)
          resolve(request)
        },
      }
      const timer = setTimeout(() => {
        list.delete(waiting)
        reject(new Error(`No such request within ${what.timeoutMs} ms.`))
      }, what.timeoutMs)
      timer.unref()
      list.add(waiting)
    })
  }
}

function matcherOf(match: RequestMatch): (request: ReceivedRequest) => boolean {
  return typeof match === 'function' ? match : (request) => request.requestId === match
}

function tell(list: ReadonlySet<Waiting>, request: ReceivedRequest): void {
  for (const waiting of list) if (waiting.matches(request)) waiting.resolve(request)
}
