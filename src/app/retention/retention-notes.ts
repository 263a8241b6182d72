import type { RetentionRunNow } from '../../control/system.ts'

/** What the runs of this process did, for the console. Times are epoch milliseconds. */
export class RetentionNotes {
  #now: RetentionRunNow | null = null

  /** null: nothing runs here. */
  get now(): RetentionRunNow | null {
    return this.#now
  }

  planned(nextAtMs: number): void {
    this.#now = { isRunning: false, nextAtMs, last: this.#now?.last ?? null }
  }

  began(nextAtMs: number): void {
    this.#now = { isRunning: true, nextAtMs, last: this.#now?.last ?? null }
  }

  ended(last: NonNullable<RetentionRunNow['last']>): void {
    if (this.#now !== null) this.#now = { ...this.#now, isRunning: false, last }
  }
}
