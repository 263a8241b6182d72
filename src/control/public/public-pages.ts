import type { Clock } from '../../core/clock.ts'
import { ALL_KEY_CHECKS_PER_MINUTE, KEY_CHECKS_PER_MINUTE, PUBLIC_FIGURES_KEPT_MS } from '../../core/limits.ts'
import type { PublicModels, PublicStatus } from '../../contract/public-pages.ts'
import { Problem } from '../problem.ts'
import { LatencyMemory } from './latency-memory.ts'
import { addressKey } from '../../access/address-key.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'

export type PublicPages = ReturnType<typeof createPublicPages>

/** What all readers of pages without sign-in share in this process: figures that are kept a while, and counts of tries. */
export function createPublicPages(clock: Pick<Clock, 'elapsed'>) {
  return {
    models: new Kept<PublicModels>(clock),
    status: new Kept<PublicStatus>(clock),
    latency: new LatencyMemory(),
    keyChecks: new KeyCheckThrottle(clock),
  }
}

/** A page that is not on is answered as a path at which there is nothing. Throws Problem. */
export function requirePage(isOn: boolean): void {
  if (!isOn) {
    throw new Problem('path_unknown', 'There is nothing at this path. See /api/docs for the available paths.')
  }
}

/** One answer that is read once and given to all, for `PUBLIC_FIGURES_KEPT_MS`. */
class Kept<Answer> {
  readonly #clock: Pick<Clock, 'elapsed'>
  #last: { readonly atMs: number; readonly answer: Promise<Answer> } | null = null

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** The answer that is kept, or a new one. One that failed is not kept. */
  get(read: () => Promise<Answer>): Promise<Answer> {
    const now = this.#clock.elapsed()
    if (this.#last !== null && now - this.#last.atMs < PUBLIC_FIGURES_KEPT_MS) return this.#last.answer
    const made = { atMs: now, answer: read() }
    this.#last = made
    made.answer.catch(() => {
      if (this.#last === made) this.#last = null
    })
    return made.answer
  }
}

const EVERYWHERE = 'everywhere'

/** Counts checks of keys without sign-in, by address and in all, before anything is looked up. Right keys count as well. */
class KeyCheckThrottle {
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
