import { addressKey } from '../../access/address-key.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE } from '../../core/limits.ts'

const WINDOW_MS = 60_000
const ADDRESSES_LIMIT = 10_000

interface Tries {
  /** When the window began, by `Clock.elapsed`. */
  since: number
  count: number
}

/** Counts bad credentials by address, so that keys cannot be guessed fast. Good keys from the same address still work. */
export class BadCredentialThrottle {
  readonly #clock: Clock
  readonly #tries = new Map<string, Tries>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one; returns the fault to give: the one that was found, or `credential_throttled` when there were too many. */
  count(address: string, found: Fault): Fault {
    const now = this.#clock.elapsed()
    const key = addressKey(address)
    let tries = this.#tries.get(key)
    if (tries === undefined || now - tries.since >= WINDOW_MS) {
      this.#makeRoom(now)
      tries = { since: now, count: 0 }
      this.#tries.set(key, tries)
    }
    tries.count += 1
    if (tries.count <= BAD_CREDENTIALS_PER_MINUTE) return found
    const seconds = Math.max(1, Math.ceil((tries.since + WINDOW_MS - now) / 1000))
    return new Fault(
      'credential_throttled',
      `More than ${BAD_CREDENTIALS_PER_MINUTE} requests with invalid API keys came from this address within a minute. Correct the key, then try again. Valid keys are still accepted.`,
      { retryAfterSeconds: seconds },
    )
  }

  #makeRoom(now: number): void {
    if (this.#tries.size < ADDRESSES_LIMIT) return
    for (const [address, tries] of this.#tries) {
      if (now - tries.since >= WINDOW_MS || this.#tries.size >= ADDRESSES_LIMIT) this.#tries.delete(address)
    }
  }
}
