import type { Clock } from '../core/clock.ts'
import type { Wire } from '../core/wire.ts'
import type { Upstream } from '../routing/catalog.ts'

/** An upstream may be changed to have the endpoint: it is asked anew after this time. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000
/** No catalogue has more upstreams; what is noted last counts. */
const UPSTREAMS_LIMIT = 1_000

interface Missing {
  readonly baseUrl: string
  readonly wire: Wire
  /** A reading of `Clock.elapsed`. */
  readonly until: number
}

/**
 * Upstreams of a protocol with several wires that were seen to lack the endpoint of one (an `openai` upstream without
 * responses). This process knows it for a day, or until the address of the upstream is changed.
 */
export class MissingEndpoints {
  readonly #clock: Clock
  readonly #byUpstream = new Map<string, Missing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note({ id, baseUrl }: Upstream, wire: Wire): void {
    if (this.#byUpstream.size >= UPSTREAMS_LIMIT) this.#byUpstream.delete(this.#byUpstream.keys().next().value ?? '')
    this.#byUpstream.set(id, { baseUrl, wire, until: this.#clock.elapsed() + REMEMBERED_MS })
  }

  has({ id, baseUrl }: Upstream, wire: Wire): boolean {
    const missing = this.#byUpstream.get(id)
    return (
      missing !== undefined &&
      missing.wire === wire &&
      missing.baseUrl === baseUrl &&
      missing.until > this.#clock.elapsed()
    )
  }
}
