import { addressKey } from '../../access/address-key.ts'
import type { Clock } from '../../core/clock.ts'
import { BAD_CONTROL_CREDENTIALS_PER_MINUTE } from '../../core/limits.ts'
import { Problem } from '../api/problem.ts'

const WINDOW_MS = 60_000
const ADDRESSES_LIMIT = 10_000

/** Counts wrong credentials by address, so that they cannot be guessed fast. Good ones from the same address still work. */
export class CredentialThrottle {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #tries = new Map<string, { readonly since: number; count: number }>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** Counts one; returns what to say: the problem that was found, or `credential_throttled` when there were too many. */
  count(address: string, found: Problem): Problem {
    const now = this.#clock.elapsed()
    const tries = this.#triesOf(addressKey(address), now)
    tries.count += 1
    if (tries.count <= BAD_CONTROL_CREDENTIALS_PER_MINUTE) return found
    return new Problem(
      'credential_throttled',
      `More than ${BAD_CONTROL_CREDENTIALS_PER_MINUTE} wrong credentials a minute came from this address. Correct the credential; good ones are still accepted.`,
      { retryAfterSeconds: Math.max(1, Math.ceil((tries.since + WINDOW_MS - now) / 1000)) },
    )
  }

  #triesOf(key: string, now: number): { readonly since: number; count: number } {
    const running = this.#tries.get(key)
    if (running !== undefined && now - running.since < WINDOW_MS) return running
    this.#makeRoom(now)
    const tries = { since: now, count: 0 }
    this.#tries.delete(key)
    this.#tries.set(key, tries)
    return tries
  }

  /** Those that began first go first. */
  #makeRoom(now: number): void {
    for (const [key, { since }] of this.#tries) {
      if (this.#tries.size < ADDRESSES_LIMIT && now - since < WINDOW_MS) return
      this.#tries.delete(key)
    }
  }
}
