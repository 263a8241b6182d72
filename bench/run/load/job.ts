/** What the load process is asked, and what it answers. */

/** Requests that are all alike, to one port of this machine. */
export interface LoadJob {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  /** No request starts later; those under way may end. */
  readonly durationMs: number
  /** No more requests than this. */
  readonly maxRequests: number
  /** Null: each connection sends its next request when it has its answer. Else as many a second, over all connections. */
  readonly requestsPerSecond: number | null
  readonly expect: Expectation
  /** The answers have time stamps (`tools/fake-upstream/time-stamp.ts`), which are to be read. */
  readonly readsStamps: boolean
}

/** When an answer counts as right: 200, and one JSON object, or `events` events whose last bytes are `end`. */
export type Expectation =
  | { readonly kind: 'object' }
  | {
      readonly kind: 'events'
      readonly events: number
      /** The last bytes of the stream, at most 14. */
      readonly end: string
    }

export interface LoadReport {
  /** Right answers. */
  readonly requests: number
  readonly errors: number
  readonly firstError: string | null
  /** Connections that the server closed between two answers, and that were opened again. */
  readonly reconnects: number
  /** Bytes of body in all answers. */
  readonly bodyBytes: number
  /** Events of all streams, the last one included. */
  readonly events: number
  /** How often the socket had something: events ÷ reads says how far events were bundled on their way. */
  readonly reads: number
  readonly elapsedMs: number
  readonly latency: Latency
  /** How long each stamped piece was on its way. Zeros where none was read. */
  readonly chunkDelay: Latency
  readonly perConnection: readonly (Latency & { readonly requests: number })[]
}

/** The times of requests from the moment each was sent, or should have been, to its last byte. Microseconds; 0 without any. */
export interface Latency {
  readonly p50Us: number
  readonly p90Us: number
  readonly p99Us: number
  readonly maxUs: number
}
