import type { ProbeTimes } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'

/** Events of Node's sockets (nodejs.org/api/net.html, tls.html), in the order in which they come. */
const STEPS = { lookup: 'dnsMs', connect: 'connectMs', secureConnect: 'tlsMs' } as const

/**
 * Times the steps to the first answer of one client that has no connection yet. Through a proxy only the head of the answer is
 * seen, since the steps before it are those to the proxy.
 */
export class AnswerTimer {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #times: { -readonly [Step in keyof ProbeTimes]: ProbeTimes[Step] } = {
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
  }
  #since: number

  /** Begins now. */
  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
    this.#since = clock.elapsed()
  }

  /** A connection that is being opened. */
  watch(wire: { once(event: string, listener: (error?: unknown) => void): unknown }): void {
    for (const [event, step] of Object.entries(STEPS)) {
      // A name that is not found has looked up as well, with an error.
      wire.once(event, (error) => void (error instanceof Error || this.#reached(step)))
    }
  }

  /** The client, with the head of its first answer seen. */
  seen(client: UpstreamClient): UpstreamClient {
    return {
      send: (request, handler) =>
        client.send(request, {
          onHead: (status, headers) => {
            this.#reached('firstByteMs')
            handler.onHead(status, headers)
          },
          onData: (chunk) => handler.onData(chunk),
          onEnd: () => handler.onEnd(),
          onFailure: (fault) => handler.onFailure(fault),
        }),
      close: () => client.close(),
    }
  }

  get times(): ProbeTimes {
    return { ...this.#times }
  }

  #reached(step: keyof ProbeTimes): void {
    const now = this.#clock.elapsed()
    this.#times[step] ??= Math.round(now - this.#since)
    this.#since = now
  }
}
