import { addressKey } from '../../access/address-key.ts'
import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import { ALL_KEY_CHECKS_PER_MINUTE, KEY_CHECKS_PER_MINUTE } from '../../core/limits.ts'
import { Problem } from '../problem.ts'

const EVERYWHERE = 'everywhere'

/** Counts checks of keys without sign-in, by address and in all, before anything is looked up. Right keys count as well. */
export class KeyCheckThrottle {
  readonly #byAddress: CountsInWindow
  readonly #all: CountsInWindow

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#byAddress = new CountsInWindow(clock, { windowMs: 60_000, mostNames: 10_000 })
    this.#all = new CountsInWindow(clock, { windowMs: 60_000, mostNames: 1 })
  }

  /** Counts one. Throws Problem `too_many_requests`. */
  count(address: string): void {
    const here = this.#byAddress.add(addressKey(address))
    if (here.count > KEY_CHECKS_PER_MINUTE) throw tooMany(here.endsInSeconds)
    const all = this.#all.add(EVERYWHERE)
    if (all.count > ALL_KEY_CHECKS_PER_MINUTE) throw tooMany(all.endsInSeconds)
  }
}

function tooMany(retryAfterSeconds: number): Problem {
  return new Problem('too_many_requests', `Too many keys were checked. Wait ${retryAfterSeconds} s and check again.`, {
    retryAfterSeconds,
  })
}
