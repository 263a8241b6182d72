import type { Clock } from '../../core/clock.ts'

/** How often something may be tried. Counted on each node by itself; bounded in memory. */
export interface Throttles {
  /** Wrong credentials from one address. Reached, nothing from there is looked at: a throttle that still answers does not throttle. */
  readonly byAddress: TryCount
  /** Wrong credentials for one account, from anywhere but where it was signed in before. */
  readonly byAccount: TryCount
  /** Mails sent on a caller's request. */
  readonly mailByAddress: TryCount
  readonly mailByAccount: TryCount
  readonly signUpByAddress: TryCount
  /** Challenges for passkeys: each is a row that lives for five minutes. */
  readonly challengeByAddress: TryCount
  /** Returns from the OIDC provider that failed: each is a request to it, and a row for ten minutes. */
  readonly returnByAddress: TryCount
  /** Passwords that are being checked: each takes 32 MB and a core for 60 ms. */
  readonly checking: Places
}

export function newThrottles(clock: Clock): Throttles {
  const quarter = 15 * 60_000
  const hour = 60 * 60_000
  return {
    byAddress: new TryCount(clock, { limit: 30, windowMs: quarter }),
    byAccount: new TryCount(clock, { limit: 10, windowMs: quarter }),
    mailByAddress: new TryCount(clock, { limit: 20, windowMs: hour }),
    mailByAccount: new TryCount(clock, { limit: 3, windowMs: hour }),
    signUpByAddress: new TryCount(clock, { limit: 20, windowMs: hour }),
    challengeByAddress: new TryCount(clock, { limit: 60, windowMs: quarter }),
    returnByAddress: new TryCount(clock, { limit: 60, windowMs: quarter }),
    checking: new Places(16),
  }
}

/** More keys than this push out the oldest: an attacker with as many addresses has no need to guess slowly. */
const KEYS_LIMIT = 20_000

/** Counts tries by key; the count of a key starts anew when its window is over. */
export class TryCount {
  readonly #clock: Clock
  readonly #limit: number
  readonly #windowMs: number
  readonly #counts = new Map<string, { tries: number; readonly endsAt: number }>()

  constructor(clock: Clock, options: { readonly limit: number; readonly windowMs: number }) {
    this.#clock = clock
    this.#limit = options.limit
    this.#windowMs = options.windowMs
  }

  /** Takes one try. Counted before its outcome is known, so that many at once are counted too. null: there is none left. */
  take(key: string): 'taken' | { readonly retryAfterSeconds: number } {
    const now = this.#clock.elapsed()
    const count = this.#counts.get(key)
    if (count === undefined || count.endsAt <= now) {
      this.#counts.delete(key)
      this.#counts.set(key, { tries: 1, endsAt: now + this.#windowMs })
      this.#dropOldest()
      return 'taken'
    }
    if (count.tries >= this.#limit) return { retryAfterSeconds: Math.ceil((count.endsAt - now) / 1000) }
    count.tries += 1
    return 'taken'
  }

  /** Takes back a try that was a good one after all. */
  giveBack(key: string): void {
    const count = this.#counts.get(key)
    if (count !== undefined && count.tries > 0) count.tries -= 1
  }

  forget(key: string): void {
    this.#counts.delete(key)
  }

  #dropOldest(): void {
    if (this.#counts.size <= KEYS_LIMIT) return
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest)
      return
    }
  }
}

/** So many at once. */
class Places {
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
