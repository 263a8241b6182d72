/** How requests for one model ended in one span, as far as its upstreams had a part in it. */
export interface ServiceSpan {
  readonly model: string
  /** Epoch milliseconds, UTC. */
  readonly at: number
  readonly good: number
  readonly failed: number
}

/** An hour, or a day of UTC. */
export type ServiceStep = 'hour' | 'day'

/** The bar from which hours count as troubled: of at least so many requests, at least so many of a hundred failed. */
export interface TroubleBar {
  readonly fewestRequests: number
  readonly failedPercent: number
}

/** How long streamed answers of one model took to begin, each in milliseconds. */
export type FirstBytes = ReadonlyMap<string, readonly number[]>

/** What is read from the sums of hours, and from samples of records, to say how well models were served. */
export interface ServiceHours {
  /** The spans of all models since a moment that begins a step. */
  serviceSpans(sinceMs: number, step: ServiceStep): Promise<readonly ServiceSpan[]>
  /** The hours of a model that were troubled, newest first; at most 500. */
  troubledHours(sinceMs: number, bar: TroubleBar): Promise<readonly ServiceSpan[]>
  /**
   * A bounded sample of the requests that came in a span: the first `perSlice` of each of `slices` equal parts of it, so that
   * it costs the same for any number of requests.
   */
  sampledFirstBytes(span: {
    readonly fromMs: number
    readonly toMs: number
    readonly slices: number
    readonly perSlice: number
  }): Promise<FirstBytes>
}
