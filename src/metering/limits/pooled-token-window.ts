import type { TokenCount } from './key-use.ts'
import { OWED_MINUTES_LIMIT, type TokenEntry } from './token-window.ts'
import { PART_MS, PARTS, type SlidingCount } from '../../core/sliding-count.ts'

const OWED = 0
const CEILING = 1
const NEWEST = 2
/** Numbers that it takes beside its count. */
export const POOLED_TOKENS_LENGTH = 3

/**
 * A `TokenWindow` that threads share. What requests owe is one sum for all of them, so a request that ends with less than it
 * was counted with lowers what is owed first, then what was placed last: when tokens leave the count may differ by that from
 * a window of one thread, how many are let in does not.
 */
export class PooledTokenWindow implements TokenCount {
  readonly #count: SlidingCount
  readonly #numbers: Float64Array

  constructor(count: SlidingCount, numbers: Float64Array) {
    this.#count = count
    this.#numbers = numbers
  }

  get ceiling(): number {
    return this.#numbers[CEILING] ?? 0
  }

  set ceiling(tokens: number) {
    this.#numbers[CEILING] = tokens
  }

  at(elapsed: number): number {
    this.#advance(elapsed)
    return this.#count.at(elapsed)
  }

  begin(tokens: number, elapsed: number): TokenEntry {
    this.#advance(elapsed)
    const entry: TokenEntry = { tokens: 0, owed: 0, placed: [] }
    this.#raise(entry, tokens, elapsed)
    return entry
  }

  end(entry: TokenEntry, used: number, elapsed: number): void {
    this.#advance(elapsed)
    if (used > entry.tokens) this.#raise(entry, used - entry.tokens, elapsed)
    else this.#lower(entry, entry.tokens - used, elapsed)
  }

  waitMs(limit: number, elapsed: number): number {
    const counted = this.at(elapsed)
    if (limit < 0) return Infinity
    if (this.#owed === 0) return this.#count.waitMs(limit, elapsed)
    const leaving = counted + this.#owed - limit
    const minutes = Math.max(0, Math.ceil(leaving / this.ceiling) - 1)
    const ofLast = leaving - minutes * this.ceiling
    return minutes * (PARTS + 1) * PART_MS + this.#count.waitMs(Math.max(0, counted - ofLast), elapsed)
  }

  isEmpty(elapsed: number): boolean {
    return this.at(elapsed) === 0 && this.#owed === 0
  }

  get #owed(): number {
    return this.#numbers[OWED] ?? 0
  }

  set #owed(tokens: number) {
    this.#numbers[OWED] = tokens
  }

  #raise(entry: TokenEntry, more: number, elapsed: number): void {
    const room = Math.max(0, this.ceiling - this.#count.at(elapsed))
    const fitting = Math.min(more, room)
    const owed = Math.min(more - fitting, Math.max(0, this.ceiling * OWED_MINUTES_LIMIT - this.#owed))
    entry.placed.push({ part: this.#count.add(fitting, elapsed), tokens: fitting })
    entry.tokens += fitting + owed
    entry.owed += owed
    this.#owed += owed
  }

  #lower(entry: TokenEntry, less: number, elapsed: number): void {
    const ofOwed = Math.min(entry.owed, this.#owed, less)
    this.#owed -= ofOwed
    let rest = less - ofOwed
    // What of it was owed and has counted since stands in the newest parts.
    rest -= this.#count.takeNewest(Math.min(entry.owed - ofOwed, rest), elapsed)
    for (const { part, tokens } of entry.placed.toReversed()) {
      const ofPlace = Math.min(tokens, rest)
      rest -= ofPlace
      // Where another request that ended has taken these, its own still count somewhere.
      const missing = ofPlace - this.#count.takeFrom(part, ofPlace, elapsed)
      this.#count.takeNewest(missing, elapsed)
    }
  }

  /** Each quarter of a second that leaves the minute makes room for some of what is owed. */
  #advance(elapsed: number): void {
    const now = Math.floor(elapsed / PART_MS)
    for (let part = (this.#numbers[NEWEST] ?? 0) + 1; part <= now && this.#owed > 0; part++) {
      const at = part * PART_MS
      const room = this.ceiling <= 0 ? Infinity : this.ceiling - this.#count.at(at)
      const paid = Math.min(this.#owed, Math.max(0, room))
      this.#count.add(paid, at)
      this.#owed -= paid
    }
    this.#numbers[NEWEST] = Math.max(this.#numbers[NEWEST] ?? 0, now)
  }
}
