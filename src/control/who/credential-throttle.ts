import { addressKey } from '../../access/address-key.ts'
import type { Clock } from '../../core/clock.ts'
import { BAD_CONTROL_CREDENTIALS_PER_MINUTE } from '../../core/limits.ts'
import { Problem } from '../problem.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'

/** Counts wrong credentials by address, so that they cannot be guessed fast. Good ones from the same address still work. */
export class CredentialThrottle {
  readonly #tries: CountsInWindow

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#tries = new CountsInWindow(clock, { windowMs: 60_000, mostNames: 10_000 })
  }

  /** Counts one; returns what to say: the problem that was found, or `credential_throttled` when there were too many. */
  count(address: string, found: Problem): Problem {
    const { count, endsInSeconds } = this.#tries.add(addressKey(address))
    if (count <= BAD_CONTROL_CREDENTIALS_PER_MINUTE) return found
    return new Problem(
      'credential_throttled',
      `More than ${BAD_CONTROL_CREDENTIALS_PER_MINUTE} wrong credentials a minute came from this address. Correct the credential; good ones are still accepted.`,
      { retryAfterSeconds: endsInSeconds },
    )
  }
}
