import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import type { SettleQueue } from '../../metering/settle/settle-queue.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'

/** A client that asks again and again writes this many refusals a minute into the records of its key, and no more. */
const RECORDS_PER_MINUTE = 60
const KEYS_LIMIT = 10_000

/** Writes refused requests into the usage records, so that people can see why a call failed. No request waits for it. */
export class RefusalLog {
  readonly #queue: SettleQueue
  readonly #written: CountsInWindow

  constructor({ queue, clock }: { queue: SettleQueue; clock: Clock }) {
    this.#queue = queue
    this.#written = new CountsInWindow(clock, { windowMs: 60_000, mostNames: KEYS_LIMIT })
  }

  write(record: UsageRecord): void {
    if (this.#written.add(record.keyId).count > RECORDS_PER_MINUTE || !this.#queue.accepts) return
    this.#queue.push({ record, charges: [] })
  }
}
