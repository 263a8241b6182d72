import type { Clock } from '../core/clock.ts'
import type { Wire } from '../core/wire.ts'
import type { Upstream } from '../routing/catalog.ts'

/** An upstream may be changed to have the endpoint: it is asked anew after this time. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000
/** No catalogue has as many; what is noted last counts. */
const ENTRIES_LIMIT = 1_000

interface Missing {
  readonly address: string
  readonly wire: Wire
  /** A reading of `Clock.elapsed`. */
  readonly until: number
}

/**
 * Upstreams of a protocol with several wires that were seen to lack the endpoint of one (an `openai` upstream without
 * responses). At a cloud that serves models of many makers it is known of each model alone. This process knows it for a day, or
 * until the address of the upstream is changed.
 */
export class MissingEndpoints {
  readonly #clock: Clock
  readonly #byKey = new Map<string, Missing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(upstream: Upstream, model: string, wire: Wire): void {
    if (this.#byKey.size >= ENTRIES_LIMIT) this.#byKey.delete(this.#byKey.keys().next().value ?? '')
    const until = this.#clock.elapsed() + REMEMBERED_MS
    this.#byKey.set(keyOf(upstream, model), { address: addressOf(upstream), wire, until })
  }

  has(upstream: Upstream, model: string, wire: Wire): boolean {
    // As of nearly every installation.
    if (this.#byKey.size === 0) return false
    const missing = this.#byKey.get(keyOf(upstream, model))
    return (
      missing !== undefined &&
      missing.wire === wire &&
      missing.address === addressOf(upstream) &&
      missing.until > this.#clock.elapsed()
    )
  }
}

function keyOf({ id, passage }: Upstream, model: string): string {
  return passage?.dialect === undefined ? id : `${id} ${model}`
}

function addressOf({ baseUrl, passage }: Upstream): string {
  return passage?.apiVersion === undefined ? baseUrl : `${baseUrl} ${passage.apiVersion}`
}
