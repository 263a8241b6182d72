import type { FaultFacts } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'
import { addressKey } from './address-key.ts'

/** A refused request that came with no key of this gateway, as far as one can tell. */
export interface UnknownTry {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly fault: FaultCode
  /** Facts without the end of the secret: others may share the address. */
  readonly facts: FaultFacts
  readonly client: string | null
}

/** Tries of one cause from one address. */
export interface UnknownTries extends UnknownTry {
  /** How many there were, this newest one included. */
  readonly count: number
}

const ADDRESSES_LIMIT = 1_000
const CAUSES_LIMIT = 5
/** How long a page that shows them is likely to be looked at. */
const KEPT_MS = 10 * 60_000

/**
 * Refused requests without a known key, by the address that they came from and by cause: what the person at that address is
 * shown of requests that no key has a record of. In the memory of one process, for ten minutes, within bounds: an address
 * that has not tried longest goes first.
 */
export class UnknownTryLog {
  readonly #byAddress = new Map<string, readonly UnknownTries[]>()
  readonly #share: (address: string, tried: UnknownTry) => void

  /** `share`: gives a try to the other threads of the process, which `take` it. */
  constructor(share: (address: string, tried: UnknownTry) => void = () => {}) {
    this.#share = share
  }

  /** A request was refused here. */
  note(address: string, tried: UnknownTry): void {
    this.take(address, tried)
    this.#share(address, tried)
  }

  take(address: string, tried: UnknownTry): void {
    const key = addressKey(address)
    const known = this.#byAddress.get(key) ?? []
    const cause = causeOf(tried)
    const before = known.find((each) => causeOf(each) === cause)
    const count = before === undefined || tried.createdAt - before.createdAt >= KEPT_MS ? 1 : before.count + 1
    const others = known.filter((each) => each !== before)
    this.#byAddress.delete(key)
    this.#byAddress.set(key, [{ ...tried, count }, ...others].slice(0, CAUSES_LIMIT))
    const [oldest] = this.#byAddress.size > ADDRESSES_LIMIT ? this.#byAddress.keys() : []
    if (oldest !== undefined) this.#byAddress.delete(oldest)
  }

  /** The newest of each cause since a moment, the newest first. Times are epoch milliseconds. */
  since(address: string, sinceMs: number, nowMs: number): readonly UnknownTries[] {
    const from = Math.max(sinceMs, nowMs - KEPT_MS)
    return (this.#byAddress.get(addressKey(address)) ?? []).filter(({ createdAt }) => createdAt >= from)
  }
}

function causeOf({ fault, facts }: UnknownTry): string {
  return `${fault} ${facts.mistake ?? ''} ${facts.foreign ?? ''} ${facts.enter ?? ''}`
}
