import { addressKey } from '../../access/address-key.ts'
import { isWholeSecret } from '../../causes/secret-checksum.ts'
import type { Clock } from '../../core/clock.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import type { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE, KEYS_USED_FROM_ADDRESSES_LIMIT } from '../../core/limits.ts'
import { threadPart } from '../../core/thread-part.ts'

const WINDOW_MS = 60_000
const ADDRESSES_LIMIT = 10_000

interface Tries {
  /** When the window began, by `Clock.elapsed`. */
  since: number
  count: number
}

/** A secret as it was presented on one connection. */
export interface PresentedSecret {
  readonly secret: string
  readonly hash: string
  /** People chose it, or it is a guess. Generated secrets have 238 random bits, and a checksum by which they are recognized. */
  readonly isGuessable: boolean
  /** The address from which this secret last named a key on this connection. */
  usedFrom: string | null
}

export function presented(secret: string, hash: string): PresentedSecret {
  return { secret, hash, isGuessable: !isWholeSecret(secret), usedFrom: null }
}

/**
 * Counts bad credentials by address, so that keys cannot be guessed fast: an address that had too many does not learn whether
 * another guess is right. What cannot be a guess goes on from there: generated keys, and keys that this address has used.
 */
export class BadCredentialThrottle {
  readonly #clock: Clock
  /** Tries a minute of one address. */
  readonly #limit: number
  readonly #tries = new Map<string, Tries>()
  /** Guessable keys, each with an address that used it; those used longest ago first. */
  readonly #used = new Set<string>()

  /** `threads`: how many of the process share the limit. */
  constructor(clock: Clock, threads = 1) {
    this.#clock = clock
    this.#limit = threadPart(BAD_CREDENTIALS_PER_MINUTE, threads)
  }

  /** Counts one; returns the fault to give: the one that was found, or `credential_throttled` when there were too many. */
  count(address: string, found: Fault): Fault {
    const now = this.#clock.elapsed()
    const key = addressKey(address)
    let tries = this.#tries.get(key)
    if (tries === undefined || now - tries.since >= WINDOW_MS) {
      this.#tries.delete(key)
      this.#makeRoom(now)
      tries = { since: now, count: 0 }
      this.#tries.set(key, tries)
    }
    tries.count += 1
    return tries.count <= this.#limit ? found : this.#throttled(tries, now)
  }

  /**
   * Throws `credential_throttled` for what may be a guess while its address has no tries left. To be asked before a secret is
   * looked up, and again before its key is let in: of many guesses at once, no more are answered than of one after another.
   */
  refuseGuess(address: string, given: PresentedSecret): void {
    if (this.#tries.size === 0 || !given.isGuessable || given.usedFrom === address) return
    const key = addressKey(address)
    const tries = this.#tries.get(key)
    if (tries === undefined || tries.count < this.#limit) return
    const now = this.#clock.elapsed()
    if (now - tries.since < WINDOW_MS && !this.#used.has(use(key, given))) throw this.#throttled(tries, now)
  }

  /** A key was found by this secret. */
  noteUse(address: string, given: PresentedSecret): void {
    if (!given.isGuessable || given.usedFrom === address) return
    given.usedFrom = address
    const name = use(addressKey(address), given)
    this.#used.delete(name)
    const [oldest] = this.#used.size < KEYS_USED_FROM_ADDRESSES_LIMIT ? [] : this.#used
    if (oldest !== undefined) this.#used.delete(oldest)
    this.#used.add(name)
  }

  #throttled({ since }: Tries, now: number): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil((since + WINDOW_MS - now) / 1000))
    return explainedFault(
      'credential_throttled',
      { max: this.#limit, wait_s: retryAfterSeconds },
      { retryAfterSeconds },
    )
  }

  #makeRoom(now: number): void {
    if (this.#tries.size < ADDRESSES_LIMIT) return
    for (const [address, tries] of this.#tries) {
      if (now - tries.since >= WINDOW_MS || this.#tries.size >= ADDRESSES_LIMIT) this.#tries.delete(address)
    }
  }
}

function use(key: string, { hash }: PresentedSecret): string {
  return `${hash} ${key}`
}
