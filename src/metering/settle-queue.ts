import type { Clock } from '../core/clock.ts'
import { SETTLE_BATCH_LIMIT, SETTLE_QUEUE_LIMIT } from '../core/limits.ts'
import type { Settlement, SettlementStore } from './settlement.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/**
 * A batch is sent at the first turn of the event loop that brought no further settlement, or after this many turns: a
 * commit and the way to the database's thread cost the same for one settlement and for twenty. When little is going on,
 * the turns take no time.
 */
const GATHERING_TURNS = 8

/** A store that fails may be back in a moment: those who wait are told only when it stays away for longer. */
const PATIENCE_MS = 5_000

/** Called once for each settlement: when it is durable, or with the error that has kept it waiting for long. */
export type SettledCallback = (error: Error | null) => void

interface Entry {
  readonly settlement: Settlement
  callback: SettledCallback | null
  readonly durable: (() => void) | null
  /** By `Clock.elapsed`. */
  readonly pushedAt: number
}

/**
 * Brings settlements into the books: one batch is under way at a time, and what arrives meanwhile makes the next one
 * (group commit). A batch that fails stays first in line and is tried again until it succeeds, so a charge is never lost
 * while the process lives; those who wait for it are told when that takes long.
 */
export class SettleQueue {
  readonly #store: SettlementStore
  readonly #clock: Clock
  readonly #onError: (error: Error) => void
  #waiting: Entry[] = []
  #underWay: Entry[] = []
  #isScheduled = false
  #isClosed = false
  #pauseMs = 0
  #failure: Error | null = null
  #idleWaiters: (() => void)[] = []
  #overruns = 0

  constructor(options: { store: SettlementStore; clock: Clock; onError: (error: Error) => void }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#onError = options.onError
  }

  /** Queues one. `callback` hears of durability, or of a failure that lasts; `durable` only, and always in the end, of durability. */
  push(settlement: Settlement, on: { callback: SettledCallback | null; durable: (() => void) | null }): void {
    this.#waiting.push({
      settlement,
      callback: on.callback,
      durable: on.durable,
      pushedAt: this.#clock.elapsed(),
    })
    this.#schedule()
  }

  /** Whether new requests may be taken on: the last batch was stored, and the line is not too long. */
  get accepts(): boolean {
    return this.#failure === null && this.#waiting.length < SETTLE_QUEUE_LIMIT
  }

  /** Charges that met a lease that was no longer active, since the start. */
  get overruns(): number {
    return this.#overruns
  }

  get length(): number {
    return this.#waiting.length + this.#underWay.length
  }

  /** Fulfils when everything that was pushed before is durable, or when `timeoutMs` are over; answers which. */
  async drain(timeoutMs: number): Promise<boolean> {
    if (this.length === 0) return true
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<boolean>((resolve) => {
      this.#idleWaiters.push(() => resolve(true))
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    const isDrained = await idle
    clearTimeout(timer)
    return isDrained
  }

  /** Tries no more: the process is about to end. */
  close(): void {
    this.#isClosed = true
  }

  #schedule(): void {
    if (this.#isClosed || this.#isScheduled || this.#underWay.length > 0) return
    this.#isScheduled = true
    if (this.#pauseMs === 0) this.#gather(GATHERING_TURNS)
    else setTimeout(this.#flush, this.#pauseMs)
  }

  #gather(turnsLeft: number): void {
    const before = this.#waiting.length
    setImmediate(() => {
      const isQuiet = this.#waiting.length === before
      if (isQuiet || turnsLeft === 0 || before >= SETTLE_BATCH_LIMIT) this.#flush()
      else this.#gather(turnsLeft - 1)
    })
  }

  readonly #flush = (): void => {
    this.#isScheduled = false
    this.#underWay = this.#waiting.splice(0, SETTLE_BATCH_LIMIT)
    const batch = this.#underWay.map((entry) => entry.settlement)
    this.#store.settle(batch).then(
      (answer) => this.#stored(answer.overruns),
      (error: unknown) => this.#failed(error instanceof Error ? error : new Error(String(error))),
    )
  }

  #stored(overruns: number): void {
    const entries = this.#underWay
    this.#underWay = []
    this.#pauseMs = 0
    this.#failure = null
    this.#overruns += overruns
    for (const entry of entries) {
      this.#tell(() => entry.durable?.())
      this.#tell(() => entry.callback?.(null))
    }
    if (this.#waiting.length > 0) this.#schedule()
    else this.#tellIdle()
  }

  #failed(error: Error): void {
    this.#failure = error
    this.#onError(error)
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2))
    const entries = this.#underWay
    this.#underWay = []
    this.#waiting = [...entries, ...this.#waiting]
    const impatientSince = this.#clock.elapsed() - PATIENCE_MS
    for (const entry of this.#waiting) {
      if (entry.pushedAt > impatientSince) continue
      this.#tell(() => entry.callback?.(error))
      entry.callback = null
    }
    this.#schedule()
  }

  /** One listener's failure must rob no other of its news. */
  #tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #tellIdle(): void {
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const tell of waiters) tell()
  }
}
