import type { SlidingCount } from '../../core/sliding-count.ts'
import { OverdrawnTokenWindow, type TokenEntry } from './overdrawn-token-window.ts'

const OWED = 0
const CEILING = 1
const NEWEST = 2
/** Numbers that it takes beside its count. */
export const POOLED_TOKENS_LENGTH = 3

/**
 * The window that threads share. The overdraft of requests is one sum for all of them, so a request that ends with less than it was
 * counted with lowers the overdraft first, then what was placed last: when tokens leave the count may differ by that from a
 * window of one thread, how many are let in does not.
 */
export class PooledTokenWindow extends OverdrawnTokenWindow {
  readonly #numbers: Float64Array

  constructor(count: SlidingCount, numbers: Float64Array) {
    super(count)
    this.#numbers = numbers
  }

  get ceiling(): number {
    return this.#numbers[CEILING] ?? 0
  }

  set ceiling(tokens: number) {
    this.#numbers[CEILING] = tokens
  }

  protected get overdraft(): number {
    return this.#numbers[OWED] ?? 0
  }

  protected set overdraft(tokens: number) {
    this.#numbers[OWED] = tokens
  }

  protected get newest(): number {
    return this.#numbers[NEWEST] ?? 0
  }

  protected set newest(part: number) {
    this.#numbers[NEWEST] = part
  }

  protected noteOverdraft(): void {}

  protected lower(entry: TokenEntry, less: number, elapsed: number): void {
    const ofOverdraft = Math.min(entry.overdraft, this.overdraft, less)
    this.overdraft -= ofOverdraft
    let rest = less - ofOverdraft
    // What of it was overdraft and has counted since stands in the newest parts.
    rest -= this.count.takeNewest(Math.min(entry.overdraft - ofOverdraft, rest), elapsed)
    for (const { part, tokens } of entry.placed.toReversed()) {
      const ofPlace = Math.min(tokens, rest)
      rest -= ofPlace
      // Where another request that ended has taken these, its own still count somewhere.
      const missing = ofPlace - this.count.takeFrom(part, ofPlace, elapsed)
      this.count.takeNewest(missing, elapsed)
    }
  }

  protected coverOverdraft(room: number, elapsed: number): void {
    const paid = Math.min(this.overdraft, room)
    this.count.add(paid, elapsed)
    this.overdraft -= paid
  }
}
