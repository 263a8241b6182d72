import type { Clock } from '../../core/clock.ts'
import { CHANGES_OF_AN_ACCOUNT_PER_HOUR } from '../../core/limits.ts'
import { Problem } from '../problem.ts'
import { type Actor, isStaff } from './actor.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'

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
