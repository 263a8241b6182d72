import { addressKey } from '../../access/address-key.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { type AccessTokenContent, deviceHash } from '../../access/device-tokens.ts'
import { isWholeSecret } from '../../causes/secret-checksum.ts'
import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE, KEYS_USED_FROM_ADDRESSES_LIMIT } from '../../core/limits.ts'
import { threadPart } from '../../core/thread-part.ts'

const ADDRESSES_LIMIT = 10_000

/** A secret as it was presented on one connection. */
export interface PresentedSecret {
  readonly secret: string
  /** The hash by which it is looked up: that of the form in which its key was found, once it was. */
  hash: string
  /** What it says of itself, where it is an access token of a device. */
  readonly token: AccessTokenContent | null
  /** People chose it, or it is a guess. Generated secrets have 238 random bits, and a checksum by which they are recognized. */
  readonly isGuessable: boolean
  /** The address from which this secret last named a key on this connection. */
  usedFrom: string | null
}

export function presented(secret: string, hash: string): PresentedSecret {
  return { secret, hash, token: null, isGuessable: !isWholeSecret(secret), usedFrom: null }
}

/** An access token of a device that is one of this installation’s: its MAC says that it was not guessed. */
export function presentedToken(secret: string, token: AccessTokenContent): PresentedSecret {
  const { keyId } = token
  return { secret, hash: deviceHash(keyId), token, isGuessable: false, usedFrom: null }
}

/**
 * Counts bad credentials by address, so that keys cannot be guessed fast: an address that had too many does not learn whether
 * another guess is right. What cannot be a guess goes on from there: generated keys, and keys that this address has used.
 */
export class BadCredentialThrottle {
  /** Tries a minute of one address. */
  readonly #limit: number
  readonly #tries: CountsInWindow
  /** Guessable keys, each with an address that used it; those used longest ago first. */
  readonly #used = new Set<string>()

  /** `threads`: how many of the process share the limit. */
  constructor(clock: Clock, threads = 1) {
    this.#tries = new CountsInWindow(clock, { windowMs: 60_000, mostNames: ADDRESSES_LIMIT })
    this.#limit = threadPart(BAD_CREDENTIALS_PER_MINUTE, threads)
  }

  /**
   * Finds the key of a secret, unless that may be one guess too many. Throws, or rejects with, `credential_throttled`, or what
   * `lookUp` says is wrong with the secret, which counts as a bad one.
   */
  guard(
    address: string,
    given: PresentedSecret,
    lookUp: () => KeyWithOwner | Fault | Promise<KeyWithOwner | Fault>,
  ): KeyWithOwner | Promise<KeyWithOwner> {
    this.refuseGuess(address, given)
    const found = lookUp()
    return found instanceof Promise
      ? found.then((each) => this.#judge(address, given, each))
      : this.#judge(address, given, found)
  }

  #judge(address: string, given: PresentedSecret, found: KeyWithOwner | Fault): KeyWithOwner {
    // A secret that was replaced opened a key once: it is not a guess.
    if (found instanceof Fault && found.code !== 'key_expired') throw this.count(address, found)
    this.refuseGuess(address, given)
    if (found instanceof Fault) throw found
    this.noteUse(address, given)
    return found
  }

  /** Counts one; returns the fault to give: the one that was found, or `credential_throttled` when there were too many. */
  count(address: string, found: Fault): Fault {
    const tries = this.#tries.add(addressKey(address))
    return tries.count <= this.#limit ? found : this.#throttled(tries.endsInSeconds)
  }

  /**
   * Throws `credential_throttled` for what may be a guess while its address has no tries left. To be asked before a secret is
   * looked up, and again before its key is let in: of many guesses at once, no more are answered than of one after another.
   */
  refuseGuess(address: string, given: PresentedSecret): void {
    if (!given.isGuessable || given.usedFrom === address) return
    const key = addressKey(address)
    const tries = this.#tries.read(key)
    if (tries === null || tries.count < this.#limit || this.#used.has(use(key, given))) return
    throw this.#throttled(tries.endsInSeconds)
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

  #throttled(retryAfterSeconds: number): Fault {
    const facts = { max: this.#limit, wait_s: retryAfterSeconds }
    return explainedFault('credential_throttled', facts, { retryAfterSeconds })
  }
}

function use(key: string, { hash }: PresentedSecret): string {
  return `${hash} ${key}`
}
