/** The fake upstream: a server that stands in for the providers, on all three chat protocols, and counts what it served. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stats } from './books.ts'
import { RequestHandler } from './request-handler.ts'
import type { ReceivedRequest, RequestMatch } from './request-log.ts'

export interface FakeUpstreamOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** Any other credential, and none, gets 401. Unset: every credential is good. */
  readonly requiredCredential?: string
  /** Names with parameters that its list of models has as well; it answers to all of them anyway. */
  readonly listedModels?: readonly string[]
  /** How many requests are remembered, 1,000 unless set; 0 saves the time it takes. */
  readonly recordedRequests?: number
}

export interface FakeUpstream {
  /** Origin without a path, as `http://127.0.0.1:4711`. */
  readonly url: string
  /** The last requests, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  stats(): Stats
  /** Forgets all counts, requests and refusals. */
  reset(): void
  /** Resolves with a request that arrived or arrives; rejects after `timeoutMs`, 10 s unless given. */
  whenReceived(match: RequestMatch, timeoutMs?: number): Promise<ReceivedRequest>
  /** Resolves with a request whose client left before its answer was whole; rejects after `timeoutMs`. */
  whenAborted(match: RequestMatch, timeoutMs?: number): Promise<ReceivedRequest>
  /** Resolves when no call is being answered. */
  whenIdle(): Promise<void>
  /** Destroys all connections and stops. */
  close(): Promise<void>
}

/** Starts a server; rejects when it cannot listen. */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const handler = new RequestHandler(options)
  const server = createServer((request: IncomingMessage, response: ServerResponse) => handler.handle(request, response))
  // Longer than any client keeps an idle connection, so that only `closes-keepalive` closes one under a request.
  server.keepAliveTimeout = 600_000
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return handler.log.requests
    },
    stats: () => handler.books.stats(),
    reset: () => handler.reset(),
    whenReceived: (match, timeoutMs) => handler.log.whenReceived(match, timeoutMs),
    whenAborted: (match, timeoutMs) => handler.log.whenAborted(match, timeoutMs),
    whenIdle: () => handler.books.whenIdle(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
