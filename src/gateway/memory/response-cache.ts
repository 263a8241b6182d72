import type { Clock } from '../../core/clock.ts'
import { RESPONSE_CACHE_BYTES, RESPONSE_CACHE_ENTRIES } from '../../core/limits.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import { threadPart } from '../../core/thread-part.ts'
import type { TokenCounts } from '../../core/tokens.ts'

/** An answer as its client got it, and what it was charged by. */
export interface KeptAnswer {
  readonly body: Buffer
  readonly contentType: string
  readonly isStream: boolean
  /** Value of the header that names what a translation left out; null: nothing. */
  readonly dropped: readonly string[]
  readonly tokens: TokenCounts
  /** The class of service and the place that the answer named; absent: none. */
  readonly terms?: ServiceTerms | undefined
}

interface CacheEntry {
  readonly answer: KeptAnswer
  /** `Clock.elapsed` */
  readonly keptAt: number
  readonly bytes: number
}

/** What an entry takes beside its body: its key, its counts, its place. */
const ENTRY_OVERHEAD_BYTES = 1_024

/**
 * Answers that this thread keeps for requests that are equal to the byte, bounded in bytes and in number; those that were used
 * longest ago go first. It knows nothing of accounts: the key says whose an answer is.
 */
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>()
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #mostBytes: number
  readonly #mostEntries: number
  #bytes = 0

  /** `threads`: how many of the process keep answers, each its own part. */
  constructor(
    clock: Pick<Clock, 'elapsed'>,
    threads = 1,
    most = { bytes: RESPONSE_CACHE_BYTES, entries: RESPONSE_CACHE_ENTRIES },
  ) {
    this.#clock = clock
    this.#mostBytes = threadPart(most.bytes, threads)
    this.#mostEntries = threadPart(most.entries, threads)
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The answer, where it is younger than this. */
  find(key: string, ttlMs: number): KeptAnswer | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#remove(key, entry)
    if (this.#clock.elapsed() - entry.keptAt >= ttlMs) return null
    this.#add(key, entry)
    return entry.answer
  }

  keep(key: string, answer: KeptAnswer): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#remove(key, before)
    const bytes = answer.body.length + ENTRY_OVERHEAD_BYTES
    if (bytes > this.#mostBytes) return
    this.#add(key, { answer, keptAt: this.#clock.elapsed(), bytes })
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#mostBytes && this.#entries.size <= this.#mostEntries) return
      this.#remove(oldest, entry)
    }
  }

  #add(key: string, entry: CacheEntry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #remove(key: string, entry: CacheEntry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
