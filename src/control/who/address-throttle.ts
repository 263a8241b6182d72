import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import { ADDRESSES_ASKED_PER_MINUTE } from '../../core/limits.ts'
import { Problem } from '../problem.ts'
import { type Actor, actorId } from './actor.ts'

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
