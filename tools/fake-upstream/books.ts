/** Counts what was served, so that a gateway's books can be compared with it. */
import type { Write } from './plan.ts'
import type { Usage } from './usage.ts'
import type { WireName } from './ask.ts'
import { NO_TOKENS, addUsage } from './usage.ts'

/** The wires of calls that cost something. */
export type BilledWire = WireName | 'embeddings'

/** How a call ended: its last byte was handed to the socket, its client left, or it was never meant to be whole. */
export type Outcome = 'completed' | 'aborted' | 'failed'

export interface Counts {
  /** Calls whose body arrived whole: completed + aborted + failedOnPurpose + those still running. */
  readonly requests: number
  readonly completed: number
  readonly aborted: number
  readonly failedOnPurpose: number
  /** Completed answers that reported no usage. */
  readonly completedWithoutUsage: number
  /** Sum of what completed answers reported. */
  readonly usage: Usage
}

/** The attempt under one `x-request-id` that completed, else the last. They need not arrive in the order they were sent. */
export interface CallRecord {
  readonly model: string
  readonly wire: BilledWire
  readonly attempts: number
  readonly completed: boolean
  /** The last usage that reached the socket, also of a call that did not complete; null when there was none. */
  readonly reportedUsage: Usage | null
  /** Stream events handed to the socket; of an answer other than a stream 1 when it went out whole. */
  readonly chunksSent: number
}

export interface Stats {
  readonly totals: Counts
  readonly running: number
  readonly models: Readonly<Record<string, Counts>>
  readonly requests: Readonly<Record<string, CallRecord>>
  /** Calls that cost nothing and are in no other count. */
  readonly countTokens: number
  readonly modelLists: number
}

const MOST_CALL_RECORDS = 100_000
const MOST_MODELS = 10_000

/** Models beyond the bound are counted together under this name. */
const OTHER_MODELS = '(other)'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A running call. */
export interface OpenCall {
  wrote(write: Write): void
  close(outcome: Outcome): void
}

export class Books {
  countTokens = 0
  modelLists = 0
  #running = 0
  #totals = noCounts()
  #models = new Map<string, Mutable<Counts>>()
  #calls = new Map<string, Mutable<CallRecord>>()
  #whenIdle: (() => void)[] = []

  /** Opens a call. Without a request id it is counted, but has no record of its own. */
  open(model: string, requestId: string, wire: BilledWire): OpenCall {
    const counts = [this.#totals, this.#countsOf(model)]
    for (const one of counts) one.requests++
    this.#running++
    const record = this.#recordOf(model, requestId, wire)
    let closed = false
    return {
      wrote: (write) => {
        record.chunksSent += write.events
        if (write.reports !== null) record.reportedUsage = write.reports
      },
      close: (outcome) => {
        if (closed) return
        closed = true
        record.completed = outcome === 'completed'
        if (record.completed) this.#keep(record, requestId)
        for (const one of counts) closeInto(one, outcome, record.reportedUsage)
        this.#running--
        if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
      },
    }
  }

  /** Resolves when no call is running. */
  whenIdle(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  stats(): Stats {
    return structuredClone({
      totals: this.#totals,
      running: this.#running,
      models: Object.fromEntries(this.#models),
      requests: Object.fromEntries(this.#calls),
      countTokens: this.countTokens,
      modelLists: this.modelLists,
    })
  }

  /** Sets every count to 0. Calls still running end in the old books. */
  reset(): void {
    this.#totals = noCounts()
    this.#models = new Map()
    this.#calls = new Map()
    this.countTokens = 0
    this.modelLists = 0
  }

  #countsOf(model: string): Mutable<Counts> {
    const name = this.#models.has(model) || this.#models.size < MOST_MODELS ? model : OTHER_MODELS
    const counts = this.#models.get(name) ?? noCounts()
    this.#models.set(name, counts)
    return counts
  }

  #recordOf(model: string, requestId: string, wire: BilledWire): Mutable<CallRecord> {
    const before = this.#calls.get(requestId)
    const attempts = (before?.attempts ?? 0) + 1
    const record = { model, wire, attempts, completed: false, reportedUsage: null, chunksSent: 0 }
    if (requestId === '') return record
    if (before === undefined && this.#calls.size >= MOST_CALL_RECORDS) this.#forgetOldest()
    this.#calls.set(requestId, record)
    return record
  }

  #keep(record: Mutable<CallRecord>, requestId: string): void {
    const newest = this.#calls.get(requestId)
    if (newest === undefined || newest === record) return
    record.attempts = newest.attempts
    this.#calls.set(requestId, record)
  }

  #forgetOldest(): void {
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined) this.#calls.delete(oldest)
  }
}

function noCounts(): Mutable<Counts> {
  return { requests: 0, completed: 0, aborted: 0, failedOnPurpose: 0, completedWithoutUsage: 0, usage: NO_TOKENS }
}

function closeInto(counts: Mutable<Counts>, outcome: Outcome, usage: Usage | null): void {
  if (outcome === 'aborted') counts.aborted++
  if (outcome === 'failed') counts.failedOnPurpose++
  if (outcome !== 'completed') return
  counts.completed++
  if (usage === null) counts.completedWithoutUsage++
  else counts.usage = addUsage(counts.usage, usage)
}
