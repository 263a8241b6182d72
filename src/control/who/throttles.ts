import { addressKey } from '../../access/address-key.ts'
import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import {
  ADDRESSES_ASKED_PER_MINUTE,
  BAD_CONTROL_CREDENTIALS_PER_MINUTE,
  CHANGES_OF_AN_ACCOUNT_PER_HOUR,
} from '../../core/limits.ts'
import { Problem } from '../problem.ts'
import { type Actor, actorId, isStaff } from './actor.ts'

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

/** Counts the changes of each account without a role of staff: what each leaves behind, such as its audit entry, stays for good. */
export class ChangeThrottle {
  readonly #changes: CountsInWindow

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#changes = new CountsInWindow(clock, { windowMs: 3_600_000, mostNames: 100_000 })
  }

  /** Counts one. Throws Problem `too_many_requests`. */
  count(actor: Actor): void {
    if (actor.kind === 'admin_token' || isStaff(actor)) return
    const { count, endsInSeconds } = this.#changes.add(actor.account.id)
    if (count <= CHANGES_OF_AN_ACCOUNT_PER_HOUR) return
    throw new Problem(
      'too_many_requests',
      `This account made ${CHANGES_OF_AN_ACCOUNT_PER_HOUR} changes within an hour, the maximum. Nothing more is changed until it is over; reading goes on.`,
      { retryAfterSeconds: endsInSeconds },
    )
  }
}

/**
 * Counts how often an actor has the gateway ask an address that a person typed. Each answer says whether something listens
 * there, so without a limit they would be a scan of the network that the gateway is in. Counted before the request is sent,
 * so that many at once count as well.
 */
export class AddressThrottle {
  readonly #asked: CountsInWindow

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#asked = new CountsInWindow(clock, { windowMs: 60_000, mostNames: 10_000 })
  }

  /** Counts one. Throws Problem `too_many_requests`. */
  count(actor: Actor): void {
    const { count, endsInSeconds } = this.#asked.add(actorId(actor))
    if (count <= ADDRESSES_ASKED_PER_MINUTE) return
    throw new Problem(
      'too_many_requests',
      `You had the gateway ask ${ADDRESSES_ASKED_PER_MINUTE} addresses within a minute, the maximum. Wait until it is over.`,
      { retryAfterSeconds: endsInSeconds },
    )
  }
}
