import type { Clock } from '../../core/clock.ts'
import { SETTLE_BATCH_LIMIT, SETTLE_QUEUE_LIMIT } from '../../core/limits.ts'
import { type Settlement, SettlementRefused, type SettlementStore } from './settlement.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

/**
 * A batch is sent at the first turn of the event loop that brought no further settlement, or after this many turns: a
 * commit and the way to the database's thread cost the same for one settlement and for twenty. When little is going on,
 * the turns take no time.
 */
const GATHERING_TURNS = 8

/** A store that fails may be back in a moment: those who wait hear of it only when it stays away for longer. */
const PATIENCE_MS = 5_000

/** A settlement that was refused this often, the last time by itself, is not tried again. */
const REFUSALS_LIMIT = 3
/** When so many in a row are refused and none is taken, it is the database that is wrong, and not what they say. */
const SET_ASIDE_LIMIT = 100

/** Called once for each settlement: when it is durable, or with the error that keeps it from that (for long, or for good). */
export type SettledCallback = (error: Error | null) => void

/** Who hears of one settlement, and what is booked in its place once `callback` was called with a failure. */
export interface SettledListeners {
  /** Hears of durability, or of a failure that lasts. */
  readonly callback: SettledCallback | null
  /** Hears only, and always in the end, of durability. */
  readonly durable: (() => void) | null
  /** An answer that was withheld because it was not in the books is not charged; null: it stays as it is. */
  readonly instead: (() => Settlement) | null
}

const NO_LISTENERS: SettledListeners = { callback: null, durable: null, instead: null }

interface QueuedSettlement extends SettledListeners {
  settlement: Settlement
  callback: SettledCallback | null
  instead: (() => Settlement) | null
  /** When it was pushed, by `Clock.elapsed`. */
  readonly pushedAt: number
  refusals: number
}

/**
 * Brings settlements into the books: one batch is under way at a time, and what arrives meanwhile makes the next one
 * (group commit). A batch that fails stays first in line and is tried again until it succeeds, so a charge is never lost
 * while the process lives; those who wait for it hear when that takes long.
 *
 * A batch with a settlement that the database will never take as it is gets split until that one is alone. It is set aside,
 * so that it holds up no other: the money stays taken from what this node may spend, and `onError` hears which it is.
 */
export class SettleQueue {
  readonly #store: SettlementStore
  readonly #clock: Clock
  readonly #onError: (error: Error) => void
  readonly #onStored: ((ms: number) => void) | undefined
  #waiting: QueuedSettlement[] = []
  /** Pieces of a batch that was refused: they come before everything else, each by itself. */
  #pieces: QueuedSettlement[][] = []
  #underWay: QueuedSettlement[] = []
  #isScheduled = false
  #isClosed = false
  #pauseMs = 0
  #failure: Error | null = null
  #idleWaiters: (() => void)[] = []
  #overruns = 0
  #setAside = 0
  #setAsideInARow = 0

  /** `onStored`: hears, for each settlement, how many milliseconds after it was queued it became durable. */
  constructor(options: {
    store: SettlementStore
    clock: Clock
    onError: (error: Error) => void
    onStored?: (ms: number) => void
  }) {
    this.#store = options.store
    this.#onStored = options.onStored
    this.#clock = options.clock
    this.#onError = options.onError
  }

  /** Queues one. */
  push(settlement: Settlement, on: SettledListeners = NO_LISTENERS): void {
    this.#waiting.push({
      settlement,
      callback: on.callback,
      durable: on.durable,
      instead: on.instead,
      pushedAt: this.#clock.elapsed(),
      refusals: 0,
    })
    this.#schedule()
  }

  /** Whether new requests may be taken on: the last batch was stored, and the line is not too long. */
  get accepts(): boolean {
    return this.#failure === null && this.#waiting.length < SETTLE_QUEUE_LIMIT
  }

  /** What the store said of the last batch; null: it was stored. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Charges that met a lease that was no longer active, since the start. */
  get overruns(): number {
    return this.#overruns
  }

  /** Settlements that the database would not take, since the start. They are in no book. */
  get setAside(): number {
    return this.#setAside
  }

  get length(): number {
    const inPieces = this.#pieces.reduce((sum, piece) => sum + piece.length, 0)
    return this.#waiting.length + this.#underWay.length + inPieces
  }

  /** Resolves when everything that was pushed before is durable, or when `timeoutMs` are over; returns which. */
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
    this.#underWay = this.#pieces.shift() ?? this.#waiting.splice(0, SETTLE_BATCH_LIMIT)
    const batch = this.#underWay.map((entry) => entry.settlement)
    this.#store.settle(batch, { mayJournal: true }).then(
      (answer) => this.#stored(answer.overruns),
      (error: unknown) => {
        if (error instanceof SettlementRefused) this.#refused(error)
        else this.#failed(error instanceof Error ? error : new Error(String(error)))
      },
    )
  }

  #stored(overruns: number): void {
    const entries = this.#takeUnderWay()
    this.#pauseMs = 0
    this.#failure = null
    this.#overruns += overruns
    this.#setAsideInARow = 0
    const now = this.#clock.elapsed()
    for (const entry of entries) {
      this.#onStored?.(now - entry.pushedAt)
      this.#tell(() => entry.durable?.())
      this.#tell(() => entry.callback?.(null))
    }
    this.#goOn()
  }

  /** Nothing is known to be wrong with what they say: they stay first in line. */
  #failed(error: Error): void {
    this.#waiting = [...this.#takeUnderWay(), ...this.#pieces.flat(), ...this.#waiting]
    this.#pieces = []
    this.#pause(error)
  }

  /** The database works, so waiting would not help: find out which of them it does not take. */
  #refused(error: SettlementRefused): void {
    const entries = this.#takeUnderWay()
    for (const entry of entries) entry.refusals += 1
    this.#pauseMs = 0
    const [only] = entries
    if (entries.length > 1) {
      const middle = Math.ceil(entries.length / 2)
      this.#pieces.unshift(entries.slice(0, middle), entries.slice(middle))
    } else if (only !== undefined && only.refusals < REFUSALS_LIMIT) this.#pieces.unshift(entries)
    else if (only !== undefined && this.#setAsideInARow >= SET_ASIDE_LIMIT) {
      // To the end of the line: should any other be taken, the door opens again.
      this.#waiting.push(only)
      return this.#pause(error)
    } else if (only !== undefined) this.#giveUp(only, error)
    this.#goOn()
  }

  #giveUp(entry: QueuedSettlement, cause: SettlementRefused): void {
    const { record } = entry.settlement
    this.#setAside += 1
    this.#setAsideInARow += 1
    const what = `request ${record.id} of account ${record.accountId}, which cost ${record.cost} nano-USD`
    const error = new Error(`the database will not take ${what}; it is in no book: ${cause.message}`, { cause })
    this.#onError(error)
    if (this.#reportFailure(entry, error)) this.#waiting.push(entry)
  }

  /** Whether another settlement now stands in its place. */
  #reportFailure(entry: QueuedSettlement, error: Error): boolean {
    const { callback, instead } = entry
    entry.callback = null
    entry.instead = null
    this.#tell(() => callback?.(error))
    if (callback === null || instead === null) return false
    entry.settlement = instead()
    entry.refusals = 0
    return true
  }

  #pause(error: Error): void {
    this.#failure = error
    this.#onError(error)
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2))
    const impatientSince = this.#clock.elapsed() - PATIENCE_MS
    for (const entry of this.#waiting) {
      if (entry.pushedAt <= impatientSince) this.#reportFailure(entry, error)
    }
    this.#schedule()
  }

  #takeUnderWay(): QueuedSettlement[] {
    const entries = this.#underWay
    this.#underWay = []
    return entries
  }

  #goOn(): void {
    if (this.#waiting.length > 0 || this.#pieces.length > 0) this.#schedule()
    else this.#notifyIdle()
  }

  /** One listener's failure must rob no other of its news. */
  #tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #notifyIdle(): void {
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const wake of waiters) wake()
  }
}
