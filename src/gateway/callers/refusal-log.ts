import type { Clock } from '../../core/clock.ts'
import type { SettleQueue } from '../../metering/settle/settle-queue.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'

/** A client that asks again and again writes this many refusals a minute into the records of its key, and no more. */
const RECORDS_PER_MINUTE = 60
const WINDOW_MS = 60_000
const KEYS_LIMIT = 10_000

/** Writes refused requests into the usage records, so that people can see why a call failed. No request waits for it. */
export class RefusalLog {
  readonly #queue: SettleQueue
  readonly #clock: Clock
  #since = 0
  #counts = new Map<string, number>()

  constructor(options: { queue: SettleQueue; clock: Clock }) {
    this.#queue = options.queue
    this.#clock = options.clock
  }

  write(record: UsageRecord): void {
    if (!this.#hasRoom(record.keyId) || !this.#queue.accepts) return
    this.#queue.push({ record, charges: [] })
  }

  #hasRoom(keyId: string): boolean {
    const now = this.#clock.elapsed()
    if (now - this.#since >= WINDOW_MS || this.#counts.size >= KEYS_LIMIT) {
      this.#since = now
      this.#counts = new Map()
    }
    const count = (this.#counts.get(keyId) ?? 0) + 1
    this.#counts.set(keyId, count)
    return count <= RECORDS_PER_MINUTE
  }
}
