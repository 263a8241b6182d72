import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import { throttled } from './problems.ts'

/** How often something may be tried. Counted on each node by itself; bounded in memory. */
export type Throttles = ReturnType<typeof newThrottles>

export function newThrottles(clock: Clock) {
  const quarter = 15 * 60_000
  const hour = 60 * 60_000
  return {
    /** Wrong credentials from one address. Reached, nothing from there is looked at: a throttle that still answers does not throttle. */
    byAddress: new TryCount(clock, { limit: 30, windowMs: quarter }),
    /** Wrong credentials for one account, from anywhere but where it was signed in before. */
    byAccount: new TryCount(clock, { limit: 10, windowMs: quarter }),
    /** Mails sent on a caller's request. */
    mailByAddress: new TryCount(clock, { limit: 20, windowMs: hour }),
    mailByAccount: new TryCount(clock, { limit: 3, windowMs: hour }),
    signUpByAddress: new TryCount(clock, { limit: 20, windowMs: hour }),
    /** Challenges for passkeys: each is a row that lives for five minutes. */
    challengeByAddress: new TryCount(clock, { limit: 60, windowMs: quarter }),
    /** Returns from the OIDC provider that failed: each is a request to it, and a row for ten minutes. */
    returnByAddress: new TryCount(clock, { limit: 60, windowMs: quarter }),
    /** Passwords that are being checked: each takes 32 MB and a core for 60 ms. */
    checking: new Slots(16),
  }
}

/** More keys than this push out the oldest: an attacker with as many addresses has no need to guess slowly. */
const KEYS_LIMIT = 20_000

/** Counts tries by key; the count of a key starts anew when its window is over. */
export class TryCount {
  readonly #limit: number
  readonly #counts: CountsInWindow

  constructor(clock: Clock, { limit, windowMs }: { readonly limit: number; readonly windowMs: number }) {
    this.#limit = limit
    this.#counts = new CountsInWindow(clock, { windowMs, mostNames: KEYS_LIMIT })
  }

  /** Takes one try. Counted before its outcome is known, so that many at once are counted too. */
  take(key: string): 'taken' | { readonly retryAfterSeconds: number } {
    const { count, endsInSeconds } = this.#counts.add(key)
    if (count <= this.#limit) return 'taken'
    this.#counts.takeBack(key)
    return { retryAfterSeconds: endsInSeconds }
  }

  /** Takes one try. Throws Problem `too_many_requests` where none is left; `why` begins its sentence. */
  spend(key: string, why: string): void {
    const taken = this.take(key)
    if (taken !== 'taken') throw throttled('too_many_requests', { ...taken, why })
  }

  /** Takes back a try that was a good one after all. */
  giveBack(key: string): void {
    this.#counts.takeBack(key)
  }

  forget(key: string): void {
    this.#counts.forget(key)
  }
}

/** Work of which so many may run at once. */
class Slots {
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** null: all are taken. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#free === 0) return null
    this.#free -= 1
    try {
      return await work()
    } finally {
      this.#free += 1
    }
  }
}
