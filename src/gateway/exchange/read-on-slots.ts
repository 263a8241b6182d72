import { READ_ON_REQUESTS } from '../../core/limits.ts'

/** How many upstreams are read on at a time for clients that hung up, in this process. */
export class ReadOnSlots {
  #taken = 0

  /** False: all are taken. */
  take(): boolean {
    if (this.#taken >= READ_ON_REQUESTS) return false
    this.#taken += 1
    return true
  }

  /** Gives back what `take` took. */
  release(): void {
    this.#taken -= 1
  }
}
