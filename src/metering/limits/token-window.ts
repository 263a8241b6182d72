import { SlidingCount } from '../../core/sliding-count.ts'
import { IndebtedWindow, type TokenEntry } from './indebted-window.ts'

/** The window of one thread, which knows of each request what it owes. */
export class TokenWindow extends IndebtedWindow {
  ceiling = Infinity
  protected owed = 0
  protected newest = 0
  /** Entries of which something is owed, oldest first. */
  #debtors: TokenEntry[] = []

  constructor() {
    super(new SlidingCount())
  }

  protected borrowed(entry: TokenEntry): void {
    if (!this.#debtors.includes(entry)) this.#debtors.push(entry)
  }

  protected lower(entry: TokenEntry, less: number, elapsed: number): void {
    const ofOwed = Math.min(entry.owed, less)
    entry.tokens -= less
    entry.owed -= ofOwed
    this.owed -= ofOwed
    let rest = less - ofOwed
    for (const place of entry.placed.toReversed()) {
      const ofPlace = Math.min(place.tokens, rest)
      place.tokens -= ofPlace
      rest -= ofPlace
      this.count.correct(place.part, -ofPlace, elapsed)
    }
  }

  protected repay(room: number, elapsed: number): void {
    let left = room
    for (const entry of this.#debtors) {
      const paid = Math.min(entry.owed, left)
      if (paid <= 0) continue
      this.place(entry, paid, elapsed)
      entry.owed -= paid
      this.owed -= paid
      left -= paid
    }
    this.#debtors = this.#debtors.filter(({ owed }) => owed > 0)
  }
}
