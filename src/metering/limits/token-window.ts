import { SlidingCount } from '../../core/sliding-count.ts'
import { OverdrawnTokenWindow, type TokenEntry } from './overdrawn-token-window.ts'

/** The window of one thread, which knows of each request what it owes. */
export class TokenWindow extends OverdrawnTokenWindow {
  ceiling = Infinity
  protected overdraft = 0
  protected newest = 0
  /** Entries with an overdraft, oldest first. */
  #overdrawn: TokenEntry[] = []

  constructor() {
    super(new SlidingCount())
  }

  protected noteOverdraft(entry: TokenEntry): void {
    if (!this.#overdrawn.includes(entry)) this.#overdrawn.push(entry)
  }

  protected lower(entry: TokenEntry, less: number, elapsed: number): void {
    const ofOverdraft = Math.min(entry.overdraft, less)
    entry.tokens -= less
    entry.overdraft -= ofOverdraft
    this.overdraft -= ofOverdraft
    let rest = less - ofOverdraft
    for (const place of entry.placed.toReversed()) {
      const ofPlace = Math.min(place.tokens, rest)
      place.tokens -= ofPlace
      rest -= ofPlace
      this.count.correct(place.part, -ofPlace, elapsed)
    }
  }

  protected coverOverdraft(room: number, elapsed: number): void {
    let left = room
    for (const entry of this.#overdrawn) {
      const paid = Math.min(entry.overdraft, left)
      if (paid <= 0) continue
      this.place(entry, paid, elapsed)
      entry.overdraft -= paid
      this.overdraft -= paid
      left -= paid
    }
    this.#overdrawn = this.#overdrawn.filter(({ overdraft }) => overdraft > 0)
  }
}
