import { DRAINED_REQUESTS, DRAINED_REQUESTS_OF_ACCOUNT } from '../../core/limits.ts'
import { threadPart } from '../../core/thread-part.ts'

/** How many upstreams are read on at a time for clients that hung up, in this process: of all accounts, and of each. */
export class DrainLimit {
  readonly #limit: number
  readonly #limitOfAccount: number
  #taken = 0
  readonly #takenBy = new Map<string, number>()

  /** `threads`: how many of the process share the limits. */
  constructor(threads = 1) {
    this.#limit = threadPart(DRAINED_REQUESTS, threads)
    this.#limitOfAccount = threadPart(DRAINED_REQUESTS_OF_ACCOUNT, threads)
  }

  /** False: all are taken, or all that one account may have. */
  take(accountId: string): boolean {
    const own = this.#takenBy.get(accountId) ?? 0
    if (this.#taken >= this.#limit || own >= this.#limitOfAccount) return false
    this.#taken += 1
    this.#takenBy.set(accountId, own + 1)
    return true
  }

  /** Gives back what `take` took. */
  release(accountId: string): void {
    this.#taken -= 1
    const own = (this.#takenBy.get(accountId) ?? 1) - 1
    if (own > 0) this.#takenBy.set(accountId, own)
    else this.#takenBy.delete(accountId)
  }
}
