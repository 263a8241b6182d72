import { READ_ON_REQUESTS } from '../../core/limits.ts'
import { threadPart } from '../../core/thread-part.ts'

/** How many upstreams are read on at a time for clients that hung up, in this process. */
export class ReadOnSlots {
  readonly #limit: number
  #taken = 0

  /** `threads`: how many of the process share the limit. */
  constructor(threads = 1) {
    this.#limit = threadPart(READ_ON_REQUESTS, threads)
  }

  /** False: all are taken. */
  take(): boolean {
    if (this.#taken >= this.#limit) return false
    this.#taken += 1
    return true
  }

  /** Gives back what `take` took. */
  release(): void {
    this.#taken -= 1
  }
}
